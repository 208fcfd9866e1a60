import Foundation
import GRDB
import LockstepMerge
import LockstepStore

/// Removes records that a server has withdrawn from this device: those of lost scopes, and those that a new reading of
/// the whole feed did not contain (Rules.md, H3).
///
/// What waits in the outbox is parked as refused. Its records stay until the app has discarded the changes.
struct FeedWithdrawal: Sendable {
    let plans: [EntityPlan]
    let now: Date

    /// Whether there are records that can be removed now.
    func isPending(_ database: Database) throws -> Bool {
        guard try ScopeTable.hasOpen(database) else { return false }
        return try plans.contains { plan in
            try !removable(plan, in: database).isEmpty || !missing(plan, in: database).isEmpty
        }
    }

    // MARK: Noting

    /// Notes the records of lost scopes, and parks their changes.
    func lose(_ scopes: Set<String>, in database: Database) throws {
        for plan in plans {
            for scope in scopes.sorted() {
                let records = try ScopeTable.records(of: plan, inScope: scope, database: database)
                if records.isEmpty { continue }
                try ScopeTable.withdraw(records, of: plan, in: database)
                let reason = "the user may no longer read “\(scope)”, to which it belongs"
                try park(records, of: plan, in: database, reason: reason)
            }
        }
    }

    /// Notes the records that a reading did not contain, and parks their changes. What was created locally and never
    /// confirmed stays.
    func sweep(after reading: Int64, in database: Database) throws {
        for plan in plans {
            let read = try ScopeTable.records(of: plan, in: reading, database: database)
            let created = try PendingChange.fetch(database, of: plan).filter { $0.kind == .create }.map(\.key)
            let kept = read.union(created.map(plan.recordText))
            let records = Set(try plan.allKeys(database).map(plan.recordText)).subtracting(kept)
                .subtracting(try ScopeTable.withdrawnRecords(of: plan, in: database))
                .subtracting(try confirmed(plan, in: database))
            try miss(records, of: plan, in: database)
        }
    }

    /// Notes the records that the server has confirmed, and that the feed does not have although it was read to its
    /// end: they were deleted, or the user may no longer read them. The feed of a replica may lag behind for some
    /// minutes.
    func missAnyConfirmed(in database: Database) throws {
        guard try ScopeTable.hasOpen(database) else { return }
        for plan in plans { try miss(try missing(plan, in: database), of: plan, in: database) }
    }

    private func miss(_ records: Set<String>, of plan: EntityPlan, in database: Database) throws {
        if records.isEmpty { return }
        try ScopeTable.withdraw(records, of: plan, in: database)
        try park(records, of: plan, in: database, reason: "the server no longer has it for this user")
    }

    private func missing(_ plan: EntityPlan, in database: Database) throws -> Set<String> {
        try confirmed(plan, in: database)
            .subtracting(ConfirmedTable.records(of: plan, at: now, in: database))
    }

    private func confirmed(_ plan: EntityPlan, in database: Database) throws -> Set<String> {
        try ScopeTable.confirmedRecords(of: plan, in: database)
    }

    private func park(_ records: Set<String>, of plan: EntityPlan, in database: Database, reason: String) throws {
        let body = try JSONValue.object(["message": .string(reason)]).json()
        for change in try PendingChange.fetch(database, of: plan)
        where change.parked == nil && records.contains(plan.recordText(change.key)) {
            try OutboxWriter(database, plan: plan).park(change, status: 403, body: body, error: reason)
        }
    }

    // MARK: Removing

    /// The withdrawn records of an entity that can be removed; `nil` if there are none.
    func selection(of plan: EntityPlan, in database: Database) throws -> MergeSelection? {
        let removable = try removable(plan, in: database)
        if removable.isEmpty { return nil }
        var selection = MergeSelection()
        selection.withdrawn = try plan.allKeys(database).filter { removable.contains(plan.recordText($0)) }
        return selection.withdrawn.isEmpty ? nil : selection
    }

    private func removable(_ plan: EntityPlan, in database: Database) throws -> Set<String> {
        let withdrawn = try ScopeTable.withdrawnRecords(of: plan, in: database)
        if withdrawn.isEmpty { return [] }
        return withdrawn.subtracting(try PendingChange.fetch(database, of: plan).map { plan.recordText($0.key) })
    }

    /// Forgets withdrawn records that are gone.
    func forgetGone(_ database: Database) throws {
        guard try ScopeTable.hasOpen(database) else { return }
        for plan in plans {
            let gone = try removable(plan, in: database)
            if gone.isEmpty { continue }
            try ScopeTable.forget(gone.subtracting(plan.allKeys(database).map(plan.recordText)), of: plan, in: database)
        }
    }
}
