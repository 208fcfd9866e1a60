import Foundation
import GRDB
import Journal
import LockstepStore
import Testing

// The Swift of Opening.md.

@MainActor
@Suite("The page about opening a store")
struct OpeningSnippets {
    @Test("A store in a folder of its own, with backup and check")
    func folder() throws {
        let temporary = try SnippetFolder()
        defer { temporary.remove() }
        let support = temporary.url
        // snippet
        let folder = support.appendingPathComponent("Journal", isDirectory: true)  // in Application Support
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try Store(JournalSchema.self, at: .file(folder.appendingPathComponent("journal.sqlite")))
        // end
        // snippet
        try store.backup(to: folder.appendingPathComponent("backup.sqlite"))  // never replaces a file
        try store.checkIntegrity()  // reads everything; throws `.damaged` if the file is damaged
        // end
        // snippet
        try store.writer.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
        }
        // end
        let synchronous = try store.writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        #expect(synchronous == 2)
        #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("backup.sqlite").path))
        Entry(title: "Hello", context: store.mainContext)
        // snippet
        do {
            try store.mainContext.save()
        } catch let error as StoreError where error.code == .diskFull {
            // Ask the user to free some space, then save again: the changes are still there.
        }
        // end
        #expect(!store.mainContext.hasChanges)
    }

    @Test("A configuration")
    func configuration() throws {
        let temporary = try SnippetFolder()
        defer { temporary.remove() }
        let url = temporary.url.appendingPathComponent("journal.sqlite")
        // snippet
        var configuration = Configuration()
        configuration.label = "Journal"
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -8000")
        }
        let store = try Store(JournalSchema.self, at: .file(url), configuration: configuration)
        // end
        let size = try store.writer.read { try Int.fetchOne($0, sql: "PRAGMA cache_size") }
        #expect(size == -8000)
    }

    @Test("A file whose schema is not trusted")
    func trust() throws {
        let temporary = try SnippetFolder()
        defer { temporary.remove() }
        let url = temporary.url.appendingPathComponent("journal.sqlite")
        var configuration = Configuration()
        // snippet
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
        }
        // end
        let store = try Store(JournalSchema.self, at: .file(url), configuration: configuration)
        #expect(try store.writer.read { try Bool.fetchOne($0, sql: "PRAGMA trusted_schema") } == false)
    }

    /// Compiled only: its effect can only be seen on a device.
    func protect(_ folder: URL) throws {
        // snippet
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication])
        #endif
        // end
    }
}
