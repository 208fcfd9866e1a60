import Foundation
import GRDB
import KitchenSink
import LockstepInspection
import LockstepReport
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import TestSupport
import Testing

/// Files whose system tables say anything: a file may come from anywhere.
///
/// A seed chooses a value of one table, what it becomes, and more of both. The file is then used as an app, a server's
/// failures and a support tool use it. Whatever is thrown is fine. If the process ends, the last seed that has begun is
/// the one.
@Suite("Damaged system tables", .serialized)
struct StoreFileFuzzTests {
    private static let victims = ["victim/letter", "store/victim/letter", "store/letter", "store/kitchen"]

    @Test(
        "F1 F2 Nothing that a system table contains ends the process, waits without end, or touches other files",
        arguments: Seeds.some(40, of: UInt64(1)...2_000))
    func anything(seed: UInt64) async throws {
        let template = try await Self.template.value
        try await withTemporaryFolder { outer in
            let folder = outer.appendingPathComponent("store", isDirectory: true)
            for victim in Self.victims {
                let file = outer.appendingPathComponent(victim)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("mine".utf8).write(to: file)
            }
            let url = folder.appendingPathComponent("kitchen.sqlite")
            try template.write(to: url)
            var random = SeededRandom(seed: seed)
            try Self.mutate(url, outer, seed, &random)
            try await use(url, seed)
            for victim in Self.victims {
                #expect(try Data(contentsOf: outer.appendingPathComponent(victim)) == Data("mine".utf8), "\(victim)")
            }
            #expect(try Self.names(outer) == ["store", "victim"])
            #expect(try Self.names(folder).filter { !$0.hasPrefix("kitchen") } == ["letter", "victim"])
            let tables = try await DatabaseQueue(path: url.path).read { try $0.tableExists("everything") }
            #expect(tables)
        }
    }

    @Test(
        "F1 F2 Nothing that a recorded structure contains ends the process",
        arguments: Seeds.some(200, of: UInt64(1)...2_000))
    func structure(seed: UInt64) async throws {
        let template = try await Self.template.value
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("kitchen.sqlite")
            try template.write(to: url)
            let queue = try DatabaseQueue(path: url.path)
            try await queue.write { database in
                let sql = "SELECT value FROM lockstep_metadata WHERE key = 'structure'"
                let recorded = try JSONValue(parsing: try #require(try String.fetchOne(database, sql: sql)))
                let text = String(decoding: try Self.changed(recorded, seed: seed).json(), as: UTF8.self)
                // A file of another version is read by the structure that it recorded.
                for (key, value) in [("structure", text), ("fingerprint", "other"), ("version", "7")] {
                    try database.execute(
                        sql: "UPDATE lockstep_metadata SET value = ? WHERE key = ?", arguments: [value, key])
                }
            }
            try queue.close()
            await read(url)
            await attempt { try Store(KitchenSinkSchema.self, at: .file(url)).close() }
        }
    }

    private static func changed(_ value: JSONValue, seed: UInt64) -> JSONValue {
        var random = SeededRandom(seed: seed)
        let others = values(in: value)
        return (0..<Int.random(in: 1...3, using: &random)).reduce(value) { value, _ in
            changed(value, others, &random) ?? value
        }
    }

    private static func values(in value: JSONValue) -> [JSONValue] {
        switch value {
        case .object(let members): [value] + members.flatMap { values(in: $0.1) }
        case .array(let elements): [value] + elements.flatMap { values(in: $0) }
        default: [value]
        }
    }

    /// The value with one part removed, or replaced by another part or by something odd; `nil` for the part itself.
    private static func changed(
        _ value: JSONValue, _ others: [JSONValue], _ random: inout SeededRandom
    ) -> JSONValue? {
        let isHere = Int.random(in: 0..<6, using: &random) == 0
        switch value {
        case .object(var members) where !isHere:
            guard let key = members.map({ $0.0 }).sorted().randomElement(using: &random) else { return nil }
            members[key] = members[key].flatMap { changed($0, others, &random) }
            return .object(members)
        case .array(var elements) where !isHere:
            guard let index = elements.indices.randomElement(using: &random) else { return nil }
            let new = changed(elements.remove(at: index), others, &random)
            elements.insert(contentsOf: [new].compactMap(\.self), at: index)
            return .array(elements)
        default:
            let odd: [JSONValue] = [.null, .array([]), .object([:]), .string(""), .string("[Everything]"), .bool(true)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return nil
            case 1: return odd.randomElement(using: &random)
            default: return others.randomElement(using: &random)
            }
        }
    }

    private static func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    // MARK: The file

