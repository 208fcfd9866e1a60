import Diary
import Foundation
import GRDB
import LockstepStore

/// The databases that are measured with: copies of one that the store has made.
struct Workplace: Sendable {
    let folder: URL

    init(folder: String) throws {
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
        try Store(DiarySchema.self, at: .file(url("empty"))).close()
    }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name + ".sqlite") }

    /// A new database without rows.
    func database(_ name: String) throws -> URL {
        remove(name)
        try FileManager.default.copyItem(at: url("empty"), to: url(name))
        return url(name)
    }

    func store(_ url: URL) throws -> Store { try Store(DiarySchema.self, at: .file(url)) }

    func remove(_ names: String...) {
        for name in names {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url(name).path + suffix) }
        }
    }

    // MARK: Rows

    /// A connection as the store has them, of another program: the triggers are the database's.
    static func connection(_ url: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(
                sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA recursive_triggers = ON")
        }
        return try DatabaseQueue(path: url.path, configuration: configuration)
    }

    static func write(_ url: URL, _ body: (Database) throws -> Void) throws {
        let queue = try connection(url)
        try queue.write(body)
        try queue.close()
    }

    /// Inserts articles by one prepared statement, in the transaction that is open.
    ///
    /// - Parameter suppressesOutbox: Whether the outbox is to note nothing, as in a merge.
    static func insert(
        _ samples: [StatementArguments], into table: String, suppressesOutbox: Bool = false, _ database: Database
    )
        throws
    {
        if suppressesOutbox { try database.execute(sql: "INSERT INTO lockstep_quiet DEFAULT VALUES") }
        let statement = try database.makeStatement(
            sql: "INSERT INTO \(table) (\(Sample.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        for sample in samples { try statement.execute(arguments: sample) }
        if suppressesOutbox { try database.execute(sql: "DELETE FROM lockstep_quiet") }
    }

    static func pendingCount(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM lockstep_outbox") ?? 0
    }
}
