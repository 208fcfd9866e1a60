import GRDB
import LockstepStore

/// Reads the text of a query parameter as a server's JSON is read where it has that text as a string.
enum ParameterValue {
    /// The value as a column holds it; `nil` where the text is none, or the type is not one to filter by.
    static func read(_ text: String, as column: ColumnDescription) -> DatabaseValue? {
        switch column.type {
        case .string: return text.databaseValue
        // What a filter by these would mean, only the server knows.
        case .data, .json, .list, .attachment: return nil
        default: break
        }
        let json = Array(StoredJSON.text(of: .string(text)).utf8)
        let arena = TextArena()
        return withExtendedLifetime(arena) {
            json.withUnsafeBufferPointer { bytes in
                var scanner = JSONScanner(bytes)
                var problem: ValueProblem?
                guard let cell = try? ColumnReader(column).read(&scanner, arena, &problem), problem == nil else {
                    return nil
                }
                return cell.databaseValue
            }
        }
    }
}
