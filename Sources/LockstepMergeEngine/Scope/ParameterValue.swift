import GRDB
import LockstepTables

/// Reads the text of a query parameter like a string in a server's JSON.
enum ParameterValue {
    /// The value as a column stores it; `nil` if the text is not valid, or the type does not allow filters.
    static func read(_ text: String, as column: ColumnDescription) -> DatabaseValue? {
        switch column.type {
        case .string: return text.databaseValue
        // Only the server knows what a filter by these types would mean.
        case .data, .json, .list, .attachment: return nil
        default: break
        }
        let json = Array(StoredJSON.text(of: .string(text)).utf8)
        let arena = TextArena()
        return withExtendedLifetime(arena) {
            json.withUnsafeBufferPointer { bytes in
                var scanner = JSONScanner(bytes)
                var problem: ValueProblem?
                guard let cell = try? ColumnReader(column).read(&scanner, in: arena, problem: &problem), problem == nil
                else {
                    return nil
                }
                return cell.databaseValue
            }
        }
    }
}
