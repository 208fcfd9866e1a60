import Foundation
import GRDB
import LockstepStore

/// Up to where a collection was pulled, in terms of the server (Rules.md, H2).
///
/// It is stored as validators are, under an address that no request has, because it is outdated by the same events: a
/// schema that has grown, discarded changes, deleted records that the server may still have.
struct Watermark: Sendable {
    /// The kind of merge, and the name of the list.
    let address: String
    /// What the remote has returned.
    let text: String
    /// What the list of changes began with; `nil` for the whole collection.
    var since: String?
    /// When the whole collection was pulled, by the device's clock.
    let wholeAt: Date

    static func address(_ mark: String, _ changes: RemoteChanges) -> String { "\(mark)changes \(changes.name)" }

    static func find(_ address: String, _ database: Database) throws -> Watermark? {
        guard let row = try ValidatorTable.find(address, database), let text = row.entityTag,
            let wholeAt = row.startedAt
        else { return nil }
        return Watermark(address: address, text: text, wholeAt: wholeAt)
    }

    /// Stores it, unless it belongs to a list of changes and the one before was forgotten while the list was read.
    func keep(_ plan: EntityPlan, _ database: Database) throws {
        var wholeAt = wholeAt
        if let since {
            guard let former = try Watermark.find(address, database), former.text == since else { return }
            if text == since { return }
            wholeAt = former.wholeAt
        }
        let row = ValidatorTable.Row(entityTag: text, startedAt: wholeAt, next: nil)
        try ValidatorTable.keep(row, address, plan.name, database)
    }
}
