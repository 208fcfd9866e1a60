package import LockstepTables

/// The result of a merge.
///
/// ```swift
/// let summary = try await store.merge(body, into: Entry.self)
/// print(summary)                                       // Entry: 3 inserted, 1 updated, 96 unchanged
/// let fresh = summary.identities(.inserted, of: Entry.self)
/// ```
public struct MergeSummary: Sendable {
    /// The result for each entity that the merge involved, in the order of the schema.
    public let entities: [EntityMerge]
    /// The records that were skipped, in the order of the payload, up to ``maximumListed``. ``EntityMerge/skipped``
    /// counts all of them.
    public let skipped: [SkippedRecord]
    /// Other information, such as why nothing was deleted or which records were kept, up to ``maximumListed``.
    public let notes: [MergeNote]
    /// The details of the merge; `nil` unless ``MergeOptions/isTraced`` was set.
    public let trace: MergeTrace?
    /// Whether everything was rolled back. In this case the summary reports what a merge would have done.
    public let isDryRun: Bool

    /// The maximum number of listed skipped records and notes. Without it, a payload of ten million invalid records
    /// would need gigabytes for its summary.
    public static let maximumListed = 100_000

    package init(
        entities: [EntityMerge] = [], skipped: [SkippedRecord] = [], notes: [MergeNote] = [],
        trace: MergeTrace? = nil, isDryRun: Bool = false
    ) {
        self.entities = entities
        self.skipped = skipped
        self.notes = notes
        self.trace = trace
        self.isDryRun = isDryRun
    }

    /// The result of two merges of one payload, one after the other.
    package func adding(_ other: MergeSummary, of plans: SchemaPlan) -> MergeSummary {
        let all = Dictionary(grouping: entities + other.entities, by: \.entity)
        let known = Set(notes)
        return MergeSummary(
            entities: plans.compactMap { plan in
                all[plan.name]?.reduce(EntityMerge(entity: plan.name)) { $0.adding($1) }
            },
            skipped: Array((skipped + other.skipped).prefix(Self.maximumListed)),
            notes: Array((notes + other.notes.filter { !known.contains($0) }).prefix(Self.maximumListed)))
    }

    /// The number of records that were not in the store before, of all entities.
    public var inserted: Int { count(.inserted) }
    /// The number of records that were changed, of all entities.
    public var updated: Int { count(.updated) }
    /// The number of records that were listed and did not change, of all entities.
    public var unchanged: Int { count(.unchanged) }
    /// The names of the entities with deleted records.
    var deletedEntities: Set<String> { Set(entities.filter { $0.deleted > 0 }.map(\.entity)) }

    /// The number of records that were deleted, of all entities.
    public var deleted: Int { count(.deleted) }

    /// Returns the number of records with an outcome, of all entities.
    package func count(_ outcome: MergeOutcome) -> Int { entities.reduce(0) { $0 + $1.count(outcome) } }

    /// Whether records were inserted, updated or deleted.
    public var hasChanges: Bool { entities.contains(where: \.hasChanges) }
}

extension MergeSummary: CustomStringConvertible {
    /// The maximum number of skipped records and notes in the description.
    private static let shownCount = 5

    /// One line for each entity with its first skipped records, and one for each of the first notes. For a dry run it
    /// includes the first identities, for a traced merge its trace: `Entry: 3 inserted, 96 unchanged, 1 skipped (record
    /// 17, title: is required)`.
    public var description: String {
        var lines = entities.map(line)
        lines += notes.prefix(Self.shownCount).map(\.description)
        if notes.count > Self.shownCount { lines.append("and \(notes.count - Self.shownCount) more notes") }
        if lines.isEmpty { lines = ["nothing to merge"] }
        if isDryRun { lines.insert("Nothing was written; a merge would do this.", at: 0) }
        if let trace, !trace.isEmpty { lines.append(trace.description) }
        return lines.joined(separator: "\n")
    }

    private func line(_ entity: EntityMerge) -> String {
        let entityText = isDryRun ? entity.text(identities: Self.shownCount) : entity.description
        guard entity.skipped > 0 else { return entityText }
        let records = skipped.lazy.filter { $0.entity == entity.entity }.prefix(Self.shownCount)
        let more = entity.skipped > Self.shownCount ? "; …" : ""
        return "\(entityText) (\(records.map(\.description).joined(separator: "; "))\(more))"
    }
}
