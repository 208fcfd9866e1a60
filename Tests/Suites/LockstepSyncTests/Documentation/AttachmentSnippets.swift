import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import SchematicCapture
import TestSupport
import Testing

// The Swift of Attachments.md, compiled and run.

// snippet
struct Bucket: AttachmentRemote {
    let name = "photos"
    let put: @Sendable (_ key: String, _ bytes: Data) async throws -> Void
    let get: @Sendable (_ key: String) async throws -> HTTPBody

    func upload(_ attachment: FileAttachment) async throws {
        try await put(attachment.contentHash, attachment.mappedData())
    }

    func download(_ attachment: FileAttachment, from offset: Int) async throws -> AttachmentBody {
        AttachmentBody(try await get(attachment.contentHash))  // from the start: that is allowed
    }
}
// end

@MainActor
@Suite("The Swift in Attachments.md", .unhurried)
struct AttachmentSnippets {
    @Test("A photo in the app")
    func app() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store(SchematicCaptureSchema.self, at: .file(folder.appendingPathComponent("a.sqlite")))
            let context = store.mainContext
            let url = folder.appendingPathComponent("photo.jpg")
            try Data("hello".utf8).write(to: url)
            let photo = Photo(id: 1, name: "a", context: context)
            // snippet
            photo.imageData = try FileAttachment(contentsOf: url)  // or FileAttachment(data)
            try context.save()

            if let attachment = photo.imageData, attachment.isDownloaded {
                let bytes = try attachment.data()  // verified against the hash
                let file = try attachment.url  // for APIs that read files
                print(bytes.count, file.lastPathComponent)
            }
            // end
            // snippet
            try store.removeUnusedAttachments()
            // end
            #expect(photo.imageData?.state == .here)
        }
    }

    @Test("On the wire")
    func wire() async throws {
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        let address = try #require(URL(string: "https://example.com/files"))
        let client = URLSessionClient()
        // Nothing is pending and nothing is missing: no request is sent.
        // snippet
        let attachments = HTTPAttachments(address, client: client)
        let transfer = AttachmentTransfer(store: store, remote: attachments)
        try await transfer.uploadPending()
        let report = try await transfer.downloadMissing(limit: 20)
        print(report.downloaded.count, report.missingCount)
        // end
        #expect(report.missingCount == 0)
        let remote = MemoryRemote()
        // snippet
        let sync = Sync(store: store, remote: remote, attachments: HTTPAttachments(address, client: client))
        try await sync.push()  // each record's bytes first, then the record
        // end
    }
}
