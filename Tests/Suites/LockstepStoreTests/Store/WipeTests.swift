import Foundation
import GRDB
import Journal
import LockstepSystem
import SchematicCapture
import TestSupport
import Testing

@testable import LockstepStore

/// Deleting a store with everything that belongs to it.
@Suite("Wiping a store")
@MainActor
struct WipeTests {
    private struct Stop: Error {}

    /// A store of two photos with their files, a journal, and the copy from before a migration.
    private func fill(_ folder: URL) throws -> AttachmentWorld {
        let world = try AttachmentWorld(in: folder)
        for id in 1...2 {
            let bytes = someBytes(1_000, UInt8(id))
            _ = Photo(id: Int32(id), name: "photo \(id)", imageData: FileAttachment(bytes), context: world.context)
        }
        try world.context.save()
        for suffix in [".before-3", ".before-3-wal"] {
            try Data("copy".utf8).write(to: URL(fileURLWithPath: world.file.path + suffix))
        }
        return world
    }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("Nothing is left of it, and other files stay")
    func everything() async throws {
        try await withTemporaryFolder { folder in
            let world = try fill(folder)
            let others = ["capture.sqlite2", "other.sqlite", "capture.sqlite.before-x", "capture.sqlite.before-3.txt"]
            for name in others { try Data().write(to: folder.appendingPathComponent(name)) }
            try world.store.wipe()
            #expect(try names(folder) == others.sorted())
            #expect(throws: StoreError.self) { try world.context.fetch(Photo.all()) }
            // There is nothing to wipe, and a new store is empty.
            try Store.wipe(at: world.file)
            let store = try Store(SchematicCaptureSchema.self, at: .file(world.file))
            #expect(try store.mainContext.count(Photo.all()) == 0)
            try store.close()
        }
    }

    @Test("A wipe that ends at any step leaves a store that is whole or gone, and the rest is deleted later")
    func stopped() async throws {
        var outcomes: [Bool] = []
        for step in 1... {
            var steps = 0
            let isDone = try await withTemporaryFolder { folder in
                let world = try fill(folder)
                try world.store.close()
                // The journal of a process that was killed.
                try Data().write(to: URL(fileURLWithPath: world.file.path + "-wal"))
                do {
                    let wipe = StoreWipe(
                        of: world.file,
                        willDo: { _ in
                            steps += 1
                            if steps == step { throw Stop() }
                        })
                    try wipe.run()
                    return true
                } catch is Stop {}
                let again = try AttachmentWorld(in: folder)
                let count = try again.context.count(Photo.all())
                outcomes.append(count == 2)
                if count == 2 {
                    try again.store.checkIntegrity()
                    #expect(try again.photo(1)?.imageData?.data() == someBytes(1_000, 1))
                } else {
                    #expect(count == 0 && again.names.isEmpty)
                    #expect(try names(folder).filter { $0.contains("wiped") || $0.contains("before") } == [])
                }
                // A new store is not affected by what is cleaned up.
                try again.store.close()
                try Store.wipe(at: world.file)
                #expect(try names(folder) == [])
                return false
            }
            if isDone { break }
        }
        // Renaming the database is the step that decides.
        #expect(outcomes == [true] + Array(repeating: false, count: 8))
    }

    @Test("A store that is open somewhere is not deleted")
    func open() async throws {
        try await withTemporaryFolder { folder in
            let world = try fill(folder)
            let before = try names(folder)
            let error = #expect(throws: StoreError.self) { try Store.wipe(at: world.file) }
            #expect(error?.code == .busy)
            #expect(try names(folder) == before)
            #expect(try world.photo(2)?.imageData?.data() == someBytes(1_000, 2))
            try world.store.close()
            try Store.wipe(at: world.file)
            #expect(try names(folder) == [])
        }
    }

    @Test("A damaged file is deleted, too, and so is what remains of a file that was deleted otherwise")
    func damaged() async throws {
        try await withTemporaryFolder { folder in
            let world = try fill(folder)
            try world.store.close()
            try Data(repeating: 7, count: 10_000).write(to: world.file)
            try Store.wipe(at: world.file)
            #expect(try names(folder) == [])
            let other = try fill(folder)
            try other.store.close()
            try FileManager.default.removeItem(at: other.file)
            try Store.wipe(at: other.file)
            #expect(try names(folder) == [])
        }
    }

