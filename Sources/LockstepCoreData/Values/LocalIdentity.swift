import Foundation
import GRDB
import LockstepEvolution
import LockstepStore

/// New identities for rows that have none.
///
/// They are made of a random seed and the row, so that links can be followed in any order without a list of all rows.
/// The UUID of the file is no seed: apps that begin with a file of their bundle have the same on every device.
struct LocalIdentity {
    private let seed: UUID

    init(seed: UUID) { self.seed = seed }

    func uuid(_ table: String, row: Int64) -> UUID {
        var hasher = ContentHasher()
        hasher.update(Data("\(seed)/\(table)/\(row)".utf8))
        let digits = hasher.finished().hash
        // Version 8 of RFC 9562: "an experimental or vendor-specific" layout.
        let text = [
            digits.prefix(8), digits.dropFirst(8).prefix(4), "8" + digits.dropFirst(13).prefix(3),
            "a" + digits.dropFirst(17).prefix(3), digits.dropFirst(20).prefix(12),
        ].map(String.init).joined(separator: "-")
        return UUID(uuidString: text) ?? seed
    }

    /// The key of a record as a column stores it; `nil` if the column cannot have one.
    func stored(_ column: ColumnDescription, in table: String, row: Int64) -> DatabaseValue? {
        let uuid = uuid(table, row: row)
        switch column.type {
        case .uuid, .string: return uuid.storedValue
        case .int, .int64:
            guard column.content == .surrogateKey else { return nil }
            return withUnsafeBytes(of: uuid) { $0.loadUnaligned(as: Int64.self) & Int64.max }.databaseValue
        default: return nil
        }
    }
}
