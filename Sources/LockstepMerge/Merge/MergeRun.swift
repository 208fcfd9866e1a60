import Foundation
import GRDB
import LockstepStore

/// One merge, inside of its transaction: takes records one by one, and writes them in batches.
///
/// What a batch is made of does not show in what comes out (Rules.md, M11): it only bounds the memory.
final class MergeRun {
    let database: Database
    let changes: RawChanges
    let plan: MergePlan
    let options: MergeOptions
    let staging: Staging
    let recorder: SummaryRecorder
    let identities: RemoteIdentities
    let pageCache: PageCache
    /// The entity whose records the payload lists.
    let root: MergeEntity
    private let registries: [KeyRegistry]
    private let statements: [EntityStatements]
    lazy var reader = RecordReader(
        staging, self, missingKeys: options.missingKeys, ownership: options.ownership)
    private(set) lazy var links = LinkMerge(self)
    private(set) lazy var displaced = DisplacedRecords(self)
    private(set) lazy var sweeper = makeSweep()
    /// What is changed in each record; `nil` where nobody asks.
    let changeTrace: ChangeTrace?
    /// Records that wait for a unique value until all others are written.
    private(set) lazy var parked = ParkedRecords(self)
    /// What earlier tries of this merge have found out.
    var lessons: MergeLessons
    /// What is done about records made here that have values which the payload's want.
    let uniqueValues: UniqueValuePolicies
    /// What makes two records one.
    let union: RecordUnion
    /// The refused records that are reported, by entity and identity.
    var reportedRefusals: [Int: Set<KeyFingerprint>] = [:]
    private let checkCancelled: () throws -> Void
    /// What the scope gives to records that lack it, by column; the relationship where that is a part of its key.
    var fill: [(column: Int, cell: Cell, relationship: Int?)] = []
    /// What the payload is about; `nil` for everything.
    var scope: ResolvedScope?
    /// Keeps the texts of the scope as long as the merge goes on.
    let scopeArena = TextArena()
    /// Whether the payload is one record rather than a list.
    var isOneRecord = false
    /// What owners no longer list.
    var dropped: [RecordReference] = []
    /// What was changed here and is not confirmed; `nil` where nothing was.
    var local: LocalEdits?
    /// Members that were sent without an identity; `nil` where none are waited for.
    var sentMembers: SentMemberMatch?
    /// For records that no hook is to see.
    private(set) lazy var planWithoutHooks = MergePlan(plan.entities.map(\.plan), isTraced: false)

    /// The staged rows take no more than this, in bytes: enough to match 100,000 records by one look at the table.
    private static let sizeLimit = 32 * 1024 * 1024

    /// - Parameter checkCancelled: Throws where the merge is to end; asked now and then.
    init(
        _ root: EntityPlan, _ plans: [EntityPlan], _ database: Database, _ changes: RawChanges, _ options: MergeOptions,
        hooks: [String: EntityHooks] = [:], lessons: MergeLessons = MergeLessons(),
        uniqueValues: UniqueValuePolicies = UniqueValuePolicies(),
        checkCancelled: @escaping () throws -> Void
    ) throws {
        self.lessons = lessons
        self.uniqueValues = uniqueValues
        self.database = database
        self.changes = changes
        self.options = options
        self.checkCancelled = checkCancelled
        plan = MergePlan(plans, isTraced: options.isTraced, hooks: hooks)
        changeTrace = options.isTraced ? ChangeTrace() : nil
        guard let place = plan.place(of: root) else {
            throw MergeError(
                .otherSchema, entity: root.name, reason: "the store has no such entity",
                remedy: "Merge into an entity of the schema that the store was opened with.")
        }
        self.root = plan.entities[place]
        if case .none = root.identity {
            throw MergeError(
                .noIdentity, entity: root.name, reason: "its records cannot be told apart",
                remedy: "Merge them inside their owner, or give the entity an identity in the schema.")
        }
        staging = Staging(plan)
        pageCache = PageCache(database)
        recorder = SummaryRecorder(plans: plans, listsIdentities: options.listsIdentities)
        union = RecordUnion(database: database, changes: changes, plan: plan) { plan in
            if case .adopt = uniqueValues.policy(for: plan).kind { true } else { false }
        }
        identities = try RemoteIdentities(plan, database, union, options.newIdentity)
        registries = plan.entities.map { entity in
            KeyRegistry(entity.keyForm == .kept && !options.listsIdentities ? .forgotten : entity.keyForm)
        }
        statements = plans.map { EntityStatements($0, database) }
    }

    // MARK: Taking records

    /// Takes the record that comes next.
    ///
    /// Where it throws a `JSONSyntaxError`, nothing of the record is kept: more bytes may make it whole.
    ///
    /// - Parameter mapKey: The key that the record stands under.
    func take(_ scanner: inout JSONScanner, index: Int, mapKey: JSONScanner.Text? = nil) throws {
        do {
            let row = try reader.read(&scanner, root, Origin(record: Int32(index)), mapKey: mapKey)
            try didStage(row)
            tellSkipped()
        } catch let error as JSONSyntaxError {
            staging.removeLast(index)
            plan.tally?.discard()
            skippedNow = []
            throw error
        }
    }

