/// The type of an attribute, regardless of whether it is optional.
public indirect enum StoredType: Sendable, Hashable {
    case string, bool, int, int16, int32, int64, float, double, decimal, date, uuid, url, data, json
    /// An enum of the schema. A closed one allows these raw values only.
    case enumeration(RawType, closed: [CaseValue]? = nil)
    /// A type of the app.
    case custom(CustomDescription)
    /// A list, stored as JSON text.
    case list(of: StoredType)
    /// Bytes in a separate file, stored as a reference to them.
    case attachment

    /// Whether the Swift type has values that cannot be stored: not-a-number, digits beyond what can be read back, JSON
    /// that is nested too deeply. Types of the app and lists may have any.
    var needsCheck: Bool {
        switch self {
        case .float, .double, .decimal, .date, .json, .custom, .list: true
        case .string, .bool, .int, .int16, .int32, .int64, .uuid, .url, .data, .enumeration, .attachment: false
        }
    }

    /// Whether a stored text can contain NUL. Those of other types have a form of their own.
    var canContainNUL: Bool {
        switch self {
        case .string, .enumeration(.string, closed: nil): true
        case .custom(let custom): custom.stored.canContainNUL
        default: false
        }
    }

    /// A type of the app, stored as one of the schema's types: `.custom(Money.self, of: .decimal)`.
    public static func custom<Custom: CustomAttribute>(_ type: Custom.Type, of stored: StoredType) -> StoredType {
        .custom(CustomDescription(type: type, stored: stored))
    }

    /// The type of an enum's raw values.
    public enum RawType: Sendable, Hashable { case string, int }
}

/// A type of the app, and the schema's type that it is stored as.
public struct CustomDescription: Sendable, Hashable {
    public let type: any CustomAttribute.Type
    public let stored: StoredType

    public static func == (left: Self, right: Self) -> Bool {
        ObjectIdentifier(left.type) == ObjectIdentifier(right.type) && left.stored == right.stored
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

/// A raw value of an enum.
public enum CaseValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case string(String)
    case int(Int64)

    public init(stringLiteral value: String) { self = .string(value) }

    public init(integerLiteral value: Int64) { self = .int(value) }
}

/// The default value of a new record's attribute. An enum's default is its raw value.
public indirect enum DefaultValue: Sendable, Hashable {
    case string(String)
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    /// The digits as written.
    case decimal(String)
    /// Seconds since 1970.
    case date(Double)
    /// In lower case.
    case uuid(String)
    case url(String)
    case data([UInt8])
    /// A JSON text.
    case json(String)
    /// The time at which the record is created.
    case now
    /// A new UUID for each record.
    case newUUID
    case list([DefaultValue])
}
