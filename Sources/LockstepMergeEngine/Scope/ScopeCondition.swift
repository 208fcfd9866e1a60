package import Foundation
package import GRDB
package import LockstepTables

/// A condition that every record of a scope meets.
package enum ScopeCondition: Sendable {
    /// The record is a member of an owner's relationship; the key is the owner's identity on the server.
    case children(owner: any EntityType.Type, key: [DatabaseValue], path: [String])
    /// A column, by its name in SQL, has this value.
    case column(String, DatabaseValue)
    /// The record is selected by these parameters.
    case query([URLQueryItem])
}
