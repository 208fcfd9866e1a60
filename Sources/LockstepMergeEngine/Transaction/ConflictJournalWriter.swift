import Foundation
import GRDB
import LockstepTables

/// Writes what a merge's decisions overwrite into the journal of conflicts (Rules.md, C6).
///
/// A merge without conflicts never calls it.
final class ConflictJournalWriter {
    private let retention: ConflictRetention
    private let now: () -> Date
    private let database: Database
    /// The time of all entries of the merge.
    private lazy var date = now()
    /// The number of the last entry before the merge; `nil` if it has written none.
    private var last: Int64?

    init(_ retention: ConflictRetention, now: @escaping () -> Date, in database: Database) {
        (self.retention, self.now, self.database) = (retention, now, database)
    }

    func write(
        _ losses: [ConflictTable.Loss], rule: ConflictEntry.Rule, of key: RecordKey, plan: EntityPlan
    ) throws {
        guard !losses.isEmpty, retention.days > 0, retention.count > 0 else { return }
        last = try last ?? ConflictTable.lastID(database)
        for loss in losses {
            try ConflictTable.insert(loss, of: key, plan: plan, rule: rule, at: date, in: database)
        }
    }

    /// Deletes what is kept for too long, and the oldest entries if there are too many, if the merge has written any.
    func trim() throws {
        guard let last else { return }
        try ConflictTable.trim(
            after: last, at: date, keptSeconds: retention.seconds, count: retention.count, in: database)
    }
}

/// A decision about a record that both sides have changed.
struct ResolvedConflict {
    /// The columns that both have changed, to different values.
    let columns: ColumnSet
    let winner: Winner
    let rule: ConflictEntry.Rule
    /// What the decision overwrites.
    var losses: [ConflictTable.Loss]

    enum Winner { case local, server, function }
}

extension MergeTransaction {
    /// Notes a conflict, and writes what was lost into the journal.
    func report(_ conflict: ResolvedConflict, of key: RecordKey, in plan: EntityPlan) throws {
        let columns = plan.columns.indices.filter(conflict.columns.contains)
        let outcome =
            switch conflict.winner {
            case .local: "the local values were kept"
            case .server: "the server's values were taken"
            case .function: "the app's policy decided"
            }
        var listed: [String] = []
        for name in columns.map({ plan.columns[$0].memberName }) where !listed.contains(name) { listed.append(name) }
        recorder.note(
            MergeNote(
                .conflict, entity: plan.name, record: key.text,
                text: "both sides have changed \(listed.joined(separator: ", ")): \(outcome)"))
        try conflicts.write(conflict.losses, rule: conflict.rule, of: key, plan: plan)
    }
}
