/// How an attribute is encoded in JSON: the keys that lead to it, and the format of its value.
public struct WireDescription: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The keys from the record's object to the value, one or more.
    public let path: [String]
    /// The format of the value.
    public let format: Format
    /// The keys under which earlier versions sent the value, each a path. They are read if the key is missing, in this
    /// order, and are never sent.
    public let former: [[String]]
    /// Whether only the server sets the value: it is read and never sent.
    public let isReadOnly: Bool

    public enum Format: Sendable, Hashable {
        /// The format of its type.
        case plain
        /// Numbers and bools as text.
        case text
        /// Dates, including those in lists.
        case date(DateFormat)
    }

    public init(path: [String], format: Format = .plain, former: [[String]] = [], isReadOnly: Bool = false) {
        self.path = path
        self.format = format
        self.former = former
        self.isReadOnly = isReadOnly
    }

    public init(stringLiteral value: String) { self.init(path: [value]) }

    /// Under the attribute's own name.
    public static let ownName = WireDescription(path: [])

    /// Whether the keys are omitted, because the only key is the attribute's name.
    var isOwnName: Bool { path.isEmpty }

    /// A value under nested keys, one that is encoded in another format, one that had other keys, or one that is never
    /// sent.
    public static func path(
        _ path: [String], format: Format = .plain, former: [[String]] = [], isReadOnly: Bool = false
    ) -> WireDescription {
        WireDescription(path: path, format: format, former: former, isReadOnly: isReadOnly)
    }
}

/// The keys from a record's object to a value: one, as a string, or several, as a list.
public struct WirePath: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    public let keys: [String]

    public init(_ keys: [String]) { self.keys = keys }

    public init(stringLiteral value: String) { self.init([value]) }

    public init(arrayLiteral elements: String...) { self.init(elements) }
}

/// How a relationship is encoded in JSON.
public enum RelationshipWireDescription: Sendable, Hashable {
    /// Not encoded: the other end contains it.
    case none
    /// A to-one as its destination's identity: one path for each column of the key. An object at `embedded` is read
    /// too.
    case id([WirePath], embedded: WirePath? = nil)
    /// A to-many as a list of identities.
    case ids(WirePath)
    /// The complete record, or the list of complete records.
    case embedded(WirePath)
}

extension RelationshipWireDescription {
    /// The path of a list or of embedded records; `nil` for keys and for what is not sent.
    package var ownPath: [String]? {
        switch self {
        case .none, .id: nil
        case .ids(let path), .embedded(let path): path.keys
        }
    }
}
