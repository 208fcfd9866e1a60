import Foundation
@testable import LockstepStore
import SchematicCapture
import TestSupport
import Testing

/// Links in place of the folders and files of attachments.
@MainActor
@Suite("F2 Links among the files of attachments")
struct LinkedFolderTests {
    /// A folder of somebody else, with a file whose name is a hash.
    private func makeVictim(_ folder: URL) throws -> URL {
        let victim = folder.appendingPathComponent("elsewhere", isDirectory: true)
        try FileManager.default.createDirectory(at: victim, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: victim.appendingPathComponent(String(repeating: "a", count: 64)))
        return victim
    }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func code(_ body: () throws -> Void) -> StoreError.Code? {
        (#expect(throws: StoreError.self) { try body() })?.code
    }

    @Test(
        "F2 Nothing is written or removed behind a link in place of the folder, or of the one in it",
        arguments: Seeds.some(4, of: UInt64(0)...99))
    func linked(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let (isInner, isRelative) = (random.isOne(in: 2), random.isOne(in: 2))
        let count = Int.random(in: 1...5_000, using: &random)
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            let victim = try makeVictim(folder)
            let link = isInner ? world.incoming : world.folder
            if isInner {
                try FileManager.default.createDirectory(at: world.folder, withIntermediateDirectories: true)
            }
            let target = isRelative ? "\(isInner ? "../" : "")\(victim.lastPathComponent)" : victim.path
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
            #expect(try names(link.resolvingSymlinksInPath()) == names(victim))
            let before = try names(victim)
            let photo = Photo(id: 1, name: "", imageData: FileAttachment(someBytes(count)), context: world.context)
            #expect(code { try world.context.save() } == .inputOutput)
            world.context.delete(photo)
            try world.context.save()
            #expect(code { _ = try world.store.removeUnusedAttachments() } == .inputOutput)
            #expect(try names(victim) == before)
        }
    }

    @Test("F2 Wiping a store says so if its attachments are behind a link, instead of leaving them there")
    func wipe() async throws {
        try await withFolder { folder in
            let world = try AttachmentWorld(in: folder)
            Photo(id: 1, name: "", imageData: FileAttachment(someBytes(50)), context: world.context)
            try world.context.save()
            let elsewhere = folder.appendingPathComponent("elsewhere", isDirectory: true)
            try FileManager.default.moveItem(at: world.folder, to: elsewhere)
            try FileManager.default.createSymbolicLink(at: world.folder, withDestinationURL: elsewhere)
            let before = try names(elsewhere)
            #expect(code { try world.store.wipe() } == .cannotOpen)
            #expect(try names(elsewhere) == before)
            // Nothing was deleted.
            let again = try AttachmentWorld(in: folder)
            #expect(try again.context.count(Photo.all()) == 1)
            try FileManager.default.removeItem(at: world.folder)
            try FileManager.default.moveItem(at: elsewhere, to: world.folder)
            #expect(try again.photo(1)?.imageData?.data() == someBytes(50))
            try again.store.wipe()
            #expect(try names(folder).isEmpty)
        }
    }

    @Test("F2 A link in place of a file is not the file, and is not followed when unused files are removed")
    func linkedFile() async throws {
        try await withFolder { folder in
            var world = try AttachmentWorld(in: folder)
            let attachment = FileAttachment(someBytes(50))
            Photo(id: 1, name: "", imageData: attachment, context: world.context)
            try world.context.save()
            world = try world.reopened()
            let (file, victim) = (world.folder.appendingPathComponent(attachment.contentHash), try makeVictim(folder))
            let secret = victim.appendingPathComponent("secret")
            try FileManager.default.moveItem(at: file, to: secret)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: secret)
            #expect(try world.photo(1)?.imageData?.isDownloaded == false)
            world.context.delete(try #require(try world.photo(1)))
            try world.context.save()
            world = try world.reopened()
            try world.store.removeUnusedAttachments()
            #expect(try names(victim).count == 2)
        }
    }
}
