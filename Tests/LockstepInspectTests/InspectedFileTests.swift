import Foundation
import GRDB
import Journal
@testable import LockstepStore
import TestSupport
import Testing

/// How a file is read, and that it stays as it was.
@Suite("Inspected files")
struct InspectedFileTests {
    private static let now = InspectionStage.now

    /// Makes a store with one pending entry.
    private func makeStore(_ url: URL, title: String = "One") async throws -> Store {
        let store = try Store(JournalSchema.self, at: .file(url))
        try await add(title, to: store)
        return store
    }

    private func add(_ title: String, to store: Store) async throws {
        try await store.perform { context in
            Entry(title: title, context: context)
            try context.save()
        }
    }

    private func report(_ url: URL) throws -> InspectionReport {
        try InspectedFile(url).report(InspectionOptions(at: Self.now))
    }

    private func code(_ url: URL) throws -> StoreError.Code? {
        do { _ = try report(url) } catch let error as StoreError { return error.code }
        return nil
    }

    /// The files of a folder with their contents.
    private func contents(_ folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
    }

    private func copy(_ url: URL, to other: URL, _ suffixes: [String]) throws {
        for suffix in suffixes {
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: other.path + suffix)
        }
    }

    // MARK: Journals

    @Test("A closed file is read alone, and nothing appears beside it")
    func closed() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a b?c%.sqlite")
            try await makeStore(url).close()
            let before = try contents(folder)
            let report = try report(url)
            #expect(report.outbox.count == 1 && report.entities[0].rows == 1 && report.findings == [])
            #expect(try contents(folder) == before && before.count == 1)
        }
    }

    @Test("A file that an app has open is read with its journal, while the app writes")
    func open() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let store = try await makeStore(url)
            #expect(try report(url).outbox.count == 1)
            let writer = _Concurrency.Task {
                for number in 0..<200 { try await add("\(number)", to: store) }
            }
            var counts: [Int] = []
            for _ in 0..<10 {
                let report = try report(url)
                #expect(report.outbox.count == report.entities[0].rows && report.unreadable == [])
                #expect(report.integrity.problems == [])
                counts.append(report.outbox.count)
            }
            try await writer.value
            #expect(counts == counts.sorted())
            #expect(try report(url).outbox.count == 201)
            // The app is not locked out, and its journal can be copied into the file.
            try await store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try store.close()
            #expect(try report(url).outbox.count == 201)
        }
    }

    @Test("A copy without its journal is read as it is; one with its journal is read with it, and stays as it was")
    func copies() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let store = try await makeStore(url)
            try await store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try await add("Two", to: store)
            for (name, suffixes, count) in [
                ("alone", [""], 1), ("both", ["", "-wal"], 2), ("all", ["", "-wal", "-shm"], 2),
            ] {
                let copies = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: false)
                let copied = copies.appendingPathComponent("copy.sqlite")
                try copy(url, to: copied, suffixes)
                let before = try contents(copies)
                #expect(try report(copied).outbox.count == count, "\(name)")
                let after = try contents(copies)
                #expect(after.keys == before.keys && after["copy.sqlite"] == before["copy.sqlite"], "\(name)")
                #expect(after["copy.sqlite-wal"] == before["copy.sqlite-wal"], "\(name)")
            }
            try store.close()
        }
    }

    @Test("A file is read in a folder that cannot be written, with and without a journal", .enabled(if: geteuid() != 0))
    func readOnlyFolder() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let store = try await makeStore(url)
            try await store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try await add("Two", to: store)
            for (name, suffixes, count) in [("alone", [""], 1), ("both", ["", "-wal"], 2)] {
                let locked = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: false)
                try copy(url, to: locked.appendingPathComponent("copy.sqlite"), suffixes)
                try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: locked.path)
                defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: locked.path) }
                #expect(try report(locked.appendingPathComponent("copy.sqlite")).outbox.count == count)
            }
            try store.close()
        }
    }

    // MARK: Other files

    @Test("A file of version 0.1.0 of the library, which does not describe its entities")
    func earlierLibrary() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let fixture = Documentation.root.appendingPathComponent(
                "Tests/MigrationTests/Fixtures/Journal-0.1.0.sqlite")
            try FileManager.default.copyItem(at: fixture, to: url)
            let report = try report(url)
            #expect(!report.schema.isDescribed && report.schema.name == "Journal" && report.schema.version == 1)
            #expect(report.entities.map(\.name) == ["Entry"] && report.entities[0].rows == 5)
            #expect(report.outbox.count == 3 && report.unreadable == [])
            #expect(Set(report.outbox.changes.map(\.kind)) == [.create, .update, .delete])
            #expect(report.outbox.changes.contains { $0.changed == ["body_text"] })
            #expect(report.outbox.changes.allSatisfy { UUID(uuidString: $0.record) != nil && !$0.isUnclaimed })
            #expect(!report.findings.contains { $0.severity == .error })
        }
    }

    @Test("What is no store is refused, with what to do")
    func refusals() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("file")
            #expect(try code(url) == .cannotOpen)
            #expect(try code(folder) == .cannotOpen)
            try Data().write(to: url)
            #expect(try code(url) == .notADatabase)
            try Data(
                "This is not a database, but a text of more than a hundred bytes, as there are many of them in the world."
                    .utf8
            ).write(to: url)
            #expect(try code(url) == .notADatabase)
            try FileManager.default.removeItem(at: url)
            let queue = try DatabaseQueue(path: url.path)
            try await queue.write { try $0.execute(sql: "CREATE TABLE note (text TEXT)") }
            try queue.close()
            #expect(try code(url) == .notAStore)
        }
    }

    @Test("Of a damaged file, the parts that can be read are reported")
    func damaged() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let store = try await makeStore(url)
            try await store.perform { context in
                for number in 0..<500 { Entry(title: "Title \(number)", context: context) }
                try context.save()
            }
            let root = try await store.writer.read {
                try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'entry'") ?? 0
            }
            try store.close()
            let handle = try FileHandle(forWritingTo: url)
            try handle.seek(toOffset: UInt64((root - 1) * 4096))
            try handle.write(contentsOf: Data(repeating: 0xA5, count: 4096))
            try handle.close()
            let report = try report(url)
            #expect(report.findings[0].severity == .error && report.findings.contains { $0.code == .unreadable })
            #expect(report.schema.name == "Journal" && !report.unreadable.isEmpty)
            // Not even the description of the tables.
            try Data(contentsOf: url).prefix(200).write(to: url)
            #expect([.damaged, .notADatabase].contains(try code(url)))
        }
    }

    @Test("10,000 pending changes are inspected within seconds")
    func many() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            try await InspectionStage.makeMany(10_000, at: url)
            let start = ContinuousClock.now
            let report = try report(url)
            let text = InspectionText(report).text
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(report.outbox.count == 10_000 && report.outbox.changes.count == 10_000)
            #expect(text.split(separator: "\n").count < 60 && text.contains("… and 9,980 more changes"))
        }
    }
}
