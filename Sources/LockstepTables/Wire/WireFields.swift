import LockstepEvolution

/// The targets of the values that representations of an entity encode: a column, key or relationship for each.
///
/// A representation always encodes its values in the same order, so a target is looked up once, and then only compared
/// with the one that followed the last time.
package final class WireFields {
    package let plan: EntityPlan
    private var fields: [Field] = []
    private var next = 0
    private lazy var targets = Self.targets(of: plan)

    package init(_ plan: EntityPlan) { self.plan = plan }

    /// The target of an encoded value in the store.
    package enum Target: Sendable, Hashable {
        /// The attribute in this column.
        case column(Int)
        /// A part of the wire identity of the record that a to-one points at.
        case key(relationship: Int, part: Int)
        /// The wire identities of a to-many.
        case identities(relationship: Int)
        /// The record, or the records, of a relationship.
        case embedded(relationship: Int)
        /// None: only a representation that was not generated can encode such a value.
        case unknown
    }

    /// The target of a value.
    package struct Field: Sendable {
        /// The coding key.
        package let key: String
        /// The keys from the record's object to the value.
        package let path: [String]
        package let target: Target
        package let limits: Limits

        /// The field of an element, if the value is a list.
        func element(_ index: Int) -> Field {
            let path = path.dropLast() + ["\(path.last ?? "")[\(index)]"]
            return Field(key: key, path: Array(path), target: target, limits: limits)
        }
    }

    /// The target of the next value.
    ///
    /// - Parameter path: `nil` if the key is all of it.
    func field(of key: String, at path: [String]?) -> Field {
        defer { next += 1 }
        if next < fields.count, fields[next].key == key { return fields[next] }
        let path = path ?? [key]
        let target = targets[path] ?? .unknown
        let field = Field(key: key, path: path, target: target, limits: limits(of: target, at: path))
        fields.removeSubrange(min(next, fields.count)...)
        fields.append(field)
        return field
    }

    /// A link has the limits of the identity that it is.
    private func limits(of target: Target, at path: [String]) -> Limits {
        let link: (relationship: Int, part: Int)
        switch target {
        case .key(let relationship, let part): link = (relationship, part)
        case .identities(let relationship): link = (relationship, 0)
        case .column, .embedded, .unknown: return plan.limitsByWirePath[path] ?? .none
        }
        let destination = plan.relationships[link.relationship].destination
        return destination.columns[destination.serverKeyColumns[link.part]].limits
    }

    /// Runs `body` while a representation encodes itself, beginning with its first value. It may be embedded in another
    /// one of its entity.
    func collecting(_ body: () -> Void) {
        let outer = next
        next = 0
        body()
        next = outer
    }

    private static func targets(of plan: EntityPlan) -> [[String]: Target] {
        var targets: [[String]: Target] = [:]
        for (column, description) in plan.columns.enumerated() {
            if let wire = description.wire { targets[wire.path] = .column(column) }
        }
        for (relationship, description) in plan.relationships.enumerated() {
            switch description.wire {
            case .none: break
            case .id(let paths, _):
                for (part, path) in paths.enumerated() { targets[path] = .key(relationship: relationship, part: part) }
            case .ids(let path, _): targets[path] = .identities(relationship: relationship)
            case .embedded(let path, _): targets[path] = .embedded(relationship: relationship)
            }
        }
        return targets
    }
}
