import GRDB
internal import GRDBSQLite
import LockstepStore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A prepared statement of a merge, which runs it for many rows.
///
/// It lives no longer than the access to the connection that it was made on.
final class RawStatement {
    let pointer: OpaquePointer
    private let database: Database
    /// Whose statement it is, where the connection keeps it.
    private let owner: Statement?

    init(_ sql: String, _ database: Database) throws {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            database.sqliteConnection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw Self.error(code, database) }
        pointer = statement
        self.database = database
        owner = nil
    }

    /// A statement that the connection keeps, so that it is prepared once.
    ///
    /// Whoever asks for the same SQL gets the same statement: it is for what binds all values, runs and resets before
    /// anyone else can have a turn.
    init(kept sql: String, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: sql)
        pointer = statement.sqliteStatement
        self.database = database
        owner = statement
    }

    deinit { if owner == nil { sqlite3_finalize(pointer) } }

    /// Runs it to its next row.
    ///
    /// - Returns: Whether there is one.
    func step() throws -> Bool {
        let code = sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            let error = Self.error(code, database)
            sqlite3_reset(pointer)
            throw error
        }
        return false
    }

    /// Runs a statement that gives no rows, and makes it ready for the next time.
    ///
    /// - Returns: How many rows it has changed.
    @discardableResult
    func run() throws -> Int {
        _ = try step()
        sqlite3_reset(pointer)
        return database.changesCount
    }

    /// Runs a statement that gives no rows, of which nobody asks how many it has changed.
    func execute() throws {
        _ = try step()
        sqlite3_reset(pointer)
    }

    func reset() { sqlite3_reset(pointer) }

    /// Lets go of the values that were bound.
    func clear() { sqlite3_clear_bindings(pointer) }

    func bind(_ cells: some Sequence<Cell>, from first: Int32 = 1) {
        var parameter = first
        for cell in cells {
            cell.bind(to: pointer, parameter)
            parameter += 1
        }
    }

    /// The value of a column of the row it is on; it is there until the next step.
    @inline(__always)
    func cell(_ column: Int) -> Cell { Cell(column: Int32(column), of: pointer) }

    private static func error(_ code: CInt, _ database: Database) -> DatabaseError {
        let resultCode = ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection))
        // `RAISE(ROLLBACK)` in a trigger of the app is no fault of one record: the transaction is gone, and whatever
        // were written now would stay.
        let isRolledBack = resultCode.primaryResultCode == .SQLITE_CONSTRAINT && !database.isInsideTransaction
        return DatabaseError(
            resultCode: isRolledBack ? .SQLITE_ABORT_ROLLBACK : resultCode,
            message: String(cString: sqlite3_errmsg(database.sqliteConnection)))
    }

    /// The fingerprint of the key of an entity's row that it is on.
    @inline(__always)
    func fingerprint(_ entity: MergeEntity) -> KeyFingerprint {
        entity.keyColumn >= 0 ? cell(entity.keyColumn).fingerprint : fingerprint(ofKey: entity.plan.keyColumns)
    }

    private func fingerprint(ofKey columns: [Int]) -> KeyFingerprint {
        var fingerprint = cell(columns[0]).fingerprint
        for column in columns.dropFirst() { fingerprint.combine(cell(column).fingerprint) }
        return fingerprint
    }

    /// Whether a column of the row it is on has a value, spelt the same. Absent is like any.
    ///
    /// SQLite looks the column up once, rather than once for its type, its bytes and their count. That a value of this
    /// kind is not protected means that no mutex is held; but nobody else uses the connection while a merge has it.
    @inline(__always)
    func hasSame(_ cell: Cell, _ column: Int) -> Bool {
        if cell.kind == .absent { return true }
        let value = sqlite3_column_value(pointer, Int32(column))
        switch cell.kind {
        case .absent: return true
        case .null: return sqlite3_value_type(value) == SQLITE_NULL
        case .integer: return sqlite3_value_type(value) == SQLITE_INTEGER && sqlite3_value_int64(value) == cell.integer
        case .real: return sqlite3_value_type(value) == SQLITE_FLOAT && sqlite3_value_double(value) == cell.real
        case .text:
            guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value),
                sqlite3_value_bytes(value) == Int32(cell.count)
            else { return false }
            guard cell.count > 0, let bytes = cell.bytes.baseAddress else { return true }
            return memcmp(start, bytes, Int(cell.count)) == 0
        case .blob: return false
        }
    }
}
