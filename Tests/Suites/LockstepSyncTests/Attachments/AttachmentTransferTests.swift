import Foundation
@testable import LockstepStore
@testable import LockstepHTTP
@testable import LockstepSync
import LockstepTesting
import SchematicCapture
import TestSupport
import Testing

@Suite("Attachment uploads and downloads")
struct AttachmentTransferTests {
    private let bytes = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 256) })
    private let clock = ManualClock()
    private let server = MemoryAttachments(pieceSize: 100)

    private func makeStore(_ folder: URL, _ name: String = "capture") throws -> Store {
        try Store(SchematicCaptureSchema.self, at: .file(folder.appendingPathComponent("\(name).sqlite")))
    }

    private func transfer(_ store: Store) -> AttachmentTransfer {
        AttachmentTransfer(store: store, remote: server, clock: clock, random: { 0.5 })
    }

    /// Saves a photo with these bytes.
    private func add(_ bytes: Data, _ id: Int32, to store: Store) async throws -> FileAttachment {
        let attachment = FileAttachment(bytes)
        try await store.perform { context in
            Photo(id: id, name: "", imageData: attachment, context: context)
            try context.save()
        }
        return attachment
    }

    /// A store whose photo 1 has bytes that only the server has.
    private func makeMissing(_ folder: URL) async throws -> (store: Store, attachment: FileAttachment) {
        let store = try makeStore(folder)
        let attachment = try await store.mergePhoto(of: bytes)
        server.stored = [attachment.contentHash: bytes]
        return (store, attachment)
    }

    private func seen(_ store: Store) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: store.attachmentFiles.folder.path)
        return (names ?? []).filter { $0 != "incoming" }
    }

    private func syncError(_ body: () async throws -> Void) async -> SyncError? {
        do { try await body() } catch { return error as? SyncError }
        return nil
    }

    @Test("P20 Whatever a file server throws counts as no response, and is retried")
    func otherErrors() async throws {
        try await withTemporaryFolder { folder in
            let (store, attachment) = try await makeMissing(folder)
            let other = try await add(Data("other".utf8), 2, to: store)
            for error in Thrown.all {
                let transfer = AttachmentTransfer(store: store, remote: ThrowingFiles(error: error), clock: clock)
                let download = await syncError { try await transfer.download(attachment) }
                let upload = await syncError { try await transfer.upload(other) }
                for thrown in [download, upload] {
                    let cause = try #require(thrown?.underlyingError)
                    #expect(thrown?.code == .network && type(of: cause) == type(of: error))
                }
            }
        }
    }

    @Test("A photo uploaded by one device is downloaded by another after a merge")
    func twoDevices() async throws {
        try await withTemporaryFolder { folder in
            let (first, second) = (try makeStore(folder, "first"), try makeStore(folder, "second"))
            let attachment = try await add(bytes, 1, to: first)
            let body = try JSONEncoder().encode(try await first.representations(Photo.all()))
            #expect(try await transfer(first).uploads(referencedIn: body) == [attachment])
            try await transfer(first).upload(referencedIn: body)
            try await transfer(first).upload(referencedIn: body)
            #expect(server.log == [.upload(hash: attachment.contentHash)])
            #expect(try await transfer(first).pendingUploads() == [])

            try await second.merge(body, into: Photo.self)
            #expect(try await transfer(second).missingAttachments() == [attachment])
            #expect(try await transfer(second).pendingUploads() == [])
            let report = try await transfer(second).downloadMissing()
            #expect(report.downloaded == [attachment] && report.missingCount == 0)
            let bytes = bytes
            try await second.perform { context in
                let photo = try context.find(Photo.self, 1)
                #expect(try photo?.imageData?.data() == bytes)
            }
            // What came from the server is not uploaded again.
            #expect(try await transfer(second).pendingUploads() == [])
        }
    }

    @Test("F2 A download never writes behind a link, nor waits for the reader of a pipe", arguments: [true, false])
    func obstructedPart(isLink: Bool) async throws {
        try await withTemporaryFolder { folder in
            let (store, attachment) = try await makeMissing(folder)
            let victim = folder.appendingPathComponent("victim")
            try Data("mine".utf8).write(to: victim)
            let incoming = store.attachmentFiles.incomingFolder
            try FileManager.default.createDirectory(at: incoming, withIntermediateDirectories: true)
            let part = incoming.appendingPathComponent(attachment.contentHash + ".part")
            if isLink {
                try FileManager.default.createSymbolicLink(at: part, withDestinationURL: victim)
            } else {
                try #require(mkfifo(part.path, 0o600) == 0)
            }
            await #expect(throws: StoreError.self) { try await transfer(store).download(attachment) }
            #expect(try Data(contentsOf: victim) == Data("mine".utf8))
            try FileManager.default.removeItem(at: part)
            try await transfer(store).download(attachment)
            #expect(store.attachment(attachment.contentReference).isDownloaded)
        }
    }

    /// A file server before whose upload a link to another file takes the place of the one that was checked.
    private struct Replacing: AttachmentRemote {
        let remote: HTTPAttachments
        let secret: URL
        var name: String { remote.name }

        func upload(_ attachment: FileAttachment) async throws {
            let url = try attachment.url
            try FileManager.default.removeItem(at: url)
            try FileManager.default.createSymbolicLink(at: url, withDestinationURL: secret)
            try await remote.upload(attachment)
        }

        func download(_ attachment: FileAttachment, from offset: Int) async throws -> AttachmentBody {
            try await remote.download(attachment, from: offset)
        }
    }

    @Test("F2 An upload never sends what a link leads to that has taken the place of the file")
    func replaced() async throws {
        try await withTemporaryFolder { folder in
            let store = try makeStore(folder)
            let attachment = try await add(bytes, 1, to: store)
            let secret = folder.appendingPathComponent("secret")
            try Data("secret".utf8).write(to: secret)
            let client = ScriptedClient([.init(status: 201)])
            let remote = Replacing(
                remote: HTTPAttachments(URL(string: "https://example.com")!, client: client), secret: secret)
            let transfer = AttachmentTransfer(store: store, remote: remote)
            let error = await syncError { try await transfer.upload(attachment) }
            #expect((error?.underlyingError as? StoreError)?.code == .notDownloaded)
            #expect(await client.requests.isEmpty)
        }
    }

    @Test("F2 A small file that is shortened while it is uploaded does not end the process")
    func shortened() async throws {
        try await withTemporaryFolder { folder in
            let store = try makeStore(folder)
            let attachment = try await add(bytes, 1, to: store)
            let sent = try attachment.mappedData()
            #expect(truncate(try attachment.url.path, 0) == 0)
            #expect(sent == bytes)
        }
    }

    @Test("A failed upload stays pending and is retried, even after the app was terminated")
    func failedUpload() async throws {
        try await withTemporaryFolder { folder in
            var store = try makeStore(folder)
            let attachment = try await add(bytes, 1, to: store)
            server.fail(SyncError(.unavailable(status: 503), reason: "busy", remedy: ""))
            let failed = transfer(store)
            #expect(await syncError { try await failed.uploadPending() }?.code == .unavailable(status: 503))
            try store.close()
            store = try makeStore(folder)
            #expect(try await transfer(store).uploadPending() == 1)
            #expect(server.stored[attachment.contentHash] == bytes)
            #expect(try await transfer(store).uploadPending() == 0)
        }
    }

    @Test("Damaged bytes are never uploaded")
    func damagedUpload() async throws {
        try await withTemporaryFolder { folder in
            let store = try makeStore(folder)
            let attachment = try await add(bytes, 1, to: store)
            try Data(bytes.reversed()).write(to: store.attachmentFiles.url(attachment.contentReference))
            await #expect(throws: StoreError.self) { try await transfer(store).upload(attachment) }
            #expect(server.log == [])
        }
    }

    @Test("An interrupted download is not visible and is resumed, even after the app was terminated")
    func resumed() async throws {
        try await withTemporaryFolder { folder in
            let (first, attachment) = try await makeMissing(folder)
            server.breakOff(after: 350)
            #expect(await syncError { try await transfer(first).download(attachment) }?.code == .network)
            #expect(seen(first) == [] && !first.attachment(attachment.contentReference).isDownloaded)
            try first.close()
            let store = try makeStore(folder)
            server.breakOff(after: 350)
            #expect(await syncError { try await transfer(store).download(attachment) } != nil)
            try await transfer(store).download(attachment)
            let hash = attachment.contentHash
            #expect(server.log == [0, 350, 700].map { .download(hash: hash, offset: $0) })
            #expect(try store.attachment(attachment.contentReference).data() == bytes)
            try await transfer(store).download(attachment)
            #expect(server.log.count == 3)
        }
    }

    @Test("If the server does not support ranges, the download starts over")
    func noRanges() async throws {
        try await withTemporaryFolder { folder in
            let (store, attachment) = try await makeMissing(folder)
            server.knowsRanges = false
            server.breakOff(after: 350)
            #expect(await syncError { try await transfer(store).download(attachment) } != nil)
            try await transfer(store).download(attachment)
            #expect(try store.attachment(attachment.contentReference).data() == bytes)
        }
    }

    @Test("Wrong, longer and shorter bytes are rejected, and are not visible", arguments: [1000, 1001, 999])
    func wrongBytes(count: Int) async throws {
        try await withTemporaryFolder { folder in
            let (store, attachment) = try await makeMissing(folder)
            server.stored[attachment.contentHash] = Data(repeating: 9, count: count)
            let code = await syncError { try await transfer(store).download(attachment) }?.code
            #expect(code == (count < 1000 ? .network : .malformed))
            #expect(seen(store) == [])
            // The next attempt succeeds, whatever was left of the first.
            server.stored[attachment.contentHash] = bytes
            try await transfer(store).download(attachment)
            #expect(try store.attachment(attachment.contentReference).data() == bytes)
        }
    }

    @Test("A process can be killed at any byte of a download and leave wrong bytes behind", arguments: [true, false])
    func killed(isRight: Bool) async throws {
        try await withTemporaryFolder { folder in
            let (store, attachment) = try await makeMissing(folder)
            let (files, reference) = (store.attachmentFiles, attachment.contentReference)
            for count in [0, 1, 500, 999, 1000, 1001] {
                try? FileManager.default.removeItem(at: files.url(reference))
                try files.makeFolder()
                let left = isRight ? Data((bytes + [0]).prefix(count)) : Data(repeating: 7, count: count)
                try left.write(to: files.partURL(reference))
                #expect(!files.has(reference))
                try await transfer(store).download(attachment)
                #expect(try Data(contentsOf: files.url(reference)) == bytes, "\(count)")
                #expect(FilePieces.size(files.partURL(reference)) == nil)
            }
        }
    }

    @Test("A failed transfer waits for its retry time while the others continue; without a connection the round ends")
    func rounds() async throws {
        try await withTemporaryFolder { folder in
            let (store, attachment) = try await makeMissing(folder)
            let other = FileAttachment(Data("other".utf8))
            let body = Data(#"[{"id": 2, "name": "b", "imageData": "\#(other.reference)"}]"#.utf8)
            try await store.merge(body, into: Photo.self)
            let first = try await transfer(store).downloadMissing()
            #expect(first.downloaded == [attachment] && first.missingCount == 1)
            #expect(first.failures.map(\.error.code) == [.notFound])
            server.stored[other.contentHash] = Data("other".utf8)
            // Too early: it is not requested.
            #expect(try await transfer(store).downloadMissing().downloaded == [])
            clock.advance(by: 60)
            server.fail(SyncError(.network, reason: "offline", remedy: ""))
            #expect(try await transfer(store).downloadMissing().failures.map(\.error.code) == [.network])
            clock.advance(by: 60)
            #expect(try await transfer(store).downloadMissing(limit: 1).downloaded == [other])
        }
    }

    @Test("Concurrent downloads of the same bytes share one request")
    func atOnce() async throws {
        try await withTemporaryFolder { folder in
            let (store, attachment) = try await makeMissing(folder)
            let transfers = [transfer(store), transfer(store), transfer(store)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for transfer in transfers { group.addTask { try await transfer.download(attachment) } }
                try await group.waitForAll()
            }
            #expect(server.log.count == 1)
        }
    }

    @Test("M1 A missing key keeps the photo; M12 an invalid reference is rejected; null removes it")
    func merging() async throws {
        try await withTemporaryFolder { folder in
            let (store, attachment) = try await makeMissing(folder)
            func stored() async throws -> FileAttachment? {
                try await store.representations(Photo.all()).first?.imageData
            }
            try await store.merge(Data(#"[{"id": 1, "name": "b"}]"#.utf8), into: Photo.self)
            #expect(try await stored() == attachment)
            for wrong in ["\"\"", "\"sha256-12-3\"", "7", "\"aGk=\""] {
                let summary = try await store.merge(
                    Data(#"[{"id": 1, "name": "c", "imageData": \#(wrong)}]"#.utf8), into: Photo.self)
                #expect(summary.skipped.first?.reason.contains("is not a reference to an attachment") == true)
            }
            #expect(try await stored() == attachment)
            try await store.merge(Data(#"[{"id": 1, "name": "b", "imageData": null}]"#.utf8), into: Photo.self)
            #expect(try await stored() == nil)
        }
    }
}

private struct ThrowingFiles: AttachmentRemote {
    let name = "files"
    let error: any Error

    func upload(_ attachment: FileAttachment) async throws { throw error }
    func download(_ attachment: FileAttachment, from offset: Int) async throws -> AttachmentBody { throw error }
}
