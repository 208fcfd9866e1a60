import Foundation
import GRDB
import LockstepEvolution
import LockstepStore
import LockstepSync
import TestSupport

@testable import LockstepMerge

/// Properties of merges with options and in scopes. Each returns the problem, or nothing.
enum OptionProperty {
    /// M4 M12 A merge that invalid records abort changes nothing if there are any, and otherwise the same as another
    /// one. Records without an identity are skipped in both.
    static func aborting(_ story: RandomStory) async throws -> String? {
        let (store, other) = (try story.openStore(), try story.openStore())
        let (options, others) = (RandomStory.options(), RandomStory.options())
        var aborting = options
        aborting.invalidRecords = .abort
        for (number, step) in story.steps.enumerated() {
            let before = try await CanonicalRows(of: store)
            let skipped = try await story.merge(step, into: other, others).skipped
            let isAborted = skipped.contains { !$0.reason.hasPrefix("is the identity; it is") }
            do {
                try await story.merge(step, into: store, aborting)
                if isAborted { return "step \(number) was not aborted: \(skipped)" }
            } catch let error as MergeError {
                if !isAborted { return "step \(number) was aborted: \(error)" }
                let after = try await CanonicalRows(of: store)
                if after != before { return "step \(number) was aborted:\n\(before.difference(from: after))" }
                try await story.merge(step, into: store, options)
            }
            let (rows, expected) = (try await CanonicalRows(of: store), try await CanonicalRows(of: other))
            if rows != expected { return "step \(number):\n\(expected.difference(from: rows))" }
        }
        return nil
    }

    /// M9 Without inserts there are no new records, without updates those that were there have the same values and
    /// links, without deletes they stay.
    static func switches(_ story: RandomStory) async throws -> String? {
        let (store, options) = (try story.openStore(), RandomStory.options())
        var random = SeededRandom(seed: story.seed &+ 3)
        for (number, step) in story.steps.enumerated() {
            var switched = options
            switched.records = MergeOperations(rawValue: random.element(of: [1, 2, 3, 4, 5, 6]))
            switched.nested = switched.records
            let before = try await StoredRecords(of: store)
            try await story.merge(step, into: store, switched)
            let after = try await StoredRecords(of: store)
            if let problem = before.problem(with: switched.records, after) {
                return "step \(number) with \(switched.records): \(problem)"
            }
            try await story.merge(step, into: store, options)
        }
        return nil
    }

    /// M10 If a trigger of the app rolls a merge back, at whichever row, nothing of it is there.
    static func rolledBack(_ story: RandomStory) async throws -> String? {
        let (store, options) = (try story.openStore(), RandomStory.options())
        var random = SeededRandom(seed: story.seed &+ 4)
        for (number, step) in story.steps.enumerated() {
            let before = try await CanonicalRows(of: store)
            let (table, count) = (random.element(of: Array(story.plans)).table, Int.random(in: 0...3, using: &random))
            let event = random.element(of: ["INSERT", "INSERT", "UPDATE", "DELETE"])
            let trigger = """
                CREATE TRIGGER app_rule AFTER \(event) ON \(SQLName.quoted(table)) \
                WHEN (SELECT COUNT(*) FROM \(SQLName.quoted(table))) >= \(count) \
                BEGIN SELECT RAISE(ROLLBACK, 'not now'); END
                """
            try await store.writer.write { try $0.execute(sql: trigger) }
            do {
                try await story.merge(step, into: store, options)
            } catch {
                let after = try await CanonicalRows(of: store)
                if after != before { return "step \(number), \(trigger):\n\(before.difference(from: after))" }
            }
            try await store.writer.write { try $0.execute(sql: "DROP TRIGGER app_rule") }
            try await story.merge(step, into: store, options)
        }
        return nil
    }

    /// M6 A value that another program has stored in another notation is the same value: nothing is written.
    static func otherNotations(_ story: RandomStory) async throws -> String? {
        let (store, options) = (try story.openStore(), RandomStory.options())
        let statements = story.plans.flatMap { plan in
            plan.columns.indices.compactMap { place -> String? in
                let column = plan.columns[place]
                guard case .attribute(_) = column.content, !plan.serverKeyColumns.contains(place),
                    !plan.keyColumns.contains(place)
                else { return nil }
                let (table, name) = (SQLName.quoted(plan.table), SQLName.quoted(column.name))
                switch column.type {
                case .decimal: return "UPDATE \(table) SET \(name) = \(name) || '0' WHERE instr(\(name), '.') > 0"
                case .uuid: return "UPDATE \(table) SET \(name) = upper(\(name))"
                default: return nil
                }
            }
        }
        for (number, step) in story.steps.enumerated() {
            try await story.merge(step, into: store, options)
            try await store.writer.write { database in
                try database.execute(sql: "INSERT INTO lockstep_quiet (id) VALUES (1)")
                for statement in statements { try database.execute(sql: statement) }
                try database.execute(sql: "DELETE FROM lockstep_quiet")
            }
            let before = try await store.writer.write { $0.totalChangesCount }
            let summary = try await story.merge(step, into: store, options)
            let count = try await store.writer.write { $0.totalChangesCount } - before
            if count > 0 || summary.hasChanges { return "step \(number): \(count) rows were written: \(summary)" }
        }
        return nil
    }