    @Test("Behind a link, the file itself is deleted")
    func link() async throws {
        try await withTemporaryFolder { folder in
            let world = try fill(folder)
            try world.store.close()
            let link = folder.appendingPathComponent("link.sqlite")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: world.file)
            try Store.wipe(at: link)
            #expect(try names(folder) == ["link.sqlite"])
        }
    }

    @Test("A store that is closed already can be closed and wiped again")
    func twice() async throws {
        try await withTemporaryFolder { folder in
            let world = try fill(folder)
            try world.store.close()
            try world.store.close()
            try world.store.wipe()
            try world.store.close()
            #expect(try names(folder) == [])
        }
    }

    @Test("A store in memory is closed")
    func inMemory() throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try store.wipe()
        #expect(throws: StoreError.self) { try store.mainContext.count(Entry.all()) }
    }

    @Test("A folder is not deleted, nor what is in it")
    func aFolder() async throws {
        try await withTemporaryFolder { folder in
            try Data("mine".utf8).write(to: folder.appendingPathComponent("other.txt"))
            let error = #expect(throws: StoreError.self) { try Store.wipe(at: folder) }
            #expect(error?.code == .cannotOpen)
            #expect(try names(folder) == ["other.txt"])
        }
    }

    @Test("The file is opened with the app's configuration, such as with its key")
    func configuration() async throws {
        try await withTemporaryFolder { folder in
            let world = try fill(folder)
            try world.store.close()
            let isUsed = Locked(false)
            var configuration = Configuration()
            // A store that only reads can be wiped, too.
            configuration.readonly = true
            configuration.prepareDatabase { _ in isUsed.withLock { $0 = true } }
            try Store.wipe(at: world.file, configuration: configuration)
            #expect(isUsed.withLock { $0 })
            #expect(try names(folder) == [])
        }
    }

    @Test("What another process saves before the file is locked is seen by the condition, and nothing is deleted")
    func condition() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("journal.sqlite")
            let store = try Store(JournalSchema.self, at: .file(file))
            let other = try Store(JournalSchema.self, at: .file(file))
            Entry(title: "theirs", context: other.mainContext)
            try other.mainContext.save()
            try other.close()
            #expect(throws: Stop.self) {
                try store.wipe(if: { (outbox: OutboxStatus) in if outbox.count > 0 { throw Stop() } })
            }
            let again = try Store(JournalSchema.self, at: .file(file))
            #expect(try again.mainContext.fetch(Entry.all()).map(\.title) == ["theirs"])
            try again.close()
        }
    }

    @Test("While a wipe runs, nobody opens a store there: its folder is locked in each step")
    func locked() async throws {
        try await withTemporaryFolder { folder in
            let world = try fill(folder)
            try world.store.close()
            var steps = 0
            let wipe = StoreWipe(
                of: world.file,
                willDo: { _ in
                    steps += 1
                    let descriptor = Foundation.open(folder.path, O_RDONLY)
                    defer { Foundation.close(descriptor) }
                    #expect(flock(descriptor, LOCK_SH | LOCK_NB) != 0)
                })
            try wipe.run()
            #expect(steps == 9)
        }
    }

    @Test("Threads that wipe a store and open a new one there at the same time do not delete each other's")
    nonisolated func crowd() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("journal.sqlite")
            let opened = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        var opened = 0
                        for _ in 0..<40 {
                            let store = try Store(JournalSchema.self, at: .file(file))
                            do {
                                try await store.perform { context in
                                    Entry(title: "mine", context: context)
                                    try context.save()
                                }
                                try store.checkIntegrity()
                                opened += 1
                                try store.wipe()
                            } catch let error as StoreError where error.code == .busy {
                                // The other thread uses the same store.
                                try? store.close()
                            }
                        }
                        return opened
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(opened >= 40)
            try Store.wipe(at: file)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }
}
