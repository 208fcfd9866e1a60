import GRDB
internal import GRDBSQLite
import LockstepTables

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

// Uses the cells of a merge as arguments and columns of a statement.
extension RawStatement {
    func bind(_ cells: some Sequence<Cell>, from first: Int32 = 1) {
        var parameter = first
        for cell in cells {
            cell.bind(to: pointer, parameter: parameter)
            parameter += 1
        }
    }

    /// The value of a column of the current row. It is valid until the next step.
    @inline(__always)
    func cell(_ column: Int) -> Cell { Cell(column: Int32(column), of: pointer) }

    /// The fingerprint of the key in the current row of an entity's statement.
    @inline(__always)
    func fingerprint(_ entity: MergeEntity) -> KeyFingerprint {
        entity.keyColumn >= 0 ? cell(entity.keyColumn).fingerprint : fingerprint(ofKey: entity.plan.keyColumns)
    }

    private func fingerprint(ofKey columns: [Int]) -> KeyFingerprint {
        var fingerprint = cell(columns[0]).fingerprint
        for column in columns.dropFirst() { fingerprint.combine(cell(column).fingerprint) }
        return fingerprint
    }

    /// Whether a column of the current row has a value with the same encoding. An absent cell equals any value.
    ///
    /// SQLite looks the column up once, rather than once each for its type, its bytes and their count. The value is
    /// unprotected, which means that no mutex is held; this is safe because only the merge uses the connection.
    @inline(__always)
    func hasSame(_ cell: Cell, column: Int) -> Bool {
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
