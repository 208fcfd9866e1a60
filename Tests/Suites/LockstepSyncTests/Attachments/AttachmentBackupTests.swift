import Foundation
import LockstepSystem
import LockstepTesting
import SchematicCapture
import TestSupport
import Testing

@testable import LockstepStore
@testable import LockstepSync

/// On Apple platforms, an attribute of a file leaves it out of backups. Here, a function notes what would be set.
@Suite("Attachments in backups of the device")
struct AttachmentBackupTests {
    private let bytes = Data("bytes".utf8)
    private let server = MemoryAttachments()
    private let marks = Locked<[String: [Bool]]>([:])

    private func withStore(_ body: (Store, AttachmentTransfer) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("capture.sqlite")
            let store = try Store(SchematicCaptureSchema.self, at: .file(file))
            store.attachmentFiles.backup.withLock { backup in
                backup.exclude = { [marks] file, isExcluded in
                    marks.withLock { $0[file.lastPathComponent, default: []].append(isExcluded) }
                }
            }
            try await body(store, AttachmentTransfer(store: store, remote: server, clock: ManualClock()))
            try store.close()
        }
    }

    private func add(_ id: Int32, to store: Store) async throws -> FileAttachment {
        let attachment = FileAttachment(bytes)
        try await store.perform { context in
            Photo(id: id, name: "", imageData: attachment, context: context)
            try context.save()
        }
        return attachment
    }

    private func delete(_ id: Int32, from store: Store) async throws {
        try await store.perform { context in
            if let photo = try context.find(Photo.self, id) { context.delete(photo) }
            try context.save()
        }
    }

    private func marks(of attachment: FileAttachment) -> [Bool] {
        marks.withLock { $0[attachment.contentHash] ?? [] }
    }

    @Test("A file is left out once the server has its bytes, and not before")
    func uploaded() async throws {
        try await withStore { store, transfer in
            let attachment = try await add(1, to: store)
            #expect(marks(of: attachment) == [])
            try await transfer.uploadPending()
            #expect(marks(of: attachment) == [true])
        }
    }

    @Test("A downloaded file is left out, and so is what is incomplete")
    func downloaded() async throws {
        try await withStore { store, transfer in
            let attachment = try await store.mergePhoto(of: bytes)
            server.stored = [attachment.contentHash: bytes]
            _ = try await transfer.downloadMissing()
            #expect(marks(of: attachment) == [true])
            #expect(marks.withLock { $0["incoming"] } == [true])
        }
    }

    @Test("P14 Bytes that the server may have deleted are in the backup until they are uploaded again")
    func lost() async throws {
        try await withStore { store, transfer in
            let attachment = try await add(1, to: store)
            _ = try await add(2, to: store)
            try await transfer.uploadPending()
            try await delete(1, from: store)
            _ = try await transfer.lostUploads()
            #expect(marks(of: attachment).last == false)
            try await transfer.uploadPending()
            #expect(marks(of: attachment).last == true)

            // A new record with a file that nothing referred to any more.
            try await delete(2, from: store)
            _ = try await add(3, to: store)
            #expect(marks(of: attachment).last == false)
        }
    }

    @Test("The option puts all files into the backup, those that exist with the next removal of unused ones")
    func option() async throws {
        try await withStore { store, transfer in
            let attachment = try await add(1, to: store)
            try await transfer.uploadPending()
            store.excludesDownloadableAttachmentsFromBackup = false
            #expect(try store.removeUnusedAttachments() == 0)
            #expect(marks(of: attachment) == [true, false])
            try await transfer.upload(attachment)
            #expect(marks(of: attachment).last == false)
            store.excludesDownloadableAttachmentsFromBackup = true
            #expect(try store.removeUnusedAttachments() == 0)
            #expect(marks(of: attachment).last == true)
        }
    }
}
