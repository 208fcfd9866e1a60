import GRDB
import LockstepTables

extension JSONValue {
    /// A part of an identity as its column stores it.
    ///
    /// - Throws: ``/LockstepHTTP/SyncError`` if it does not have that type.
    package func stored(in column: ColumnDescription) throws -> DatabaseValue {
        guard !RemoteIdentity([self]).text.isEmpty, let value = column.stored(json: self), !value.isNull else {
            throw SyncError(
                .malformed, reason: "the server returned an identity that the schema does not allow",
                remedy: "Compare the schema's type of the identity with what the server sends.")
        }
        return value
    }
}
