import GRDB
internal import GRDBSQLite
import LockstepStore

/// A query of a Core Data store, one row at a time.
final class SourceStatement {
    private let pointer: OpaquePointer
    /// The connection stays open as long as one of its statements is used.
    private let connection: SourceConnection

    init(_ pointer: OpaquePointer, connection: SourceConnection) {
        (self.pointer, self.connection) = (pointer, connection)
    }

    deinit { sqlite3_finalize(pointer) }

    /// The names of the columns.
    var columns: [String] {
        (0..<sqlite3_column_count(pointer)).map { sqlite3_column_name(pointer, $0).map { String(cString: $0) } ?? "" }
    }

    /// The current row.
    var row: RawRow { RawRow(pointer) }

    /// Runs it to its next row.
    ///
    /// - Returns: Whether there is a row.
    func step() throws(CoreDataError) -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw connection.lastError()
        }
    }

    /// Begins again with these arguments.
    func bind(_ arguments: Int64...) {
        sqlite3_reset(pointer)
        for (index, argument) in arguments.enumerated() { sqlite3_bind_int64(pointer, CInt(index + 1), argument) }
    }

    /// The values of the first column.
    func numbers() throws(CoreDataError) -> [Int64] {
        var numbers: [Int64] = []
        while try step() { if case .int64(let number) = row.value(0).storage { numbers.append(number) } }
        return numbers
    }

    /// All rows as values, of a small table.
    func rows() throws(CoreDataError) -> [[DatabaseValue]] {
        let indices = columns.indices
        var rows: [[DatabaseValue]] = []
        while try step() { rows.append(indices.map { row.value($0) }) }
        return rows
    }
}
