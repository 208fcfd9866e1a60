import GRDB
internal import GRDBSQLite

/// Interrupts a statement that takes long when a task was cancelled.
final class CancellationHandler {
    private let isCancelled: @Sendable () -> Bool

    /// How many instructions of SQLite's virtual machine lie between two checks: about a millisecond.
    private static let instructionCount: Int32 = 20_000

    init(_ isCancelled: @escaping @Sendable () -> Bool, in database: Database) {
        self.isCancelled = isCancelled
        sqlite3_progress_handler(
            database.sqliteConnection, Self.instructionCount,
            { handler in
                guard let handler else { return 0 }
                return Unmanaged<CancellationHandler>.fromOpaque(handler).takeUnretainedValue().isCancelled() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func remove(from database: Database) {
        sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
    }
}
