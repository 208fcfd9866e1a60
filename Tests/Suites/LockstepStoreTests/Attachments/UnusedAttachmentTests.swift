import Foundation
@testable import LockstepStore
import SchematicCapture
import Testing

@MainActor
@Suite("Files that nothing refers to, backups and moving")
struct UnusedAttachmentTests {
    /// Saves three photos, of which two have the same bytes.
    private func fill(_ world: AttachmentWorld) throws {
        for (id, seed) in [(1, 1), (2, 1), (3, 3)] {
            Photo(
                id: Int32(id), name: "", imageData: FileAttachment(someBytes(50, UInt8(seed))), context: world.context)
        }
        try world.context.save()
    }

    @Test("A deleted record's file goes, unless another record has the same bytes")
    func deleted() async throws {
        try await withFolder { folder in
            var world = try AttachmentWorld(in: folder)
            try fill(world)
            for id: Int32 in [1, 3] { world.context.delete(try #require(try world.photo(id))) }
            try await world.context.save()
            #expect(world.names.count == 2)
            world = try world.reopened()
            #expect(try world.store.removeUnusedAttachments() == 1)
            #expect(world.names == [FileAttachment(someBytes(50, 1)).contentHash])
            #expect(try await world.read(2) { try $0?.data() } == someBytes(50, 1))
            #expect(try world.store.removeUnusedAttachments() == 0)
        }
    }

    @Test("What an object in memory refers to stays, though its record is gone")
    func inUse() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            try fill(world)
            let kept = try #require(try world.photo(3)?.imageData)
            try await world.store.perform { context in
                context.delete(try #require(try context.find(Photo.self, 3)))
                try context.save()
            }
            try world.store.removeUnusedAttachments()
            #expect(try kept.data() == someBytes(50, 3))
            Photo(id: 4, name: "", imageData: kept, context: world.context)
            try await world.context.save()
            #expect(try await world.read(4) { try $0?.data() } == someBytes(50, 3))
        }
    }

    @Test("What a record had before a change that was not sent stays: discarding the change needs it")
    func base() async throws {
        try await withFolder { folder in
            var world = try AttachmentWorld(in: folder)
            try fill(world)
            let base = OutboxTables.base(of: Photo.entity.plan)
            try await world.store.writer.write { database in
                // The server has all that was made.
                try database.execute(sql: "DELETE FROM \(OutboxTables.outbox)")
                try database.execute(sql: "DELETE FROM photo WHERE id = 3")
            }
            world = try world.reopened()
            #expect(try world.store.removeUnusedAttachments() == 0)
            try await world.store.writer.write { try $0.execute(sql: "DELETE FROM \(base)") }
            #expect(try world.store.removeUnusedAttachments() == 1)
        }
    }

    @Test("What is not ours in the folder stays")
    func strangers() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            try fill(world)
            try Data().write(to: world.folder.appendingPathComponent("notes.txt"))
            try world.store.removeUnusedAttachments()
            #expect(world.names.contains("notes.txt"))
        }
    }

    @Test("A backup has the files that are here, and a moved store finds its own")
    func backup() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            try fill(world)
            Photo(
                id: 9, name: "", imageData: FileAttachment(reference: FileAttachment(someBytes(1)).reference),
                context: world.context)
            try world.context.save()
            let places = [
                folder.appendingPathComponent("backup.sqlite"), folder.appendingPathComponent("moved.sqlite"),
            ]
            try world.store.backup(to: places[0])
            try world.store.close()
            try FileManager.default.moveItem(at: world.file, to: places[1])
            try FileManager.default.moveItem(
                at: world.folder, to: folder.appendingPathComponent("moved.sqlite-attachments"))
            for place in places {
                let store = try Store(SchematicCaptureSchema.self, at: .file(place))
                try store.checkIntegrity()
                #expect(try store.mainContext.find(Photo.self, 3)?.imageData?.data() == someBytes(50, 3))
                #expect(try store.mainContext.find(Photo.self, 9)?.imageData?.state == .missing)
                try store.close()
            }
        }
    }

    @Test("A backup whose attachments cannot be copied leaves nothing")
    func failedBackup() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            try fill(world)
            try someBytes(50, 7).write(to: try #require(try world.photo(3)?.imageData?.url))
            let backup = folder.appendingPathComponent("backup.sqlite")
            #expect(storeError { try world.store.backup(to: backup) }?.code == .damaged)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.contains("backup") || $0.hasSuffix(".part") })
        }
    }
}
