import Foundation
import GRDB
import Journal
@testable import LockstepInspection
@testable import LockstepStore
import TestSupport
import Testing
@testable import lockstep

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

    @Test("A closed file is read with its empty journal, and nothing else appears beside it")
    func closed() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a b?c%.sqlite")
            try await makeStore(url).close()
            let before = try contents(folder)
            let report = try report(url)
            #expect(report.outbox?.count == 1 && report.entities?[0].rows == 1 && report.findings == [])
            #expect(try contents(folder) == before && before.count == 3)
        }
    }

    @Test("A file that an app has open is read with its journal, while the app writes")
    func open() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let store = try await makeStore(url)
            #expect(try report(url).outbox?.count == 1)
            let writer = _Concurrency.Task {
                for number in 0..<200 { try await add("\(number)", to: store) }
            }
            var counts: [Int] = []
            for _ in 0..<10 {
                let report = try report(url)
                #expect(report.outbox?.count == report.entities?[0].rows && report.unreadable == [])
                #expect(report.integrity.problems == [])
                counts.append(try #require(report.outbox).count)
            }
            try await writer.value
            #expect(counts == counts.sorted())
            #expect(try report(url).outbox?.count == 201)
            // The app is not locked out, and its journal can be copied into the file.
            try await store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try store.close()
            #expect(try report(url).outbox?.count == 201)
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
                #expect(try report(copied).outbox?.count == count, "\(name)")
                let after = try contents(copies)
                #expect(after.keys == before.keys && after["copy.sqlite"] == before["copy.sqlite"], "\(name)")
                #expect(after["copy.sqlite-wal"] == before["copy.sqlite-wal"], "\(name)")
            }
            try store.close()
        }
    }

    @Test("A copy is in a folder that only its user can read; those of processes that were killed are deleted")
    func temporaryCopies() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let store = try await makeStore(url)
            let copied = folder.appendingPathComponent("copy.sqlite")
            try copy(url, to: copied, ["", "-wal"])
            try store.close()
            let temporary = FileManager.default.temporaryDirectory
            // No process has this number: it is above the limit of every system.
            let abandoned = temporary.appendingPathComponent("lockstep-inspect-2147483646-x")
            let (other, running) = (
                temporary.appendingPathComponent("lockstep-inspect-me-\(UUID())"),
                temporary.appendingPathComponent("lockstep-inspect-\(getpid())-\(UUID())")
            )
            for folder in [abandoned, other, running] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            defer { for folder in [other, running] { try? FileManager.default.removeItem(at: folder) } }
            #expect(try report(copied).outbox?.count == 1)
            #expect(!FileManager.default.fileExists(atPath: abandoned.path))
            #expect([other, running].allSatisfy { FileManager.default.fileExists(atPath: $0.path) })

            let own = InspectedCopy()
            try own.make(of: copied.path)
            defer { own.delete() }
            let attributes = try FileManager.default.attributesOfItem(
                atPath: own.file.deletingLastPathComponent().path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
            #expect(own.file.path.contains("/lockstep-inspect-\(getpid())-"))
        }
    }

    // MARK: Other files

    @Test("A file of version 0.1.0 of the library, which does not describe its entities")
    func earlierLibrary() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let fixture = Documentation.root.appendingPathComponent(
                "Tests/Suites/LockstepStoreTests/Migration/Fixtures/Journal-0.1.0.sqlite")
            try FileManager.default.copyItem(at: fixture, to: url)
            let report = try report(url)
            #expect(!report.schema.isDescribed && report.schema.name == "Journal" && report.schema.version == 1)
            #expect(report.entities?.map(\.name) == ["Entry"] && report.entities?[0].rows == 5)
            let outbox = try #require(report.outbox)
            #expect(outbox.count == 3 && report.unreadable == [])
            #expect(Set(outbox.changes.map(\.kind)) == [.create, .update, .delete])
            #expect(outbox.changes.contains { $0.changed == ["body_text"] })
            #expect(outbox.changes.allSatisfy { UUID(uuidString: $0.record) != nil && !$0.isUnclaimed })
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
            try store.close()
            try damage("entry", in: url)
            let report = try report(url)
            #expect(report.findings[0].severity == .error && report.findings.contains { $0.code == .unreadable })
            #expect(report.schema.name == "Journal" && !report.unreadable.isEmpty)
            // Each problem is one, without SQLite's headings.
            #expect(report.integrity.problems.allSatisfy { !$0.contains("\n") && !$0.contains("*** in database") })
            // Not even the description of the tables.
            try Data(contentsOf: url).prefix(200).write(to: url)
            #expect([.damaged, .notADatabase].contains(try code(url)))
        }
    }

    /// Overwrites the first page of a table.
    private func damage(_ table: String, in url: URL) throws {
        let queue = try DatabaseQueue(path: url.path)
        let root = try queue.read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [table]) ?? 0
        }
        try queue.close()
        let handle = try FileHandle(forWritingTo: url)
        try handle.seek(toOffset: UInt64((root - 1) * 4096))
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try handle.close()
    }

    @Test("A part that cannot be read is not an empty one: it says so, and has no key in the JSON")
    func unreadableParts() async throws {
        for (table, key, title) in [
            ("lockstep_outbox", "outbox", "Pending"), ("lockstep_leftover", "leftovers", "Leftovers"),
            ("lockstep_conflict", "conflicts", "Conflicts"), ("lockstep_validator", "sync", "State of the sync"),
        ] {
            try await withTemporaryFolder { folder in
                let url = folder.appendingPathComponent("journal.sqlite")
                try await makeStore(url).close()
                try damage(table, in: url)
                let report = try report(url)
                let json = try JSONSerialization.jsonObject(with: report.json()) as? [String: Any]
                #expect(json?["format"] != nil && json?[key] == nil, "\(table)")
                let (text, page) = (InspectionText(report).text, InspectionPage(report).text)
                #expect(text.contains("\n\n\(title): could not be read ("), "\(text)")
                #expect(page.contains("<h2>\(title)</h2>\n<p><span class=\"warning\">error</span> could not be read ("))
                #expect(!page.contains("Nothing is pending.") || key != "outbox")
                let isCounted = key != "outbox"
                #expect(text.contains("? pending, ? parked") != isCounted)
                #expect(page.contains("<td class=\"number\">?</td><td class=\"number\">?</td>") != isCounted)
            }
        }
    }

    @Test("SQLite's problems are one in each element: a row with a heading and two lines is two")
    func problems() {
        let lines = ["*** in database main ***", "Tree 5 page 5: btreeInitPage() returns error code 11"]
        let rows = [(lines + ["Page 9: never used"]).joined(separator: "\n"), "x"]
        #expect(
            InspectionReader.problems(in: rows) == [
                "Tree 5 page 5: btreeInitPage() returns error code 11", "Page 9: never used", "x",
            ])
        var report = InspectionReport(at: Self.now, file: .init(), schema: .example)
        report.integrity.problems = InspectionReader.problems(in: rows)
        #expect(
            InspectionFinding.all(in: report).first?.text
                == "The file is damaged: Tree 5 page 5: btreeInitPage() returns error code 11, and 2 other problems.")
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
            #expect(report.outbox?.count == 10_000 && report.outbox?.changes.count == 10_000)
            #expect(text.split(separator: "\n").count < 60 && text.contains("… and 9,980 more changes"))
        }
    }
}

extension InspectionReport.Schema {
    static let example = InspectionReport.Schema(
        name: "Journal", version: 1, fingerprint: "0123456789abcdef", isDescribed: true, hasCopy: false)
}
