public import LockstepStore

/// What a merge did.
///
/// ```swift
/// let summary = try await store.merge(body, into: Entry.self)
/// print(summary)                                       // Entry: 3 inserted, 1 updated, 96 unchanged
/// let fresh = summary.identities(.inserted, of: Entry.self)
/// ```
public struct MergeSummary: Sendable {
    /// What was done to each entity that the merge had to do with, in the order of the schema.
    public let entities: [EntityMerge]
    /// The records that were not merged, in the order of the payload; the first ``maximumListed`` of them.
    /// ``EntityMerge/skipped`` counts all.
    public let skipped: [SkippedRecord]
    /// What else is worth knowing: why nothing was deleted, which records were kept; at most ``maximumListed``.
    public let notes: [MergeNote]
    /// What was done in detail; `nil` unless ``MergeOptions/isTraced`` was set.
    public let trace: MergeTrace?
    /// Whether everything was rolled back: the summary then tells what the merge would have done.
    public let isDryRun: Bool

    /// So many skipped records and notes are listed. A payload of ten million records that are all wrong would else
    /// take gigabytes to tell so.
    public static let maximumListed = 100_000

    init(
        entities: [EntityMerge] = [], skipped: [SkippedRecord] = [], notes: [MergeNote] = [],
        trace: MergeTrace? = nil, isDryRun: Bool = false
    ) {
        self.entities = entities
        self.skipped = skipped
        self.notes = notes
        self.trace = trace
        self.isDryRun = isDryRun
    }

    /// How many records were not here before, of all entities.
    public var inserted: Int { count(.inserted) }
    /// How many records were changed, of all entities.
    public var updated: Int { count(.updated) }
    /// How many records were listed and are as they were, of all entities.
    public var unchanged: Int { count(.unchanged) }
    /// The names of the entities of which records were deleted.
    var deletedEntities: Set<String> { Set(entities.filter { $0.deleted > 0 }.map(\.entity)) }

    /// How many records were deleted, of all entities.
    public var deleted: Int { count(.deleted) }

    /// How many records had this outcome, of all entities.
    public func count(_ outcome: MergeOutcome) -> Int { entities.reduce(0) { $0 + $1.count(outcome) } }

    /// Whether something was written.
    public var hasChanges: Bool { entities.contains(where: \.hasChanges) }

    /// What was done to the records of one entity.
    public subscript<Object: Model>(type: Object.Type) -> EntityMerge {
        entities.first { $0.entity == Object.entity.name } ?? EntityMerge(entity: Object.entity.name)
    }

    /// The identities of the records of one entity that had this outcome.
    ///
    /// A merge may have a million; they are made when they are asked for. There are none where
    /// ``MergeOptions/listsIdentities`` was off.
    public func identities<Object: Model>(_ outcome: MergeOutcome, of type: Object.Type) -> [Object.Identity] {
        let lists = self[type].lists
        return lists.isEmpty ? [] : lists[outcome.rawValue].identities(of: type)
    }
}

extension MergeSummary: CustomStringConvertible {
    /// How many skipped records and notes the description shows.
    private static let shownCount = 5

    /// One line for each entity, with the first of what was skipped, and of the notes; of a dry run with the first
    /// identities, of a traced merge with its trace:
    /// `Entry: 3 inserted, 96 unchanged, 1 skipped (record 17, title: is required)`.
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
