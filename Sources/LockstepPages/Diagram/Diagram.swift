package import LockstepSchema

/// The contents of a diagram of a schema: a box for each entity, and a link for each relationship with its inverse.
package struct Diagram: Hashable, Sendable {
    /// The schema's name.
    package var name: String
    package var version: Int
    package var boxes: [DiagramBox]
    package var links: [DiagramLink]
}

/// An entity of a diagram.
package struct DiagramBox: Hashable, Sendable {
    package var entity: String
    package var documentation: String?
    /// Whether its records stay on the device.
    package var isLocal: Bool
    /// What a record belongs to on a server, as the schema writes it; `nil` if the schema does not say.
    package var scope: String?
    /// Keys first, then attributes in the order of their declaration, then the to-one relationships that have a foreign
    /// key.
    package var rows: [Row]

    package struct Row: Hashable, Sendable {
        package var name: String
        /// The type without optionality; for a foreign key, the destination.
        package var type: String
        package var isOptional: Bool
        /// Whether it is a property of the model only, without a column.
        package var isTransient = false
        /// Contains several kinds for a foreign key that is unique or part of the identity.
        package var keys: [Key]
    }

    package enum Key: String, Hashable, Sendable {
        case primary = "PK"
        case foreign = "FK"
        case unique = "UK"
    }
}

/// A relationship with its inverse.
package struct DiagramLink: Hashable, Sendable {
    /// The end that the other one refers to: the “one” of a one-to-many relationship.
    package var parent: End
    package var child: End

    package struct End: Hashable, Sendable {
        package var entity: String
        /// The relationship of this entity that leads to the other end; `nil` if the schema declares none.
        package var relationship: String?
        package var deleteRule: DeleteRule
        /// Whether the JSON of this entity contains the records of the other end.
        package var isEmbedding: Bool
        /// The number of records of this entity that a record of the other end has.
        package var count: Count
    }

    package enum Count: Hashable, Sendable {
        case one, zeroOrOne, zeroOrMore
    }

    /// Whether both ends are the same relationship.
    package var isSymmetric: Bool {
        parent.entity == child.entity && parent.relationship == child.relationship && parent.relationship != nil
    }

    package var isLoop: Bool { parent.entity == child.entity }
}

extension DiagramBox {
    /// A few words beside its name.
    package var note: String? { isLocal ? "on the device" : scope.map { "scope: \($0)" } }
}

extension DiagramLink.End {
    /// The name of the relationship with its properties: `comments · cascade · embedded`. `nullify`, the default rule,
    /// is omitted. `nil` if there is no such relationship.
    package var label: String? {
        guard let relationship else { return nil }
        var parts = [relationship]
        if deleteRule != .nullify { parts.append(deleteRule == .none ? "no delete rule" : deleteRule.rawValue) }
        if isEmbedding { parts.append("embedded") }
        return parts.joined(separator: " · ")
    }
}

extension DiagramLink {
    /// The labels of both ends, the parent's first; only one if both ends are the same relationship.
    package var labels: [String] {
        isSymmetric ? [parent.label].compactMap(\.self) : [parent.label, child.label].compactMap(\.self)
    }
}
