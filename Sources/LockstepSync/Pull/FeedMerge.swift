import Foundation
import GRDB
import LockstepMerge
import LockstepStore

/// The transaction that merges pages of a feed (Rules.md, H3).
struct FeedMerge: Sendable {
    let changes: [FeedChanges]
    let lostScopes: Set<String>
    /// The entities of the feed.
    let types: [any Model.Type]
    /// The number of the reading, and whether it has reached the end of the feed before.
    let reading: (number: Int64, isWhole: Bool)
    /// Whether these pages reach it now.
    let isEnd: Bool
    let address: String
    /// The position in the store.
    let former: ValidatorTable.FeedPosition?
    /// The position after the pages; `nil` if pages before them are to be read again.
    let next: ValidatorTable.FeedPosition?
    let now: Date
    let outcome = FeedOutcome()

    /// The position in the store is another one than when the page was requested.
    struct Moved: Error {}

    private var withdrawal: FeedWithdrawal { FeedWithdrawal(plans: types.map { $0.entity.plan }, now: now) }
    private var endsReading: Bool { isEnd && !reading.isWhole }

    /// The parts, in order. Records come before deletions: a record that has moved to another owner is not deleted with
    /// the former one. Records that were refused because another one has their unique value come again at the end: that
    /// one may be deleted now.
    func parts(_ options: MergeOptions) -> [JointMergePart] {
        [.write { database, _ in try begin(database) }]
            + changes.filter { !$0.records.isEmpty }.map { part($0, options: options, isAgain: false) }
            + [.write { database, _ in try changes.forEach { try selection($0).chooseDeletions(database) } }]
            + changes.filter { !$0.deletions.isEmpty }.map { deletionPart($0, options: options) }
            + [.write { database, _ in try withdraw(database) }]
            + types.map { type in
                .selection(type, options) { database in
                    try noting(.withdrawal, of: type.entity.plan) {
                        try withdrawal.selection(of: type.entity.plan, in: database)
                    }
                }
            }
            + changes.filter { !$0.records.isEmpty }.map { part($0, options: options, isAgain: true) }
            + [.write { database, _ in try end(database) }]
    }

    private func begin(_ database: Database) throws {
        outcome.begin()
        guard try ValidatorTable.feedPosition(address, in: database) == former else { throw Moved() }
    }

    private func selection(_ changes: FeedChanges) -> FeedSelection {
        FeedSelection(changes: changes, reading: reading.number, isWhole: reading.isWhole, outcome: outcome)
    }

    private func part(_ changes: FeedChanges, options: MergeOptions, isAgain: Bool) -> JointMergePart {
        let selection = selection(changes)
        var options = options
        options.participants.append(FeedParticipant(selection: selection, isDeletion: false))
        return .selection(changes.type, options) { database in
            if isAgain, !outcome.takeConflict(of: changes.plan.name) { return nil }
            return try noting(isAgain ? .recordsAgain : .records, of: changes.plan) { try selection.records(database) }
        }
    }

    private func deletionPart(_ changes: FeedChanges, options: MergeOptions) -> JointMergePart {
        let selection = selection(changes)
        var options = options
        options.participants.append(FeedParticipant(selection: selection, isDeletion: true))
        return .selection(changes.type, options) { _ in
            noting(.deletions, of: changes.plan) { selection.deletions() }
        }
    }

    private func noting(
        _ step: FeedOutcome.Step, of plan: EntityPlan, select: () throws -> MergeSelection?
    ) rethrows -> MergeSelection? {
        let selection = try select()
        if selection != nil { outcome.note(step, of: plan.name) }
        return selection
    }

    private func withdraw(_ database: Database) throws {
        if !lostScopes.isEmpty { try withdrawal.lose(lostScopes, in: database) }
        if endsReading { try withdrawal.sweep(after: reading.number, in: database) }
        if isEnd { try withdrawal.missAnyConfirmed(in: database) }
    }

    private func end(_ database: Database) throws {
        try withdrawal.forgetGone(database)
        if let position, position != former { try ValidatorTable.keep(position, address: address, in: database) }
    }

    /// The position to store.
    private var position: ValidatorTable.FeedPosition? {
        if let next, !outcome.hasConflicts { return next }
        // What was refused is requested again. The reading has ended nevertheless.
        guard var position = former, position.reading == reading.number else { return nil }
        position.isWhole = position.isWhole || isEnd
        return position
    }
}