    /// M13 A key that looks like that of a relationship, and is not read, is noted.
    static func unreadKeys(_ story: RandomStory) async throws -> String? {
        let (store, options) = (try story.openStore(), RandomStory.options())
        var random = SeededRandom(seed: story.seed &+ 6)
        for (number, step) in story.steps.enumerated() {
            let relationships = story.plans[step.entity]?.relationships.filter { $0.wire != .none } ?? []
            guard let relationship = relationships.randomElement(using: &random), !step.records.isEmpty else {
                continue
            }
            let key = relationship.name + random.element(of: ["_ids", "Ids"])
            let read = story.plans[step.entity]?.firstKeys ?? []
            if read.contains(EntityPlan.plain(key)) { continue }
            var other = step
            let place = Int.random(in: other.records.indices, using: &random)
            other.records[place].members.append(
                PayloadObject.Member(key: key, meaning: nil, value: .invalid(json: "[7]")))
            let notes = try await story.merge(other, into: store, options).notes
            if !notes.contains(where: { $0.code == .unreadRelationship && $0.text.contains(key) }) {
                return "step \(number): no note says that \(key) is not read: \(notes)"
            }
        }
        return nil
    }

    /// M1 M2 M7.1 M7.5 M8 A complete list with a scope deletes the records in it that it lacks, whatever else it has.
    static func scoped(_ story: RandomStory) async throws -> String? {
        let stores = [try story.openStore(), try story.openStore(), try story.openStore()]
        var random = SeededRandom(seed: story.seed &+ 5)
        let options = stores.map { _ in RandomStory.options() }
        guard let number = story.steps.indices.randomElement(using: &random) else { return nil }
        for step in story.steps[..<number] {
            for (store, options) in zip(stores, options) { try await story.merge(step, into: store, options) }
        }
        var part = story.steps[number]
        guard let plan = story.plans[part.entity],
            let scope = ScopeChoice(of: plan, try await StoredRecords(of: stores[0]), &random)
        else { return nil }
        part.records.removeAll { _ in random.isOne(in: 2) }
        return try await scoped(part, story, scope, stores, options).map { "step \(number), \(scope): \($0)" }
    }

    /// Merges a part of a payload with a scope and with deletes, with a scope, and without.
    private static func scoped(
        _ part: RandomStory.Step, _ story: RandomStory, _ scope: ScopeChoice, _ stores: [Store],
        _ options: [MergeOptions]
    ) async throws -> String? {
        let type = story.model(of: part)
        var deleting = options[0]
        deleting.records = .all
        deleting.completeness = scope.isPage ? .automatic : .complete
        let summary = try await merge(part, into: type, scope, stores[0], deleting)
        _ = try await merge(part, into: type, scope, stores[1], options[1])
        try await story.merge(part, into: stores[2], options[2])
        let (after, undeleted) = (try await StoredRecords(of: stores[0]), try await StoredRecords(of: stores[1]))
        let unscoped = try await StoredRecords(of: stores[2])
        if let difference = unscoped.difference(from: undeleted, in: scope.plan) {
            return "with the scope, \(difference)"
        }
        let isUnresolved = summary.notes.contains { [.unresolvedScope, .incompletePayload].contains($0.code) }
        if !scope.isKnown || scope.isPage, !isUnresolved { return "no note says why nothing is deleted" }
        let listed = Set(part.records.flatMap { scope.plan.listedKeys(of: scope.plan, in: $0) })
        let doomed =
            !isUnresolved
            ? undeleted.records(of: scope.plan).filter { scope.contains($0.value) && !listed.contains($0.key) } : [:]
        let here = Set(after.records(of: scope.plan).keys)
        let gone = Set(undeleted.records(of: scope.plan).keys).subtracting(here)
        let isKept = summary.notes.contains { $0.code == .keptRecord }
        if !isKept, !gone.isSuperset(of: doomed.keys) { return "\(Set(doomed.keys).subtracting(gone)) are still there" }
        let cascades = story.plans.contains { plan in
            plan.relationships.contains { $0.target.name == scope.plan.name && $0.onDelete == .cascade }
        }
        return cascades || gone.isSubset(of: doomed.keys) ? nil : "\(gone.subtracting(doomed.keys)) are gone"
    }

    private static func merge<Object: Model>(
        _ step: RandomStory.Step, into type: Object.Type, _ choice: ScopeChoice, _ store: Store, _ options: MergeOptions
    ) async throws -> MergeSummary {
        let page = choice.isPage ? [ScopeCondition.query([URLQueryItem(name: "page", value: "2")])] : []
        let scope = MergeScope<Object>(conditions: [.column(choice.column.name, choice.value)] + page)
        return try await store.merge(Data(step.text.utf8), into: type, scope: scope, options: options)
    }
}
