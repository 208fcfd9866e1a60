import LockstepEvolution
import LockstepSystem

/// Finds the relationship that an unknown key of a record's JSON is probably meant for, such as `notes_ids` for a
/// relationship that is read from `note_ids` (Rules.md, M13).
package final class RelationshipKeys: Sendable {
    /// The names of all keys that are read.
    private let known: Set<String>
    /// Relationships by the stems of their names, and of their keys without `id`, `ids` and `attributes`.
    private let relationships: [String: Int]
    /// The matches of keys that were looked up before.
    private let matches = Locked<[String: Match?]>([:])

    /// A server may generate keys, so not all are kept.
    private static let matchLimit = 1024

    /// The relationship that a key is probably meant for.
    package struct Match: Sendable {
        package let relationship: Int
        /// Whether the value must be a list or an object: without `id` or `ids`, a key is often that of something else.
        package let isComposite: Bool
    }

    init(_ columns: [ColumnDescription], descriptions: [RelationshipDescription]) {
        let paths = columns.compactMap(\.wire).flatMap { [$0.path] + $0.former } + descriptions.flatMap(\.wire.paths)
        var known = Set(paths.compactMap(\.first).map(KeyName.plain))
        var relationships: [String: Int] = [:]
        for (index, description) in descriptions.enumerated() {
            relationships[Self.stem(KeyName.plain(description.name))] = index
            for key in description.wire.paths.compactMap(\.last) {
                let base = Self.base(KeyName.plain(key)).name
                relationships[Self.stem(base)] = index
                // Records under `lines_attributes` are also read from `lines` (N1).
                if NestedAttributes.shortName(key) != nil { known.insert(base) }
            }
        }
        (self.known, self.relationships) = (known, relationships)
    }

    /// The relationship that an unknown key is probably meant for; `nil` if there is none.
    package func relationship(for key: String) -> Match? {
        if relationships.isEmpty { return nil }
        return matches.withLock { matches in
            if let known = matches[key] { return known }
            let match = find(KeyName.plain(key))
            if matches.count < Self.matchLimit { matches[key] = .some(match) }
            return match
        }
    }

    private func find(_ name: String) -> Match? {
        if known.contains(name) { return nil }
        let (base, isPlain) = Self.base(name)
        guard let relationship = relationships[Self.stem(base)] else { return nil }
        return Match(relationship: relationship, isComposite: isPlain)
    }

    /// The name without its ending.
    private static func base(_ name: String) -> (name: String, isPlain: Bool) {
        for ending in ["attributes", "ids", "id"] where name.hasSuffix(ending) && name.count > ending.count {
            return (String(name.dropLast(ending.count)), ending == "attributes")
        }
        return (name, true)
    }

    /// Returns the stem that the singular and the plural of most names have in common.
    private static func stem(_ name: String) -> String {
        if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
        return name.hasSuffix("s") ? String(name.dropLast()) : name
    }
}

extension RelationshipWire {
    /// All paths that the relationship is read from.
    fileprivate var paths: [[String]] {
        switch self {
        case .none: []
        case .id(let paths, _): paths + [otherPath].compactMap(\.self)
        case .ids, .embedded: [ownPath, otherPath].compactMap(\.self)
        }
    }
}

extension EntityPlan {
    /// The key that a relationship is read from, for messages; `nil` if it is in no record of this entity.
    package func readKey(of relationship: Int) -> String? {
        relationships[relationship].wire.paths.first?.joined(separator: ".")
    }
}
