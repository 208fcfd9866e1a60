import Foundation
import LockstepEvolution
@testable import LockstepStore
import SchematicCapture
import Testing

@MainActor
@Suite("An attachment: a reference in the row, its bytes in a file beside the database")
struct AttachmentTests {
    private let bytes = someBytes(3000)

    @Test("A photo is saved, the row has the reference, and another context reads the bytes", arguments: Place.allCases)
    func saved(place: Place) async throws {
        try await place.withStore(SchematicCaptureSchema.self) { store in
            let photo = Photo(id: 1, name: "a.jpg", imageData: FileAttachment(bytes), context: store.mainContext)
            #expect(photo.imageData?.state == .unsaved && photo.imageData?.isDownloaded == true)
            try await store.mainContext.save()
            #expect(photo.imageData?.state == .here)
            let reference = try #require(photo.imageData?.reference)
            #expect(reference.hasPrefix("sha256-") && reference.hasSuffix("-3000"))
            #expect(try store.rows("SELECT image_data FROM photo") == [reference])
            let bytes = bytes
            try await store.perform { context in
                let attachment = try #require(try context.find(Photo.self, 1)?.imageData)
                #expect(try attachment.data() == bytes)
                #expect(try Data(contentsOf: attachment.url) == bytes)
            }
            let values = try await store.representations(Photo.all())
            #expect(try values.first?.imageData?.data() == bytes)
        }
    }

    @Test("The files of a store in memory go with it")
    func memory() throws {
        var url: URL?
        do {
            let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
            let photo = Photo(id: 1, name: "", imageData: FileAttachment(bytes), context: store.mainContext)
            try store.mainContext.save()
            url = try photo.imageData?.url
            #expect(FileManager.default.fileExists(atPath: try #require(url).path))
        }
        // The main context goes a moment after the store: its own test waits for that. Here its folder is enough.
        #expect(url?.deletingLastPathComponent().lastPathComponent.hasPrefix("lockstep-attachments-") == true)
    }

    @Test("The same bytes are kept once, whoever has them, and equal attachments change nothing")
    func once() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            let source = folder.appendingPathComponent("source.jpg")
            try bytes.write(to: source)
            let first = Photo(id: 1, name: "", imageData: FileAttachment(bytes), context: world.context)
            let second = Photo(
                id: 2, name: "", imageData: try FileAttachment(contentsOf: source), context: world.context)
            try world.context.save()
            #expect(world.names == [try #require(first.imageData?.contentHash)])
            #expect(first.imageData?.state == .here && second.imageData?.state == .here)
            #expect(world.incomingNames == [])
            first.imageData = FileAttachment(reference: try #require(first.imageData?.reference))
            #expect(!world.context.hasChanges)
            #expect(try first.imageData?.data() == bytes)
            first.imageData = FileAttachment(bytes)
            try world.context.save()
            #expect(world.names.count == 1)
        }
    }

    @Test("A reference whose bytes are not here says so, and its record is saved all the same")
    func missing() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            let reference = FileAttachment(bytes).reference
            let photo = Photo(id: 1, name: "", imageData: FileAttachment(reference: reference), context: world.context)
            try await world.context.save()
            #expect(photo.imageData?.state == .missing && photo.imageData?.isDownloaded == false)
            #expect(storeError { _ = try photo.imageData?.data() }?.code == .notDownloaded)
            #expect(storeError { _ = try photo.imageData?.url }?.code == .notDownloaded)
            // The bytes are found again on this device: that is a change, though the row stays the same.
            photo.imageData = FileAttachment(bytes)
            #expect(world.context.hasChanges)
            try await world.context.save()
            #expect(try await world.read(1) { try $0?.data() } == bytes)
        }
    }

    @Test("What is no reference is none")
    func references() {
        let hash = String(repeating: "0", count: 64)
        #expect(FileAttachment(reference: "sha256-\(hash)-0")?.byteCount == 0)
        let wrong = [
            "", "sha256", "sha256-\(hash)", "sha256-\(hash)-", "sha256-\(hash)--1", "sha256-\(hash)-01",
            "sha256-\(hash)-+1", "sha1-\(hash)-1", "sha256-\(hash)0-1", "sha256-\(hash.dropLast())A-1",
            "sha256-\(hash.dropLast())/-1", "sha256-\(hash)-99999999999999999999",
        ]
        for text in wrong { #expect(FileAttachment(reference: text) == nil, "\(text)") }
    }

    @Test("An unsaved attachment is taken back and done again with its bytes")
    func undo() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            let (one, two) = (someBytes(10, 1), someBytes(10, 2))
            let photo = Photo(id: 1, name: "", context: world.context)
            try await world.context.save()
            let history = world.context.enableUndo()
            photo.imageData = FileAttachment(one)
            photo.imageData = FileAttachment(two)
            history.undo()
            #expect(try photo.imageData?.data() == one)
            history.redo()
            #expect(try photo.imageData?.data() == two)
            history.undo()
            try await world.context.save()
            #expect(try await world.read(1) { try $0?.data() } == one)
        }
    }

    @Test("A child context hands the bytes to its parent, which saves them")
    func child() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            Photo(id: 1, name: "", context: world.context)
            try await world.context.save()
            do {
                let child = world.context.makeChild()
                try #require(try child.find(Photo.self, 1)).imageData = FileAttachment(bytes)
                Photo(id: 2, name: "", imageData: FileAttachment(someBytes(7)), context: child)
                try await child.save()
            }
            #expect(world.names == [])
            #expect(try world.photo(1)?.imageData?.data() == bytes)
            try await world.context.save()
            #expect(try await world.read(1) { try $0?.data() } == bytes)
            #expect(try await world.read(2) { try $0?.data() } == someBytes(7))
        }
    }

    @Test("An attachment of another store is copied")
    func otherStore() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            let other = try Store(SchematicCaptureSchema.self, at: .inMemory)
            let photo = Photo(id: 1, name: "", imageData: FileAttachment(bytes), context: other.mainContext)
            try other.mainContext.save()
            Photo(id: 1, name: "", imageData: photo.imageData, context: world.context)
            try world.context.save()
            #expect(try Data(contentsOf: world.folder.appendingPathComponent(world.names[0])) == bytes)
        }
    }

    @Test("Limits count the bytes")
    func limits() {
        let less = AttributeLimits(maximumLength: 2999)
        #expect(FileAttachment(bytes).violation(of: Limits(less)) == .longer(2999))
        let enough = AttributeLimits(minimumLength: 1, maximumLength: 3000)
        #expect(FileAttachment(bytes).violation(of: Limits(enough)) == nil)
    }
}
