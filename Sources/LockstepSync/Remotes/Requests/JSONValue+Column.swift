import Foundation
import GRDB
import LockstepStore

extension JSONValue {
    /// An identity in the encoding of a column.
    ///
    /// - Throws: ``/LockstepHTTP/SyncError`` if it does not have that type.
    func stored(in column: ColumnDescription) throws -> DatabaseValue {
        func refused() -> SyncError {
            SyncError(
                .malformed, reason: "the server returned an identity that the schema does not allow",
                remedy: "Compare the schema's type of the identity with what the server sends.")
        }
        let text = RemoteIdentity([self]).text
        switch column.type {
        case .int, .int16, .int32, .int64:
            guard let number = Int64(text) else { throw refused() }
            return number.databaseValue
        case .uuid:
            guard let uuid = UUID(uuidString: text) else { throw refused() }
            return uuid.uuidString.lowercased().databaseValue
        default:
            guard column.type.isKeptAsText else {
                guard let scalar = storedScalar, !scalar.isNull else { throw refused() }
                return scalar
            }
            guard !text.isEmpty, text.violation(of: column.limits) == nil else { throw refused() }
            return text.databaseValue
        }
    }
}
