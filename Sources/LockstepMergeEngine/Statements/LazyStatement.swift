import GRDB
import LockstepTables

/// A statement that is prepared when it is first used. Preparing an update with its triggers takes as long as comparing
/// a thousand records, and most merges change no links.
final class LazyStatement {
    private let sql: String
    private let database: Database
    private lazy var statement = Result { try RawStatement(sql, in: database) }

    init(_ sql: String, in database: Database) {
        self.sql = sql
        self.database = database
    }

    /// - Throws: The error of SQLite if it cannot be prepared.
    func get() throws -> RawStatement { try statement.get() }
}