    /// Completes a record at the top that is staged.
    func didStage(_ row: Int) throws {
        try callHooks()
        plan.tally?.commit()
        guard !fill.isEmpty else { return }
        let table = staging.tables[root.place]
        let cells = table.row(row)
        for (column, cell, relationship) in fill where cells[column].kind == .absent {
            // An embedded record tells too.
            if let relationship, table.hasLink(of: row, relationship) { continue }
            cells[column] = cell
        }
    }

    private var recordsSinceLook = 0

    /// How many records are taken between two looks at the memory that they take.
    private static let recordsBetweenLooks = 256

    /// Writes what is staged, if that is much.
    ///
    /// - Returns: Whether it was.
    @discardableResult
    func flushIfFull() throws -> Bool {
        recordsSinceLook += 1
        guard recordsSinceLook >= min(Self.recordsBetweenLooks, options.batchRecordLimit) else { return false }
        recordsSinceLook = 0
        guard staging.size > Self.sizeLimit || options.batchRecordLimit < .max else { return false }
        try flush()
        return true
    }

    /// Writes what is staged. What it points at in the payload is not needed any more.
    func flush() throws {
        try sentMembers?.match()
        let resolver = LinkResolver(staging: staging, identities: identities)
        try resolver.resolve()
        for (table, link) in resolver.withoutRequired() {
            let relationship = table.entity.plan.relationships[Int(link.relationship)]
            try skip(Int(link.row), of: table.entity, relationship.wire.path, "is required; it is null")
        }
        try leaveOutRefused()
        let merges = try decide()
        noteSkipped()
        let skipCount = staging.skipCount
        try write(merges)
        if staging.skipCount > skipCount { noteSkipped() }
        for merge in merges {
            try merge.writeSettlements()
            merge.noteOutcomes()
        }
        try replaceRecords()
        merges.forEach { $0.leave() }
        try links.write()
        try linkToOwner()
        try reserveSkipped()
        try identities.reserveMissing()
        if parked.isEmpty {
            try identities.forgetWritten(
                beyond: min(RemoteIdentities.knownLimit, options.batchRecordLimit),
                isAllWritten: staging.skipCount == 0 && staging.replacements.isEmpty)
        }
        registries.forEach { $0.rest() }
        staging.removeAll()
    }

    /// Finds out what is to be written: what records say of each other first, then what differs.
    ///
    /// Where a record turns out to be wrong, what is nested in it is not merged either, and another row of the same
    /// record may count instead.
    private func decide() throws -> [TableMerge] {
        while true {
            let skipCount = staging.skipCount
            let merges = staging.tables.filter { $0.count > 0 && !$0.entity.isOwned }.map {
                TableMerge($0, statements[$0.entity.place], self)
            }
            let isContested = try links.settle(merges)
            for merge in merges {
                try checkCancellation()
                try merge.decide()
            }
            let isAffected = staging.hasNested || isContested || merges.contains(where: \.hasLeftOut)
            if staging.skipCount == skipCount || !isAffected { return merges }
            merges.forEach { $0.giveBack() }
        }
    }

    /// What came of it all.
    func finish() throws -> MergeSummary {
        try flush()
        try links.finish()
        try displaced.settle()
        for pair in try identities.settle() { Twins(self).note(pair.plan, pair.other) }
        try local?.deleteUnwanted()
        try sweep()
        try parked.settle()
        try local?.settle()
        for (place, registry) in registries.enumerated() { registry.tell(recorder, entity: place) }
        let summary = recorder.summary(isDryRun: options.isDryRun, trace: trace())
        try callDidMerge(summary)
        return summary
    }

    /// The records that are skipped of the one that is being read.
    private var skippedNow: [SkippedRecord] = []

    func tellSkipped() {
        guard !skippedNow.isEmpty else { return }
        skippedNow.forEach(recorder.skip)
        skippedNow = []
    }

    // MARK: What its parts ask

    func statements(of entity: MergeEntity) -> EntityStatements { statements[entity.place] }

    /// What the merge has met of an entity's records.
    func registry(of entity: MergeEntity) -> KeyRegistry { registries[entity.place] }

    /// What may be done with a record, by where it is in the payload (Rules.md, M9).
    func switches(of origin: Origin) -> MergeSwitches { origin.isNested ? options.nested : options.records }

    func note(
        _ outcome: KeyRegistry.Outcome, _ entity: MergeEntity, _ fingerprint: KeyFingerprint,
        _ key: @autoclosure () -> RecordKey, isListed: Bool = true
    ) {
        registries[entity.place].note(outcome, fingerprint, key(), isListed: isListed)
    }

    func outcome(_ fingerprint: KeyFingerprint, of entity: MergeEntity) -> KeyRegistry.Outcome? {
        registries[entity.place].outcome(fingerprint)
    }

