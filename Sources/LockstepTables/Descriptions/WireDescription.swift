package import LockstepEvolution

/// How an attribute is encoded in JSON: the keys that lead to it, and the format of its value.
package struct WireDescription: Sendable, Hashable {
    /// The keys from the record's object to the value, one or more.
    package let path: [String]
    /// The format of the value.
    package let format: Format
    /// The keys under which earlier versions sent the value, each a path. They are read if the key is missing, in this
    /// order, and are never sent.
    package let former: [[String]]
    /// Whether only the server sets the value: it is read and never sent.
    package let isReadOnly: Bool

    package enum Format: Sendable, Hashable {
        /// The format of its type.
        case plain
        /// Numbers and bools as text.
        case text
        /// Dates, including those in lists.
        case date(DateFormat)
        /// A UUID of an identity, in upper case unless the server has sent it in another spelling.
        case uppercase
    }

    package init(path: [String], format: Format = .plain, former: [[String]] = [], isReadOnly: Bool = false) {
        self.path = path
        self.format = format
        self.former = former
        self.isReadOnly = isReadOnly
    }
}

/// The keys from a record's object to a value: one, as a string, or several, as a list.
public struct WirePath: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    package let keys: [String]

    public init(_ keys: [String]) { self.keys = keys }

    public init(stringLiteral value: String) { self.init([value]) }

    public init(arrayLiteral elements: String...) { self.init(elements) }
}

extension RelationshipWire {
    /// The form of links in the rows of a join table, which hold the keys of both ends: lists, even of one identity.
    var ofJoinTable: RelationshipWire {
        guard case .id(let paths, let embedded) = self, let path = paths.first else { return self }
        return .ids(path: path, embeddedPath: embedded)
    }

    /// The keys that lead to the embedded record or records, or to the identities.
    package var path: [String] {
        switch self {
        case .none: []
        case .id(let paths, let embedded): embedded.isEmpty ? paths[0] : embedded
        case .ids(let path, let embedded): embedded.isEmpty ? path : embedded
        case .embedded(let path, _): path
        }
    }

    /// The path of a list or of embedded records; `nil` for keys and for what is not sent.
    package var ownPath: [String]? {
        switch self {
        case .none, .id: nil
        case .ids(let path, _), .embedded(let path, _): path
        }
    }

    /// The path of the form that is read, but not sent: the object beside a key, records beside identities, or
    /// identities beside records; `nil` if there is none.
    package var otherPath: [String]? {
        switch self {
        case .none: nil
        case .id(_, let path), .ids(_, let path), .embedded(_, let path): path.isEmpty ? nil : path
        }
    }

    /// Whether both forms of a to-many are in one list, whose elements are identities or records.
    package var isMixed: Bool { otherPath != nil && otherPath == ownPath }
}
