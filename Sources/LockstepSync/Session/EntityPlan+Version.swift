import Foundation
import GRDB
import LockstepStore

extension EntityPlan {
    /// Keeps the version that a response had of a record, which was merged; `nil` if it had none.
    ///
    /// - Parameter date: When the response of a server with a feed arrived; `nil` if the server has none.
    func keepVersion(
        _ version: String?, of key: RecordKey, feedAt date: Date?, in database: Database
    ) throws {
        guard let date else { return try VersionTable.keep(version, of: key, in: self, database: database) }
        try ScopeTable.noteResponse(version: version, of: key, in: self, at: date, database: database)
    }
}
