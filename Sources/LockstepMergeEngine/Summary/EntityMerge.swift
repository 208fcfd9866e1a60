package import LockstepTables

/// The result of a merge for the records of one entity.
public struct EntityMerge: Sendable {
    /// The entity, by its name in the schema.
    public let entity: String
    /// The number of records that were not in the store before.
    public let inserted: Int
    /// The number of records that were changed.
    public let updated: Int
    /// The number of records that were listed and did not change.
    public let unchanged: Int
    /// The number of records that were deleted, including those that were deleted by cascades.
    public let deleted: Int
    /// The number of records that were skipped.
    public let skipped: Int
    package let lists: [IdentityList]

    package init(entity: String, counts: [Int] = [0, 0, 0, 0], skipped: Int = 0, lists: [IdentityList] = []) {
        self.entity = entity
        inserted = counts[MergeOutcome.inserted.rawValue]
        updated = counts[MergeOutcome.updated.rawValue]
        unchanged = counts[MergeOutcome.unchanged.rawValue]
        deleted = counts[MergeOutcome.deleted.rawValue]
        self.skipped = skipped
        self.lists = lists
    }

    /// Returns the number of records with an outcome.
    package func count(_ outcome: MergeOutcome) -> Int {
        switch outcome {
        case .inserted: inserted
        case .updated: updated
        case .unchanged: unchanged
        case .deleted: deleted
        }
    }

    func adding(_ other: EntityMerge) -> EntityMerge {
        let lists = MergeOutcome.allCases.map { outcome in
            var list = self.lists.isEmpty ? IdentityList() : self.lists[outcome.rawValue]
            if !other.lists.isEmpty { list.append(contentsOf: other.lists[outcome.rawValue]) }
            return list
        }
        return EntityMerge(
            entity: entity, counts: MergeOutcome.allCases.map { count($0) + other.count($0) },
            skipped: skipped + other.skipped, lists: self.lists.isEmpty && other.lists.isEmpty ? [] : lists)
    }

    /// Whether the merge did nothing with the entity.
    package var isEmpty: Bool { inserted + updated + unchanged + deleted + skipped == 0 }

    /// Whether records were inserted, updated or deleted.
    public var hasChanges: Bool { inserted + updated + deleted > 0 }

    /// The keys of the records with an outcome.
    package func keys(_ outcome: MergeOutcome) -> [RecordKey] {
        lists.isEmpty ? [] : lists[outcome.rawValue].keys
    }
}

extension EntityMerge: CustomStringConvertible {
    /// `Entry: 3 inserted, 1 updated, 96 unchanged`
    public var description: String { text(identities: 0) }

    /// The description with the first identities, if they are listed: `Entry: 2 inserted (17, 18)`
    func text(identities shownCount: Int) -> String {
        var parts = MergeOutcome.allCases.filter { count($0) > 0 }.map { outcome in
            let text = "\(count(outcome)) \(outcome)"
            guard shownCount > 0, outcome != .unchanged, !lists.isEmpty else { return text }
            let shown = keys(outcome).prefix(shownCount).map(\.text).joined(separator: ", ")
            return "\(text) (\(shown)\(count(outcome) > shownCount ? ", …" : ""))"
        }
        if skipped > 0 { parts.append("\(skipped) skipped") }
        return "\(entity): \(parts.isEmpty ? "nothing" : parts.joined(separator: ", "))"
    }
}
