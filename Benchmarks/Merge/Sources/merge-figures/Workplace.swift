import Archive
import CMergeFloor
import Contests
import Foundation
import GRDB
import LockstepStore

/// The databases that are measured with: copies of one that the store has made, which the floor fills.
struct Workplace: Sendable {
    let folder: URL

    init(folder: String) throws {
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
        try Store(ArchiveSchema.self, at: .file(empty)).close()
    }

    private var empty: URL { url("empty") }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name + ".sqlite") }

    /// A database without rows, or one that has those of `payload`.
    ///
    /// - Parameter hasOutbox: Whether the triggers of the outbox stay. Those who merge without Lockstep have none.
    func database(
        _ name: String, with payload: Data? = nil, _ kind: merge_payload = merge_articles, hasOutbox: Bool = true
    ) throws -> URL {
        let copy = url(name)
        remove(name)
        try FileManager.default.copyItem(at: empty, to: copy)
        if let payload {
            let floor = Floor(copy, kind)
            _ = floor.insert(payload)
            floor.close()
        }
        if !hasOutbox { DatabaseOutbox.remove(from: copy.path) }
        return copy
    }

    func remove(_ names: String...) { remove(names) }

    func remove(_ names: [String]) {
        for name in names {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: url(name).path + suffix)
            }
        }
    }

    func store(_ url: URL) throws -> Store { try Store(ArchiveSchema.self, at: .file(url)) }

    func pool(_ url: URL) throws -> DatabasePool { try Self.pool(url) }

    static func pool(_ url: URL) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA recursive_triggers = ON") }
        return try DatabasePool(path: url.path, configuration: configuration)
    }

    func rowCount(_ url: URL, of tables: [String]) throws -> Int {
        let queue = try DatabaseQueue(path: url.path)
        defer { try? queue.close() }
        return try queue.read { database in
            try tables.reduce(0) { $0 + (try Int.fetchOne(database, sql: "SELECT count(*) FROM \($1)") ?? 0) }
        }
    }

    /// Ends the process unless two databases have the same triggers, of which none has noted anything, and the same
    /// rows in every table of the schema.
    func expectSame(_ one: URL, _ other: URL) throws {
        DatabaseOutbox.expectSame(one.path, other.path, table: "article", pending: 0)
        try expectSameRows(one, other)
    }

    /// Ends the process unless two databases have the same rows in every table of the schema. That is all that can be
    /// compared with those who merge without the outbox.
    func expectSameRows(_ one: URL, _ other: URL) throws {
        let queue = try DatabaseQueue(path: one.path)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "ATTACH DATABASE ? AS other", arguments: [other.path])
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'lockstep%'
                    AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%'
                    """)
            precondition(tables.count >= 9, "not all tables are there: \(tables)")
            for table in tables {
                let counts = try ["main", "other"].map {
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0).\(table)") ?? -1
                }
                let common = try Int.fetchOne(
                    database,
                    sql: """
                        SELECT count(*) FROM
                        (SELECT * FROM main.\(table) INTERSECT SELECT * FROM other.\(table))
                        """)
                guard counts[0] == counts[1], common == counts[0] else {
                    fatalError(
                        "\(table): \(counts) rows in \(one.path) and \(other.path), \(common ?? -1) are the same")
                }
            }
        }
    }
}

/// The floor's connection to a database.
struct Floor {
    private let floor: OpaquePointer

    init(_ url: URL, _ kind: merge_payload) { floor = merge_floor_open(url.path, kind) }

    func close() { merge_floor_close(floor) }

    func read(_ json: Data) -> Int { run(json, merge_floor_read) }
    func insert(_ json: Data) -> Int { run(json, merge_floor_insert) }
    func find(_ json: Data) -> Int { run(json, merge_floor_find) }
    func compare(_ json: Data) -> Int { run(json, merge_floor_compare) }
    func update(_ json: Data, every: Int) -> Int { run(json) { merge_floor_update($0, $1, $2, every) } }

    private func run(_ json: Data, _ work: (OpaquePointer?, UnsafePointer<CChar>?, Int) -> Int) -> Int {
        json.withUnsafeBytes { work(floor, $0.bindMemory(to: CChar.self).baseAddress, $0.count) }
    }
}
