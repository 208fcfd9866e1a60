import Foundation
@testable import LockstepStore
import SchematicCapture
import Testing

@MainActor
@Suite("Files of attachments are never half visible")
struct AttachmentFileTests {
    private let bytes = someBytes(3000)

    @Test("A process dies while it saves: what it left is no attachment, and goes when it is a day old")
    func leftovers() async throws {
        try await withFolder { folder in
            var world = try AttachmentWorld(in: folder)
            let photo = Photo(id: 1, name: "", imageData: FileAttachment(bytes), context: world.context)
            try await world.context.save()
            let hash = try #require(photo.imageData?.contentHash)
            try FileManager.default.createDirectory(at: world.incoming, withIntermediateDirectories: true)
            for (name, days) in [("young.new", 0.0), ("old.new", 2), ("\(hash).part", 2)] {
                let url = world.incoming.appendingPathComponent(name)
                try bytes.prefix(100).write(to: url)
                let date = Date(timeIntervalSinceNow: -86_400 * days)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
            }
            world = try world.reopened()
            #expect(world.incomingNames == ["\(hash).part", "young.new"])
            #expect(try await world.read(1) { try $0?.data() } == bytes)
            // A part of what is here already is of no use.
            try world.store.removeUnusedAttachments()
            #expect(world.incomingNames == ["young.new"] && world.names == [hash])
        }
    }

    @Test("A file that was cut off is missing, not half there")
    func truncated() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            let photo = Photo(id: 1, name: "", imageData: FileAttachment(bytes), context: world.context)
            try world.context.save()
            let url = try #require(try photo.imageData?.url)
            try bytes.prefix(2999).write(to: url)
            #expect(photo.imageData?.state == .missing)
            #expect(storeError { _ = try photo.imageData?.url }?.code == .notDownloaded)
            #expect(storeError { try world.store.checkIntegrity() }?.code == .damaged)
            #expect(storeError { _ = try photo.imageData?.data() }?.code == .damaged)
            // The same bytes again repair it.
            photo.imageData = FileAttachment(bytes)
            try world.context.save()
            #expect(try photo.imageData?.data() == bytes)
            try world.store.checkIntegrity()
        }
    }

    @Test("A file with other bytes is refused, and put aside so that it can be downloaded again")
    func wrongBytes() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            let photo = Photo(id: 1, name: "", imageData: FileAttachment(bytes), context: world.context)
            try world.context.save()
            try someBytes(3000, 9).write(to: try #require(try photo.imageData?.url))
            #expect(storeError { try world.store.checkIntegrity() }?.code == .damaged)
            #expect(storeError { _ = try photo.imageData?.data() }?.code == .damaged)
            #expect(photo.imageData?.state == .missing)
            #expect(world.incomingNames.map { $0.hasSuffix(".damaged") } == [true])
            #expect(storeError { _ = try photo.imageData?.data() }?.code == .notDownloaded)
        }
    }

    @Test("A save that fails leaves no file and no row, and can be done again")
    func failedSave() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            try await world.store.writer.write {
                try $0.execute(
                    sql: """
                        CREATE TRIGGER no_photo BEFORE INSERT ON photo BEGIN SELECT RAISE(ABORT, 'not now'); END
                        """)
            }
            let photo = Photo(id: 1, name: "", imageData: FileAttachment(bytes), context: world.context)
            #expect(storeError { try world.context.save() } != nil)
            // It had its name before the row was refused; no row refers to it.
            #expect(world.incomingNames == [])
            #expect(photo.imageData?.state == .unsaved)
            #expect(try world.store.rows("SELECT id FROM photo") == [])
            try await world.store.writer.write { try $0.execute(sql: "DROP TRIGGER no_photo") }
            try world.store.removeUnusedAttachments()
            try await world.context.save()
            #expect(try await world.read(1) { try $0?.data() } == bytes)
        }
    }

    @Test("A folder that cannot be made fails the save, and nothing is changed")
    func noFolder() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            try Data().write(to: world.folder)
            let photo = Photo(id: 1, name: "", imageData: FileAttachment(bytes), context: world.context)
            let error = storeError { try world.context.save() }
            #expect(error?.code == .inputOutput)
            #expect(try world.store.rows("SELECT id FROM photo") == [])
            #expect(world.context.hasChanges && photo.imageData?.state == .unsaved)
            try FileManager.default.removeItem(at: world.folder)
            try world.context.save()
            #expect(world.names.count == 1)
        }
    }

    @Test("The file that an attachment was made of has changed before the save: the save fails")
    func changedSource() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            let source = folder.appendingPathComponent("source.jpg")
            try bytes.write(to: source)
            Photo(id: 1, name: "", imageData: try FileAttachment(contentsOf: source), context: world.context)
            try someBytes(3000, 5).write(to: source)
            #expect(storeError { try world.context.save() }?.code == .inputOutput)
            #expect(world.names == [] && world.incomingNames == [])
            try bytes.write(to: source)
            try await world.context.save()
            try FileManager.default.removeItem(at: source)
            #expect(try await world.read(1) { try $0?.data() } == bytes)
            #expect(storeError { _ = try FileAttachment(contentsOf: source) }?.code == .inputOutput)
        }
    }

    @Test("A large file is read and written in pieces")
    func large() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            let source = folder.appendingPathComponent("film.mov")
            let size = FilePieces.pieceSize * 5 + 1
            try someBytes(size).write(to: source)
            var pieces: [Int] = []
            try FilePieces.read(source) { pieces.append($0.count) }
            #expect(pieces == Array(repeating: FilePieces.pieceSize, count: 5) + [1])
            let attachment = try FileAttachment(contentsOf: source)
            #expect(attachment.byteCount == size)
            Photo(id: 1, name: "", imageData: attachment, context: world.context)
            try world.context.save()
            #expect(FilePieces.size(try attachment.url) == size && attachment.state == .here)
            #expect(try attachment.url != source)
        }
    }
}
