import Foundation
import GRDB
import LockstepMerge
import LockstepStore

/// Stores, together with the records of a pull, the validators of the next one's conditional requests, and where the
/// next list of changes begins (Rules.md, H1, H2 and C4).
struct PullParticipant: MergeParticipant {
    let plan: EntityPlan
    /// The validators of each page, by its address; `nil` for a page that has none.
    let validators: [(address: String, validators: Validators?)]
    /// The version of the one record that was fetched; `nil` if it has none.
    let version: String?
    /// The identity of the one record that was fetched; `nil` for a collection.
    let identity: RemoteIdentity?
    /// When the one record of a server with a feed was fetched; `nil` otherwise.
    let feedAt: Date?
    /// Where the next list of changes begins, after the last page of a collection.
    let watermark: Watermark?

    func didMerge(_ database: Database, changes: RawChanges, summary: MergeSummary) throws {
        // A record that was skipped because of another one may be merged the next time.
        let isComplete = !summary.notes.contains { $0.code == .uniqueConflict }
        for (address, validators) in validators {
            let kept = isComplete ? validators.map(ValidatorTable.Row.init) : nil
            try ValidatorTable.keep(kept, address: address, of: plan.name, in: database)
        }
        if isComplete, let watermark { try watermark.keep(plan, in: database) }
        if let key = try key(database) { try plan.keepVersion(version, of: key, feedAt: feedAt, in: database) }
    }

    /// The local key of the one record that was fetched.
    private func key(_ database: Database) throws -> RecordKey? {
        try identity.flatMap { try plan.localKey(of: $0, in: database) }
    }
}

extension Validators {
    init(_ row: ValidatorTable.Row) {
        self.init(entityTag: row.entityTag, startedAt: row.startedAt, next: row.next)
    }
}

extension ValidatorTable.Row {
    init(_ validators: Validators) {
        self.init(entityTag: validators.entityTag, startedAt: validators.startedAt, next: validators.next)
    }
}
