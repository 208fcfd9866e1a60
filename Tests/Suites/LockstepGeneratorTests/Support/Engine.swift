import LockstepSchema
import ServerTestSupport
import Testing

/// Runs the same story in SQLite (synced records, then local ones) and in PostgreSQL.
enum Engine: CaseIterable, CustomTestStringConvertible {
    case synced, local, postgresql

    static var available: [Engine] {
        PostgreSQLServer.isWanted ? allCases : [.synced, .local]
    }

    var testDescription: String { "\(self)" }
    var isLocal: Bool { self == .local }

    /// The result of a query after the statements, values joined by `|`.
    func rows(_ schema: Schema, _ statements: String, then query: String) throws -> [String] {
        guard self != .postgresql else {
            return try PostgreSQLServer.require().run(schema, "\(statements); \(query);")
        }
        let database = try SQLiteDatabase(schema)
        try database.execute(statements)
        return try database.rows(query)
    }

    /// The error of a statement after others; `nil` if it succeeds.
    func failure(_ schema: Schema, _ statements: String, then statement: String) throws -> String? {
        guard self == .postgresql else {
            let database = try SQLiteDatabase(schema)
            try database.execute(statements)
            return database.failure(of: statement)
        }
        let server = try PostgreSQLServer.require()
        _ = try server.run(schema, statements)
        do {
            _ = try server.run(schema, "\(statements); \(statement);")
            return nil
        } catch let failure as CommandFailure {
            return failure.output
        }
    }
}
