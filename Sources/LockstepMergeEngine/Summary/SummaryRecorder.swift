import LockstepTables

/// Records what one merge does, inside its transaction.
///
/// The parameter `entity` is always the index in the `SchemaPlan`.
final class SummaryRecorder {
    private let plans: SchemaPlan
    let listsIdentities: Bool
    /// Four counts for each entity, by the outcome.
    private var counts: [Int]
    private var lists: [IdentityList]
    /// The first skipped records.
    private var skipped: [SkippedRecord] = []
    private var skippedCounts: [String: Int] = [:]
    private var entitiesWithUnreadable: Set<String> = []
    private var notes: [MergeNote] = []
    private var knownNotes: Set<MergeNote> = []

    init(plans: SchemaPlan, listsIdentities: Bool = true) {
        self.plans = plans
        self.listsIdentities = listsIdentities
        let count = plans.count * MergeOutcome.allCases.count
        counts = Array(repeating: 0, count: count)
        lists = Array(repeating: IdentityList(), count: count)
    }

    private func index(_ outcome: MergeOutcome, of entity: Int) -> Int {
        entity * MergeOutcome.allCases.count + outcome.rawValue
    }

    /// Records the outcome of a record.
    func record(_ outcome: MergeOutcome, entity: Int, key: @autoclosure () -> RecordKey) {
        let index = index(outcome, of: entity)
        counts[index] += 1
        if listsIdentities { lists[index].append(key()) }
    }

    /// Records the outcome of a record whose key is an integer.
    func record(_ outcome: MergeOutcome, entity: Int, integer: Int64) {
        let index = index(outcome, of: entity)
        counts[index] += 1
        if listsIdentities { lists[index].append(integer: integer) }
    }

    /// Records the outcome of a record whose key is a UUID: the two words of its bytes, as in `RecordKey.uuidWords`.
    func record(_ outcome: MergeOutcome, entity: Int, uuid: (UInt64, UInt64)) {
        let index = index(outcome, of: entity)
        counts[index] += 1
        if listsIdentities { lists[index].append(uuid: uuid) }
    }

    /// Records the outcomes of many records.
    func record(_ outcome: MergeOutcome, entity: Int, count: Int, list: IdentityList) {
        let index = index(outcome, of: entity)
        counts[index] += count
        if listsIdentities { lists[index].append(contentsOf: list) }
    }

    /// The number of records of an entity with an outcome so far.
    func count(_ outcome: MergeOutcome, entity: Int) -> Int { counts[index(outcome, of: entity)] }

    /// Records a skipped record.
    func skip(_ record: SkippedRecord) {
        skippedCounts[record.entity, default: 0] += 1
        if record.identity == nil { entitiesWithUnreadable.insert(record.entity) }
        if skipped.count < MergeSummary.maximumListed { skipped.append(record) }
    }

    /// Whether a record of an entity was skipped whose identity cannot be read.
    func hasUnreadable(_ entity: String) -> Bool { entitiesWithUnreadable.contains(entity) }

    /// The skipped records in the order of the payload. Those of a batch are found in several passes, and the order
    /// must not depend on that (Rules.md, M11).
    private var skippedInOrder: [SkippedRecord] {
        skipped.enumerated().sorted { one, other in
            if one.element.index != other.element.index { return one.element.index < other.element.index }
            let paths = (one.element.keyPath, other.element.keyPath)
            return paths.0 == paths.1
                ? one.offset < other.offset : KeyPathOrder.isBefore(paths.0.utf8, paths.1.utf8)
        }.map(\.element)
    }

    /// Adds a note. The same note is added only once.
    func note(_ note: MergeNote) {
        guard note.record == nil || notes.count < MergeSummary.maximumListed, knownNotes.insert(note).inserted else {
            return
        }
        notes.append(note)
    }

    /// The summary of everything that was recorded.
    func summary(isDryRun: Bool = false, trace: MergeTrace? = nil) -> MergeSummary {
        let width = MergeOutcome.allCases.count
        let entities = plans.indices.map { entity in
            let range = entity * width..<(entity + 1) * width
            return EntityMerge(
                entity: plans[entity].name, counts: Array(counts[range]),
                skipped: skippedCounts[plans[entity].name] ?? 0,
                lists: listsIdentities ? Array(lists[range]) : [])
        }
        return MergeSummary(
            entities: entities.filter { !$0.isEmpty }, skipped: skippedInOrder, notes: notes, trace: trace,
            isDryRun: isDryRun)
    }
}