    /// The same of a record whose list of a relationship is told.
    func outcome(_ fingerprint: KeyFingerprint, of entity: MergeEntity, toldList: Int) -> KeyRegistry.Outcome? {
        registries[entity.place].outcome(fingerprint, toldList: toldList)
    }

    /// Whether the payload has told the members of a relationship of a record.
    func isTold(_ relationship: Int, of fingerprint: KeyFingerprint, _ entity: MergeEntity) -> Bool {
        registries[entity.place].isTold(relationship, of: fingerprint)
    }

    func isListed(_ fingerprint: KeyFingerprint, of entity: MergeEntity) -> Bool {
        registries[entity.place].isListed(fingerprint)
    }

    private var steps = 0

    /// How many records are written between two looks at whether the merge was cancelled.
    private static let stepsBetweenChecks = 256

    func checkCancellation() throws {
        steps += 1
        if steps % Self.stepsBetweenChecks == 0 { try checkCancelled() }
    }

    /// The default of a column; `nil` where it has none.
    func defaultCell(_ entity: MergeEntity, _ column: Int) -> Cell? {
        entity.defaults[column]?.cell(staging.arena, now: options.now, newIdentity: options.newIdentity)
            ?? (entity.plan.isOptional[column] ? .null : nil)
    }

    /// Whether a record has never reached the server, which cannot list it then.
    func isOnlyHere(_ key: [Cell], _ entity: MergeEntity) throws -> Bool {
        if let edits = try local?.edits(of: entity), try edits.pending(of: key)?.change == .create {
            return true
        }
        // One that waits for a unique value has its identity back at the end of the merge.
        guard let remote = entity.plan.remoteColumn, sentMembers?.isGone(key, entity) != true,
            !parked.has(key.fingerprint, entity)
        else { return false }
        let find = try statements(of: entity).find.get()
        find.bind(key)
        defer { find.reset() }
        return try find.step() && find.cell(remote).kind == .null
    }

    /// Deletes a record that its owner no longer lists, unless it turns out to be listed elsewhere.
    ///
    /// It waits for the end: a later part of the payload may have it.
    func drop(_ key: [Cell], _ entity: MergeEntity) {
        dropped.append(RecordReference(entity: entity.place, key: RecordKey(key.map(\.databaseValue))))
    }

    /// Deletes a record and nothing else: one that belongs to its owner, or that could not stay.
    func delete(_ key: [Cell], _ entity: MergeEntity) throws {
        let statement = try statements(of: entity).delete.get()
        statement.bind(key)
        try changes.note(.delete, in: entity.plan.table, database)
        try statement.execute()
        note(.deleted, entity, key.fingerprint, RecordKey(key.map(\.databaseValue)), isListed: false)
    }

    /// Skips a staged record whose column is wrong.
    func skip(_ row: Int, of entity: MergeEntity, _ column: Int?, _ reason: String) throws {
        let description = column.map { entity.plan.columns[$0] }
        try skip(row, of: entity, description?.wire?.path ?? description.map { [$0.memberName] } ?? [], reason)
    }

    /// Skips a staged record that is wrong at a path of keys.
    private func skip(_ row: Int, of entity: MergeEntity, _ path: [String], _ reason: String) throws {
        staging.skip(row, of: entity.place)
        let origin = staging.tables[entity.place].origins[row]
        try skip(
            entity, record: Int(origin.record), row: row, path: staging.path(to: row, of: entity.place) + path,
            reason: reason, isIdentityMissing: false)
        tellSkipped()
    }

    /// A staged record that is skipped because of columns, of which the first that travels is named.
    func skippedRecord(_ row: Int, of entity: MergeEntity, columns: [Int], _ reason: String) -> SkippedRecord {
        let path = columns.lazy.compactMap { entity.plan.columns[$0].wire?.path }.first ?? []
        return skippedRecord(
            row, of: entity, record: Int(staging.tables[entity.place].origins[row].record),
            path: staging.path(to: row, of: entity.place) + path, reason)
    }

    private func skippedRecord(
        _ row: Int, of entity: MergeEntity, record: Int, path: [String], _ reason: String
    ) -> SkippedRecord {
        let cells = staging.tables[entity.place].row(row)
        let key = entity.wireKeyColumns.map { cells[$0] }
        let isKnown = !key.isEmpty && key.allSatisfy(\.isValue)
        return SkippedRecord(
            index: record, keyPath: path.joined(separator: "."), entity: entity.plan.name,
            identity: isKnown ? RecordKey(key.map(\.databaseValue)).text : nil, reason: reason)
    }
}

extension MergeRun: SkipRecorder {
    func skip(
        _ entity: MergeEntity, record: Int, row: Int, path: [String], reason: String, isIdentityMissing: Bool
    ) throws {
        let skipped = skippedRecord(row, of: entity, record: record, path: path, reason)
        // A record that cannot be matched is always left out: there is nothing that it could be (Rules.md, M4).
        if options.invalidRecords == .abort, !isIdentityMissing { throw MergeError(skipped) }
        skippedNow.append(skipped)
    }
}
