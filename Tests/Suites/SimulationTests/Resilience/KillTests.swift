import Foundation
import LockstepStore
import Shop
import Testing
import TestSupport
import workbench

/// Each save is a step of ``Bookkeeping``, whose whole content is known: the content after a kill must be that of the
/// last acknowledged step or of the one after it, and nothing in between.
@Suite("Killing a process while it saves", .serialized)
struct KillTests {
    /// Opens the store as the app would after the crash, and checks everything.
    private func reopened(_ file: URL, sourceLocation: SourceLocation = #_sourceLocation) throws -> Bookkeeping? {
        let store = try Store(ShopSchema.self, at: .file(file))
        defer { try? store.close() }
        let (found, findings) = try store.writer.read { database in
            (try Bookkeeping(database), try Bookkeeping.findings(database))
        }
        guard let found else { return nil }
        #expect(findings == [], sourceLocation: sourceLocation)
        #expect(found == Bookkeeping.after(found.step), sourceLocation: sourceLocation)
        return found
    }

    @Test("Killed at any step of a wipe, a store that a killed process has left is whole or gone")
    func wipe() async throws {
        var kills = 0
        for step in 1... {
            let folder = try Folder()
            let writer = try ChildProcess("write", folder.file.path, "100000")
            for _ in 0..<5 { _ = try #require(writer.line()) }
            writer.kill()
            let saved = (writer.lines().last ?? "saved 4").split(separator: " ").last.flatMap { Int($0) }
            #expect(writer.wasKilled() && FileManager.default.fileExists(atPath: folder.file.path + "-wal"))
            let attachment = folder.file.path + "-attachments/attachment"
            try FileManager.default.createDirectory(
                atPath: folder.file.path + "-attachments", withIntermediateDirectories: true)
            try Data("bytes".utf8).write(to: URL(fileURLWithPath: attachment))
            try Data("copy".utf8).write(to: URL(fileURLWithPath: folder.file.path + ".before-3"))
            let child = try ChildProcess("wipe", folder.file.path, "\(step)")
            guard child.wasKilled() else { break }
            kills += 1
            let found = try reopened(folder.file)
            let isWhole = FileManager.default.fileExists(atPath: attachment)
            if step == 1 {
                #expect(isWhole && (found?.step == saved || found?.step == saved.map { $0 + 1 }))
            } else {
                #expect(!isWhole && (found == nil || found?.step == 0))
                let names = try FileManager.default.contentsOfDirectory(
                    atPath: folder.file.deletingLastPathComponent().path)
                #expect(!names.contains { $0.contains("wiped") || $0.contains("before") })
            }
            #expect(step < 20)
        }
        // The database, its attachments, three journals and a copy, and then what two of them were renamed to.
        #expect(kills == 8)
    }

    @Test("Killed repeatedly at random moments, a store keeps every acknowledged save completely")
    func randomKills() throws {
        let folder = try Folder()
        var random = SeededRandom(seed: 3)
        var last = 0
        for _ in 1...40 {
            let child = try ChildProcess("write", folder.file.path, "100000")
            var acknowledged = last
            for _ in 0...Int.random(in: 0...6, using: &random) {
                guard let line = child.line() else { break }
                acknowledged = try #require(line.split(separator: " ").last.flatMap { Int($0) })
            }
            // A moment somewhere in a later save.
            for _ in 0..<Int.random(in: 0...60_000, using: &random) { _ = random.next() }
            child.kill()
            for line in child.lines() {
                acknowledged = try #require(line.split(separator: " ").last.flatMap { Int($0) })
            }
            #expect(child.wasKilled())
            let found = try #require(try reopened(folder.file))
            #expect(found.step == acknowledged || found.step == acknowledged + 1)
            last = found.step
        }
        #expect(last > 40)
    }

    @Test("Killed before each statement of opening and saving, a store is intact")
    func eachStatement() throws {
        var survived = false
        var statement = 1
        var kills = 0
        while !survived {
            let folder = try Folder()
            let child = try ChildProcess("write", folder.file.path, "1", String(statement))
            let lines = child.lines()
            survived = child.finish()
            #expect(survived || child.wasKilled())
            let found = try reopened(folder.file)
            switch lines.last {
            case nil: #expect(found == nil || found == Bookkeeping.opened)
            case "opened 0": #expect(found?.step == 0 || found?.step == 1)
            default: #expect(found?.step == 1)
            }
            kills += survived ? 0 : 1
            statement += 1
        }
        #expect(kills > 40)
    }

    @Test("A truncated journal restores exactly the saves that are complete in it")
    func journalCutOff() async throws {
        let folder = try Folder()
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
        let store = try Store(ShopSchema.self, at: .file(folder.file), configuration: configuration)
        try await store.perform { try Bookkeeping.fill($0, steps: 12) }
        let file = try Data(contentsOf: folder.file)
        let journal = try Data(contentsOf: URL(fileURLWithPath: folder.file.path + "-wal"))
        var random = SeededRandom(seed: 5)
        // Longer journals must never restore less.
        let lengths = ([journal.count] + (0..<60).map { _ in Int.random(in: 0..<journal.count, using: &random) })
            .sorted()
        var last = -1
        for length in lengths {
            let crashed = try Folder()
            try file.write(to: crashed.file)
            var rest = journal.prefix(length)
            if Bool.random(using: &random) { rest += Data(repeating: 0xA5, count: 3000) }
            try rest.write(to: URL(fileURLWithPath: crashed.file.path + "-wal"))
            let step = try reopened(crashed.file)?.step ?? -1
            #expect(step >= last)
            last = max(last, step)
        }
        #expect(last == 12)
    }

    @Test("An interrupted transaction in a rollback journal is rolled back")
    func hotRollbackJournal() async throws {
        let folder = try Folder()
        try await folder.makeShop(steps: 3)
        let crashed = try Folder()
        let queue = try DatabaseQueue(path: folder.file.path)
        try queue.inDatabase { database in
            // As left by a tool without WAL support, and by one that writes before it commits.
            try database.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
            try database.execute(sql: "BEGIN; UPDATE product SET stock = 7; DELETE FROM article_comment")
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                    INSERT INTO article_comment SELECT i, 'spam', hex(randomblob(500)), 1 FROM n
                    """)
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(
                    atPath: folder.file.path + suffix, toPath: crashed.file.path + suffix)
            }
            try database.execute(sql: "ROLLBACK")
        }
        #expect(try reopened(crashed.file)?.step == 3)
    }

    /// `make kills-app` runs many.
    @Test(
        "An app killed while it saves, merges and pushes loses nothing, and sends nothing twice",
        arguments: [1, 2])
    func app(seed: UInt64) async throws {
        let outcome = try await AppKills(seed: seed).run(kills: 12, settlingEvery: 4)
        #expect(outcome.findings == [])
        #expect(outcome.kills == 12)
    }
}
