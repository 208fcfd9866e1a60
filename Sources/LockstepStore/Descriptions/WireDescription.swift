/// How an attribute is spelt in JSON: the keys that lead to it, and how its value is written.
public struct WireDescription: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The keys from the record's object to the value, one or more.
    public let path: [String]
    /// How the value is written.
    public let format: Format

    public enum Format: Sendable, Hashable {
        /// As its type is.
        case plain
        /// Numbers and bools as text.
        case text
        /// Dates, also in lists.
        case date(DateFormat)
    }

    public init(path: [String], format: Format = .plain) {
        self.path = path
        self.format = format
    }

    public init(stringLiteral value: String) { self.init(path: [value]) }

    /// Under the attribute's own name.
    public static let ownName = WireDescription(path: [])

    /// Whether the keys are not given, since they are the attribute's name.
    var isOwnName: Bool { path.isEmpty }

    /// A value under nested keys, or under one that is written in another format.
    public static func path(_ path: [String], format: Format = .plain) -> WireDescription {
        WireDescription(path: path, format: format)
    }
}

/// Keys that lead from a record's object to a value: one, as a string, or several, as a list.
public struct WirePath: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    public let keys: [String]

    public init(_ keys: [String]) { self.keys = keys }

    public init(stringLiteral value: String) { self.init([value]) }

    public init(arrayLiteral elements: String...) { self.init(elements) }
}

/// How a relationship is spelt in JSON.
public enum RelationshipWireDescription: Sendable, Hashable {
    /// Not at all: the other end carries it.
    case none
    /// A to-one by its destination's identity: one path for each column of the key. An object at `embedded` is read
    /// too.
    case id([WirePath], embedded: WirePath? = nil)
    /// A to-many by a list of identities.
    case ids(WirePath)
    /// The whole record, or the list of whole records.
    case embedded(WirePath)
}
