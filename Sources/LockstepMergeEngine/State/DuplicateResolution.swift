import GRDB
import LockstepTables

/// The treatment of a record that was created locally, so that the server's record can have its value.
enum DuplicateResolution: Sendable {
    /// It is the server's record, with this identity.
    case adopt(entity: Int, record: RecordKey, identity: [DatabaseValue])
    /// It gets another value.
    case rename(entity: Int, record: RecordKey, column: Int, value: DatabaseValue)

    var entity: Int {
        switch self {
        case .adopt(let entity, _, _), .rename(let entity, _, _, _): entity
        }
    }

    var record: RecordKey {
        switch self {
        case .adopt(_, let record, _), .rename(_, let record, _, _): record
        }
    }
}