    /// The bytes of a file in which each system table has rows.
    private static let template = _Concurrency.Task { () async throws -> Data in
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            let store = try Store(KitchenSinkSchema.self, at: .file(stage.url), account: "ann")
            try await store.perform { context in
                let thing = try #require(try context.fetch(Everything.all()).first)
                thing.labels.replaceAll(with: thing.labels.reversed().dropLast())
                try context.save()
            }
            let (key, at) = (InspectionStage.uuid(2).uuidString.lowercased(), InspectionStage.now.timeIntervalSince1970)
            try await store.writer.write { database in
                for statement in [
                    "INSERT INTO lockstep_outbox_former VALUES (1, 'class', 'one')",
                    "INSERT INTO lockstep_outbox_unanswered VALUES (1, 'class', 'one', 0)",
                    """
                    INSERT INTO lockstep_sent_member VALUES ('Part', '\(key)', 'Everything', '[7]', 'parts', 0, \
                    '{"title":"part"}', 0, 'Everything', '[7]', NULL)
                    """,
                    "INSERT INTO lockstep_received_version VALUES ('Box', '\(key)', 3, 'null')",
                    "INSERT INTO lockstep_unknown_member VALUES ('Part')",
                    "INSERT INTO lockstep_metadata VALUES ('copy', 'kitchen.sqlite.before-1\t20000\t20001')",
                    "UPDATE lockstep_outbox SET attempts = 2, retry_at = \(at + 60), waits_since = \(at) WHERE id % 2 = 0",
                ] { try database.execute(sql: statement) }
            }
            try store.close()
            let empty = try await DatabaseQueue(path: stage.url.path).read { database in
                try Set(Self.tables(database)).subtracting(Self.cells(database).map(\.table))
            }
            // Rows of the first one are deleted by the transaction that inserts them; each entity has one of the others,
            // which are alike. A table that is new has to be filled.
            #expect(
                empty == [
                    "lockstep_quiet", "lockstep_base_box", "lockstep_base_cover", "lockstep_base_part",
                    "lockstep_base_screw",
                ])
            return try Data(contentsOf: stage.url)
        }
    }

    /// A value: its table, column, and the number of its row.
    private struct Cell {
        let table: String
        let column: String
        let row: Int
        let key: String

        /// SQL that is true for its row.
        var isRow: String { "(\(key)) IN (SELECT \(key) FROM \"\(table)\" LIMIT 1 OFFSET \(row))" }
    }

    /// The names of all system tables.
    private static func tables(_ database: Database) throws -> [String] {
        let names =
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'lockstep!_%' ESCAPE '!' ORDER BY 1"
        return try String.fetchAll(database, sql: names)
    }

    /// Every value of every system table.
    private static func cells(_ database: Database) throws -> [Cell] {
        try tables(database).flatMap { table -> [Cell] in
            let columns = try database.columns(in: table).map(\.name)
            let isKeyed = try String.fetchOne(
                database, sql: "SELECT sql LIKE '%WITHOUT ROWID' FROM sqlite_master WHERE name = ?", arguments: [table])
            let keys = try database.primaryKey(table).columns.map { "\"\($0)\"" }.joined(separator: ", ")
            let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \"\(table)\"") ?? 0
            return (0..<count).flatMap { row in
                columns.map { Cell(table: table, column: $0, row: row, key: isKeyed == "1" ? keys : "rowid") }
            }
        }
    }

    private static func mutate(_ url: URL, _ outer: URL, _ seed: UInt64, _ random: inout SeededRandom) throws {
        let queue = try DatabaseQueue(path: url.path)
        defer { try? queue.close() }
        // What the triggers would do is done by whoever changes a file.
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            let cells = try Self.cells(database)
            for number in 0..<Int.random(in: 1...3, using: &random) {
                // The seeds go through all values.
                let cell = number == 0 ? cells[Int(seed) * 7 % cells.count] : cells.randomElement(using: &random)!
                if number > 0, Int.random(in: 0..<10, using: &random) == 0 {
                    try? database.execute(sql: "DELETE FROM \"\(cell.table)\" WHERE \(cell.isRow)")
                    continue
                }
                let value = value(cells, outer, &random)
                // A constraint refuses some.
                try? database.execute(
                    sql: "UPDATE OR IGNORE \"\(cell.table)\" SET \"\(cell.column)\" = \(value) WHERE \(cell.isRow)")
            }
        }
    }

    /// SQL for a value that nobody has stored there.
    private static func value(_ cells: [Cell], _ outer: URL, _ random: inout SeededRandom) -> String {
        let values = [
            "NULL", "9e999", "-9e999", "1e300", "-1", "0", "1.5", "9223372036854775807", "-9223372036854775808",
            "4294967296", "''", "'x'", "x''", "x'ff00fe'", "char(0)", "'a' || char(0) || 'b'", "'../victim'",
            "'\(outer.appendingPathComponent("victim").path)'", "'victim'", "'.'", "'/'", "'../../'", "'letter\t1\t2'",
            "'''; DROP TABLE everything; --'", "'\"; DROP TABLE everything; --'", "'[]'", "'{}'", "'[1,2,3]'", "'null'",
            "'[null]'", "'[[7]]'", "'{\"title\":{\"real\":\"x\"}}'", "'{\"a\":'",
            "replace(hex(zeroblob(20000)), '00', '[')",
            "hex(zeroblob(50000))", "'sha256-../../victim-4'", "'9e999'", "'9223372036854775807'", "'http://[::1'",
            "'watermark'", "'42,7'", "'Everything'", "'Everything.labels'", "'nobody (nothing)'", "'lockstep 0'",
        ]
        guard Int.random(in: 0..<4, using: &random) == 0 else { return values.randomElement(using: &random)! }
        let other = cells.randomElement(using: &random)!
        return "(SELECT \"\(other.column)\" FROM \"\(other.table)\" LIMIT 1 OFFSET \(other.row))"
    }

    // MARK: Using it

    private func attempt(_ body: () async throws -> Void) async {
        do { try await body() } catch {}
    }

    /// What reads a file without opening it as a store.
    private func read(_ url: URL) async {
        await attempt {
            _ = try InspectedFile(url).report(InspectionOptions(includesValues: true, at: InspectionStage.now))
        }
        await attempt { _ = try Store.inspect(KitchenSinkSchema.self, at: url) }
        await attempt { _ = try Store.exportPending(KitchenSinkSchema.self, at: url) }
    }

    private func use(_ url: URL, _ seed: UInt64) async throws {
        await read(url)
        guard let store = try? Store(KitchenSinkSchema.self, at: .file(url)) else { return }
        let remote = CountedRemote()
        let clock = ManualClock(now: InspectionStage.now)
        let sync = Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
        await attempt { _ = try await store.outbox.pending().map { "\($0)" } }
        await attempt { _ = try await store.outbox.status() }
        await attempt { _ = try store.leftovers().map { "\($0)" } }
        await attempt { try await edit(store) }
        if seed % 2 == 0 { await attempt { try await sync.retryNow() } }
        if seed % 3 == 0 { remote.remote.respondNext(.unavailable(status: 503, retryAfter: 30), to: .changes) }
        if seed % 5 == 0 { remote.remote.respondNext(.connectionFails, to: .changes, times: 2) }
        await attempt { _ = try await clock.whilePassing { try await sync.push() } }
        await attempt { _ = try await clock.whilePassing { try await sync.pull() } }
        await attempt { try await store.merge(Data(#"[{"id": 1, "class": "theirs"}]"#.utf8), into: Keyword.self) }
        await attempt { try await store.outbox.retryAll() }
        await attempt { _ = try await clock.whilePassing { try await sync.push() } }
        await attempt { for leftover in try store.leftovers() { try store.send(leftover) } }
        await attempt { try store.discard(try store.leftovers()) }
        for entry in (try? await store.conflicts.entries()) ?? [] {
            await attempt { try await store.perform { try store.conflicts.restore(entry, in: $0) } }
        }
        if seed % 2 == 1 { await attempt { try await store.outbox.discardAll() } }
        await attempt { try store.removeUnusedAttachments() }
        await attempt { _ = try await sync.report() }
        await attempt { try store.close() }
        // Two pushes of four attempts, each of which waits as long as one may.
        #expect(clock.now.timeIntervalSince(InspectionStage.now) <= 8 * RetrySchedule.defaultMaximumPushWaitSeconds)
        #expect(remote.count < CountedRemote.limit)
    }

    private func edit(_ store: Store) async throws {
        try await store.perform { context in
            for keyword in try context.fetch(Keyword.all()) { keyword.type = "edited" }
            for person in try context.fetch(Person.all()) { person.name += "!" }
            for thing in try context.fetch(Everything.all()) {
                thing.labels.replaceAll(with: thing.labels.reversed())
            }
            if let part = try context.fetch(Part.all()).first { context.delete(part) }
            try context.save()
        }
    }
}

/// A server that ends whoever sends requests without end, with the error that ends each push.
private final class CountedRemote: Remote {
    static let limit = 500
    let remote = MemoryRemote(traits: RemoteTraits())
    private let requests = Locked(0)

    var count: Int { requests.withLock { $0 } }
    var traits: RemoteTraits { remote.traits }

    private func take() throws {
        let count = requests.withLock { count in
            count += 1
            return count
        }
        if count >= Self.limit { throw SyncError(.unauthorized, reason: "there were too many requests", remedy: "") }
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        try take()
        return try await remote.fetch(request)
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        try take()
        return try await remote.send(change)
    }
}
