import Foundation
package import GRDB
import LockstepTables

/// The state that all parts of a merge use: the database and its statements, the staged rows, and the outcome of each
/// record.
///
/// It has no references to the parts that use it. They own it, and it is released with the last of them, along with all
/// of its statements: a database with open statements cannot be closed.
package final class MergeTransaction {
    package let database: Database
    let changes: RawChanges
    let plan: MergePlan
    let options: MergeOptions
    let staging: Staging
    let recorder: SummaryRecorder
    let identities: RemoteIdentities
    let pageCache: PageCache
    /// The entity whose records the payload lists.
    let root: MergeEntity
    let registries: [KeyRegistry]
    /// The changes in each record; `nil` if no trace was requested.
    let changeTrace: ChangeTrace?
    /// How unique values of local records are resolved if a record of the payload needs them.
    let uniqueValues: UniqueValuePolicies
    /// For how long values are kept that only this device has.
    let localValues: LocalValueRetention
    /// Writes what conflicts overwrite into the journal.
    let conflicts: ConflictJournalWriter
    /// The current time.
    let now: @Sendable () -> Date
    /// Merges two rows into one.
    let union: RecordUnion
    /// Stores texts for the duration of the merge.
    let arena = TextArena()
    /// A plan of the same entities without hooks, for reading records that hooks must not see.
    private(set) lazy var planWithoutHooks = MergePlan(plan.schema, isTraced: false)
    private let statements: [EntityStatements]
    private let checkCancelled: () throws -> Void
    /// The skipped records of the record that is being read.
    private var skippedNow: [SkippedRecord] = []
    /// The keys that are not read and are noted already, by the indexes of their entities.
    private var unreadKeys: [Int: Set<String>] = [:]
    private var steps = 0

    /// - Parameter checkCancelled: Throws if the merge is to end. It is called regularly.
    /// - Throws: `MergeError` if the entity is not in the schema, or has no identity.
    init(
        _ root: EntityPlan, plans: SchemaPlan, in database: Database, changes: RawChanges, options: MergeOptions,
        hooks: [String: EntityHooks] = [:], uniqueValues: UniqueValuePolicies = UniqueValuePolicies(),
        localValues: LocalValueRetention = LocalValueRetention(),
        conflictRetention: ConflictRetention = ConflictRetention(), checkCancelled: @escaping () throws -> Void = {}
    ) throws {
        self.uniqueValues = uniqueValues
        self.localValues = localValues
        now = options.now ?? { Date() }
        conflicts = ConflictJournalWriter(conflictRetention, now: now, in: database)
        self.database = database
        self.changes = changes
        self.options = options
        self.checkCancelled = checkCancelled
        plan = MergePlan(plans, isTraced: options.isTraced, hooks: hooks)
        plan.spellings.notesAll = try IdentitySpellings.hasRows(database)
        changeTrace = options.isTraced ? ChangeTrace() : nil
        guard let index = plan.index(of: root) else {
            throw MergeError(
                .otherSchema, entity: root.name, reason: "the store has no such entity",
                remedy: "Merge into an entity of the schema that the store was opened with.")
        }
        self.root = plan.entities[index]
        guard root.hasIdentity else {
            throw MergeError(
                .noIdentity, entity: root.name, reason: "its records have no identity",
                remedy: "Merge them inside their owner, or give the entity an identity in the schema.")
        }
        staging = Staging(plan)
        pageCache = PageCache(database)
        recorder = SummaryRecorder(plans: plans, listsIdentities: options.listsIdentities)
        union = RecordUnion(database: database, changes: changes, plan: plan) { plan in
            if case .adopt = uniqueValues.policy(for: plan).kind { true } else { false }
        }
        identities = try RemoteIdentities(plan, in: database, union: union, makeIdentity: options.newIdentity)
        registries = plan.entities.map { entity in
            KeyRegistry(entity.keyForm == .kept && !options.listsIdentities ? .forgotten : entity.keyForm)
        }
        statements = plans.map { EntityStatements($0, in: database) }
    }

    func statements(of entity: MergeEntity) -> EntityStatements { statements[entity.index] }

    /// The records of an entity that the merge has processed.
    func registry(of entity: MergeEntity) -> KeyRegistry { registries[entity.index] }

    /// The operations that are allowed on a record, by its position in the payload (Rules.md, M9).
    func operations(of origin: Origin) -> MergeOperations { origin.isNested ? options.nested : options.records }

    /// How many records are written between two checks for cancellation.
    private static let stepsBetweenChecks = 256

    func checkCancellation() throws {
        steps += 1
        if steps % Self.stepsBetweenChecks == 0 { try checkCancelled() }
    }

    /// The default of a column; `nil` if it has none.
    func defaultCell(_ entity: MergeEntity, column: Int) -> Cell? {
        entity.defaults[column]?.cell(staging.arena, now: now, newIdentity: options.newIdentity)
            ?? (entity.plan.isOptional[column] ? .null : nil)
    }

    // MARK: Outcomes

    func record(
        _ outcome: KeyRegistry.Outcome, of entity: MergeEntity, fingerprint: KeyFingerprint,
        key: @autoclosure () -> RecordKey, isListed: Bool = true
    ) {
        registries[entity.index].record(outcome, fingerprint: fingerprint, key: key(), isListed: isListed)
    }

    func outcome(_ fingerprint: KeyFingerprint, of entity: MergeEntity) -> KeyRegistry.Outcome? {
        registries[entity.index].outcome(fingerprint)
    }

    /// The outcome of a record whose payload has the list of a relationship.
    func outcome(_ fingerprint: KeyFingerprint, of entity: MergeEntity, statedList: Int) -> KeyRegistry.Outcome? {
        registries[entity.index].outcome(fingerprint, statedList: statedList)
    }

    /// Whether the payload has the members of a relationship of a record.
    func isListStated(_ relationship: Int, of fingerprint: KeyFingerprint, entity: MergeEntity) -> Bool {
        registries[entity.index].isListStated(relationship, of: fingerprint)
    }

    func isListed(_ fingerprint: KeyFingerprint, of entity: MergeEntity) -> Bool {
        registries[entity.index].isListed(fingerprint)
    }

    // MARK: Writing

    /// Deletes a single record: one that belongs to its owner, or one that cannot stay.
    func delete(_ key: [Cell], of entity: MergeEntity) throws {
        let statement = try statements(of: entity).delete.get()
        statement.bind(key)
        try changes.note(.delete, in: entity.plan.table, database: database)
        try statement.execute()
        record(
            .deleted, of: entity, fingerprint: key.fingerprint, key: RecordKey(key.map(\.databaseValue)),
            isListed: false)
    }

    // MARK: Skipping

    /// Reports the skipped records of a record that was read to its end.
    func reportSkipped() {
        guard !skippedNow.isEmpty else { return }
        skippedNow.forEach(recorder.skip)
        skippedNow = []
    }

    /// Forgets the skipped records of a record that could not be read to its end.
    func discardSkipped() { skippedNow = [] }

    /// Skips a staged record whose column is invalid.
    func skip(_ row: Int, of entity: MergeEntity, column: Int?, reason: String) throws {
        let description = column.map { entity.plan.columns[$0] }
        try skip(
            row, of: entity, at: description?.wire?.path ?? description.map { [$0.memberName] } ?? [], reason: reason)
    }

    /// Skips a staged record that is invalid at a path of keys.
    func skip(_ row: Int, of entity: MergeEntity, at path: [String], reason: String) throws {
        staging.skip(row, of: entity.index)
        let origin = staging.tables[entity.index].origins[row]
        try skip(
            entity, record: Int(origin.record), row: row, path: staging.path(to: row, of: entity.index) + path,
            reason: reason, isIdentityMissing: false)
        reportSkipped()
    }

    /// A staged record that is skipped because of columns. It names the first of them that the payload has.
    func skippedRecord(_ row: Int, of entity: MergeEntity, columns: [Int], reason: String) -> SkippedRecord {
        let path = columns.lazy.compactMap { entity.plan.columns[$0].wire?.path }.first ?? []
        return skippedRecord(
            row, of: entity, record: Int(staging.tables[entity.index].origins[row].record),
            path: staging.path(to: row, of: entity.index) + path, reason: reason)
    }

    private func skippedRecord(
        _ row: Int, of entity: MergeEntity, record: Int, path: [String], reason: String
    ) -> SkippedRecord {
        let cells = staging.tables[entity.index].row(row)
        let key = entity.wireKeyColumns.map { cells[$0] }
        let isKnown = !key.isEmpty && key.allSatisfy(\.isValue)
        return SkippedRecord(
            index: record, keyPath: path.joined(separator: "."), entity: entity.plan.name,
            identity: isKnown ? RecordKey(key.map(\.databaseValue)).text : nil, reason: reason)
    }
}

extension MergeTransaction: SkipRecorder {
    func skip(
        _ entity: MergeEntity, record: Int, row: Int, path: [String], reason: String, isIdentityMissing: Bool
    ) throws {
        let skipped = skippedRecord(row, of: entity, record: record, path: path, reason: reason)
        // A record without an identity cannot be matched, so it is always skipped (Rules.md, M4).
        if options.invalidRecords == .abort, !isIdentityMissing { throw MergeError(skipped) }
        skippedNow.append(skipped)
    }

    func noteUnread(_ key: String, for relationship: Int, of entity: MergeEntity) {
        guard unreadKeys[entity.index, default: []].insert(key).inserted else { return }
        let name = entity.plan.relationships[relationship].name
        let read =
            entity.plan.readKey(of: relationship).map { "which is read from “\($0)”" }
            ?? "which is not in the JSON of this entity"
        recorder.note(
            MergeNote(
                .unreadRelationship, entity: entity.plan.name,
                text: "“\(key)” is not read, but looks like the relationship “\(name)”, \(read)"))
    }
}
