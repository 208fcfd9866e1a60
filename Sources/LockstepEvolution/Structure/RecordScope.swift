/// What a record belongs to on a server. The users who read one record of a scope read all of them.
package enum RecordScope: Codable, Hashable, Sendable {
    /// Each record is a scope of its own.
    case own
    /// One scope that everybody reads.
    case everyone
    /// The scope of the user whom this attribute holds.
    case attribute(String)
    /// The scope of the record that this required to-one relationship refers to.
    case relationship(String)
}

/// The users who read or write records.
package enum AccessRule: Codable, Hashable, Sendable {
    case nobody
    case everyone
    /// The users at the end of any of these paths. There is at least one, and in a structure, they are sorted.
    case users([AccessPath])

    /// The same rule with its paths in the order in which a structure has them.
    package var sorted: AccessRule {
        if case .users(let paths) = self { .users(paths.sorted()) } else { self }
    }
}

/// The way from a record to the users who read or write it: `members.user`.
package struct AccessPath: Codable, Hashable, Sendable {
    /// The relationships that are followed, each of the entity to which the one before leads.
    package var relationships: [String]
    /// The attribute at the end, which holds the user.
    package var attribute: String

    package init(relationships: [String] = [], attribute: String) {
        self.relationships = relationships
        self.attribute = attribute
    }

    /// The names in order.
    package var parts: [String] { relationships + [attribute] }

    /// As it is written in a schema.
    package var text: String { parts.joined(separator: ".") }

    /// Reads ``text``.
    ///
    /// - Returns: `nil` if a part is empty.
    package init?(text: some StringProtocol) {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
        guard parts.allSatisfy({ !$0.isEmpty }), let attribute = parts.popLast() else { return nil }
        self.init(relationships: parts, attribute: attribute)
    }
}

extension AccessPath: Comparable {
    package static func < (first: AccessPath, second: AccessPath) -> Bool { first.text < second.text }
}
