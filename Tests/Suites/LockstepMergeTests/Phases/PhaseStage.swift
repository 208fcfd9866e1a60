import Foundation
import GRDB
import LinkSamples

@testable import LockstepMerge
@testable import LockstepMergeEngine
@testable import LockstepStore

/// A store in which the phases of a merge run one by one, on rows staged by a test.
struct PhaseStage {
    let store: Store

    /// - Parameter sql: The rows that are equal on the server and in the store.
    init(_ schema: any StoreSchema.Type = MuseumSchema.self, _ sql: String = "") async throws {
        store = try Store(schema, at: .inMemory)
        try await store.writeRaw("preparing", suppressesOutbox: true) { database, changes in
            try changes.suppressOutbox(database)
            try database.execute(sql: sql)
        }
    }

    /// Changes rows locally, so that the changes are pending.
    func edit(_ sql: String) throws {
        try store.writer.write { try $0.execute(sql: sql) }
    }

    /// Runs `body` with a merge that has begun, in a transaction that is kept.
    ///
    /// - Parameters:
    ///   - isStarted: Whether the phases before the first record have run.
    ///   - policy: For conflicts.
    func merge<Object: Model, Value: Sendable>(
        into type: Object.Type, scope: MergeScope<Object> = .all, isStarted: Bool = true,
        policy: ConflictPolicy? = nil, retryHints: MergeRetryHints = MergeRetryHints(),
        _ change: (inout MergeOptions) -> Void = { _ in },
        _ body: @escaping @Sendable (PhaseMerge) throws -> Value
    ) async throws -> Value {
        var options = MergeOptions()
        options.conflicts = policy
        change(&options)
        let policies = try store.conflictPolicies(options, for: type.entity.plan)
        let (plans, hooks) = (store.plans, store.hooks(options))
        let functions = RepresentationFunctionCaller(maker: store.representationMaker)
        let uniqueValues = store.uniqueValuePolicies(options)
        return try await store.writeRaw("merging", suppressesOutbox: true) { [options] database, changes in
            try changes.suppressOutbox(database)
            let transaction = try MergeTransaction(
                type.entity.plan, plans: plans, in: database, changes: changes, options: options, hooks: hooks,
                uniqueValues: uniqueValues)
            let state = MergeState(transaction, retryHints: retryHints)
            let merge = PhaseMerge(
                state: state, run: MergeRun(state, scope: scope.conditions, policies: policies, functions: functions))
            if isStarted { try merge.run(merge.start) }
            return try body(merge)
        }
    }

    /// The rows of a query, each as its values with a space between; NULL is a dash.
    func rows(_ sql: String) throws -> [String] { try store.writer.read { try $0.texts(sql) } }

    /// The pending changes: `update Room 1`.
    func pending() throws -> [String] {
        try store.writer.read { database in
            try PendingChange.fetchAll(database, plans: store.plans).map { "\($0.kind) \($0.entity) \($0.record)" }
        }
    }
}

/// A merge that is run manually.
struct PhaseMerge {
    let state: MergeState
    let run: MergeRun
    let batch: MergeBatch

    init(state: MergeState, run: MergeRun) {
        (self.state, self.run) = (state, run)
        batch = MergeBatch(links: run.links)
    }

    /// The phases before the first record, without the one that notifies participants.
    var start: [any MergePhase] { run.startPhases.filter { !($0 is NotifyWillMerge) } }
    var links: LinkMerge { run.links }

    var transaction: MergeTransaction { state.transaction }

    /// Reads records, without writing them.
    func stage(_ records: String...) throws {
        for (index, record) in records.enumerated() {
            var scanner = JSONScanner(transaction.arena.copy(record))
            try run.take(&scanner, index: index)
        }
    }

    func run(_ phases: [any BatchPhase]) throws { for phase in phases { try phase.run(batch, in: state) } }

    func run(_ phases: [any MergePhase]) throws { for phase in phases { try phase.run(state) } }

    /// Runs the phases of a batch in their order, up to one of them.
    func run(through last: (some BatchPhase).Type) throws {
        for phase in run.batchPhases {
            try phase.run(batch, in: state)
            if type(of: phase) == last { return }
        }
    }

    /// Runs the phases that decide about the staged rows and write them.
    func writeRows() throws { try run(through: WriteConflictOutcomes.self) }

    func entity(_ name: String) throws -> MergeEntity {
        guard let entity = transaction.plan.entities.first(where: { $0.plan.name == name }) else {
            throw UnknownEntity(name: name)
        }
        return entity
    }

    func table(_ name: String) throws -> StagedTable { transaction.staging.tables[try entity(name).index] }

    /// A staged cell by the name of its column.
    func cell(_ name: String, _ row: Int, _ column: String) throws -> DatabaseValue? {
        let table = try table(name)
        guard let index = table.entity.plan.columns.firstIndex(where: { $0.name == column }) else { return nil }
        let cell = table.row(row)[index]
        return cell.kind == .absent ? nil : cell.databaseValue
    }

    func isSkipped(_ name: String, _ row: Int) throws -> Bool {
        transaction.staging.isSkipped(row, of: try entity(name).index)
    }

    func outcome(_ name: String, _ key: Int64) throws -> KeyRegistry.Outcome? {
        transaction.outcome(Cell(integer: key).fingerprint, of: try entity(name))
    }

    /// The rows of a query, as the transaction currently has them.
    func rows(_ sql: String) throws -> [String] { try transaction.database.texts(sql) }

    /// The records scheduled for deletion: `Camera 3`.
    var pendingDeletes: [String] {
        state.pendingDeletes.map { "\(transaction.plan.entities[$0.entity].plan.name) \($0.key.text)" }
    }
}

struct UnknownEntity: Error {
    let name: String
}

extension Database {
    fileprivate func texts(_ sql: String) throws -> [String] {
        try Row.fetchAll(self, sql: sql).map { row in
            row.databaseValues.map { $0.isNull ? "-" : RecordKey($0).text }.joined(separator: " ")
        }
    }
}
