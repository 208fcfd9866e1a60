import GRDB
import LockstepGenerator
import LockstepSchema

/// A database in memory with a schema's tables, set up as the store sets up its connections.
struct SQLiteDatabase {
    private let queue: DatabaseQueue

    init(_ schema: Schema) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA recursive_triggers = ON") }
        queue = try DatabaseQueue(configuration: configuration)
        for statement in sqlStatements(for: schema, dialect: .sqlite) {
            try execute(statement)
        }
    }

    /// Executes statements in one transaction.
    func execute(_ sql: String) throws {
        try queue.write { try $0.execute(sql: sql) }
    }

    /// The rows of a query, values joined by `|`, NULL as an empty text.
    func rows(_ sql: String) throws -> [String] {
        try queue.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { String.fromDatabaseValue($0) ?? ($0.isNull ? "" : "\($0)") }
                    .joined(separator: "|")
            }
        }
    }

    /// The error message of a statement; `nil` if it succeeds.
    func failure(of sql: String) -> String? {
        do {
            try execute(sql)
            return nil
        } catch let error as DatabaseError {
            return error.message ?? "no message"
        } catch {
            return "\(error)"
        }
    }
}
