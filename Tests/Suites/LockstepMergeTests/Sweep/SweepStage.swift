import GRDB
package import LockstepStore

@testable import LockstepHTTP
@testable import LockstepMerge
@testable import LockstepMergeEngine

/// A store with rows, in which scopes are resolved and swept as by a merge.
struct SweepStage {
    let store: Store

    init(_ schema: any StoreSchema.Type, _ sql: String) throws {
        store = try Store(schema, at: .inMemory)
        try store.writer.write { try $0.execute(sql: sql) }
    }

    /// The listed records of a payload, by entity.
    typealias Listed = [String: Set<RecordKey>]

    /// Resolves a scope and deletes what is in it and not listed.
    @discardableResult
    func sweep<Object: Model>(
        _ scope: MergeScope<Object>, listing listed: Listed, completeness: MergeOptions.Completeness = .automatic,
        localChanges: any LocalChanges & Sendable = NoLocalChanges()
    ) async throws -> MergeSummary {
        let plans = store.plans
        return try await store.writeRaw("sweeping") { database, changes in
            guard let entity = plans.firstIndex(where: { $0 === Object.entity.plan }) else { return MergeSummary() }
            let recorder = SummaryRecorder(plans: plans)
            let resolved = try ScopeResolver(plans: plans, database: database)
                .resolve(scope.conditions, of: entity, completeness: completeness)
            let sweep = StaleRecordDeletion(
                plans: plans, database: database, changes: changes, recorder: recorder, localChanges: localChanges,
                didDelete: { recorder.record(.deleted, entity: $0, key: $1) },
                isListed: { listed[plans[$0].name]?.contains($1) ?? false })
            try sweep.run(resolved)
            return recorder.summary()
        }
    }

    /// Describes a scope by the values that it fills in and the reason why nothing can be deleted.
    func resolve<Object: Model>(
        _ scope: MergeScope<Object>, completeness: MergeOptions.Completeness = .automatic
    ) throws -> (fills: [String: DatabaseValue], condition: String?, obstacles: [MergeNote.Code]) {
        let plans = store.plans
        return try store.writer.read { database in
            guard let entity = plans.firstIndex(where: { $0 === Object.entity.plan }) else { return ([:], nil, []) }
            let resolved = try ScopeResolver(plans: plans, database: database)
                .resolve(scope.conditions, of: entity, completeness: completeness)
            let fills = resolved.fills.map { (plans[entity].columns[$0.key].name, $0.value) }
            return (Dictionary(uniqueKeysWithValues: fills), resolved.condition, resolved.obstacles.map(\.code))
        }
    }

    /// The rows of a query, each as its values with a space between.
    func rows(_ sql: String) throws -> [String] {
        try store.writer.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { RecordKey($0).text }.joined(separator: " ")
            }
        }
    }
}

/// Local changes made up by a test.
struct MadeUpChanges: LocalChanges, Sendable {
    var records: SweepStage.Listed = [:]
    var members: Set<RecordKey> = []

    func changedRecords(of plan: EntityPlan, in database: Database) -> Set<RecordKey> { records[plan.name] ?? [] }

    func addedMembers(
        of owner: RecordKey, by join: JoinDescription, in database: Database
    ) -> Set<RecordKey> { members }
}

extension RecordKey: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int64) { self.init(value) }

    package init(stringLiteral value: String) { self.init(value.databaseValue) }
    package init(unicodeScalarLiteral value: String) { self.init(stringLiteral: value) }
    package init(extendedGraphemeClusterLiteral value: String) { self.init(stringLiteral: value) }
}
