import Foundation
import GRDB
import LockstepStore

/// Up to where a collection was pulled, in terms of the server (Rules.md, H2).
struct Watermark: Sendable {
    /// The kind of merge, and the name of the list.
    let address: String
    /// The text that the remote has returned.
    let text: String
    /// The watermark that the list of changes began with; `nil` for the whole collection.
    let since: String?
    /// When the whole collection was pulled, by the device's clock; `nil` if that is not known to be complete.
    let wholeAt: Date?

    /// The same after a pull of everything that has left something undone.
    var unfinished: Watermark { Watermark(address: address, text: text, since: since, wholeAt: nil) }

    static func address(_ mark: String, changes: RemoteChanges) -> String { "\(mark)changes \(changes.name)" }

    /// Stores it, unless it belongs to a list of changes and the one before was forgotten while the list was read.
    func keep(_ plan: EntityPlan, in database: Database) throws {
        let former = try ValidatorTable.watermark(address, in: database)
        if let since {
            guard former?.text == since else { return }
            if text == since { return }
        }
        let wholeAt = since == nil ? wholeAt : former?.wholeAt
        let stored = ValidatorTable.Watermark(text: text, wholeAt: wholeAt ?? former?.wholeAt ?? .distantPast)
        try ValidatorTable.keep(stored, address: address, of: plan.name, in: database)
    }
}
