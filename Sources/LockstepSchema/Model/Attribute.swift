/// A stored value of an entity.
public struct Attribute: Codable, Hashable, Sendable {
    /// The name as the schema gives it.
    public var name: String
    /// The property in Swift, with backticks where Swift wants them, renamed where Swift could not use the name (`self_`).
    public var swiftName: String
    /// The column; `nil` for a transient attribute.
    public var columnName: String?
    public var type: AttributeType
    public var isOptional: Bool
    public var defaultValue: DefaultValue?
    public var limits: Limits
    /// How it travels; `nil` where it does not (transient, the local half of an identity).
    public var wire: AttributeWire?
    public var isUnique: Bool
    /// Its bytes travel by themselves and are kept as a file beside the database; the record has a reference.
    public var isAttachment: Bool
    /// The schema's former name of it, for migrations.
    public var renamedFrom: String?
    public var documentation: String?
    /// What to use instead, where it is deprecated.
    public var deprecation: String?

    public var isTransient: Bool { columnName == nil }

    public init(
        name: String, swiftName: String, columnName: String?, type: AttributeType, isOptional: Bool,
        defaultValue: DefaultValue?, limits: Limits, wire: AttributeWire?, isUnique: Bool, isAttachment: Bool,
        renamedFrom: String?, documentation: String?, deprecation: String?
    ) {
        self.name = name
        self.swiftName = swiftName
        self.columnName = columnName
        self.type = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.limits = limits
        self.wire = wire
        self.isUnique = isUnique
        self.isAttachment = isAttachment
        self.renamedFrom = renamedFrom
        self.documentation = documentation
        self.deprecation = deprecation
    }
}

/// The types that the language knows by itself.
public enum ScalarType: String, Codable, Hashable, Sendable, CaseIterable {
    case string, bool, int, int16, int32, int64, float, double, decimal, date, uuid, url, data, json
}

/// The type of an attribute, optionality aside.
public indirect enum AttributeType: Codable, Hashable, Sendable {
    case scalar(ScalarType)
    /// An enum of the schema, by its name there.
    case enumeration(String)
    /// A type of the user's, by name.
    case custom(String)
    /// A list of values, none of them optional and none a list itself.
    case list(AttributeType)
    /// Bytes in a file of their own; the value is a reference to them.
    case attachment
}

/// The value of a new record's attribute where none is given.
public indirect enum DefaultValue: Codable, Hashable, Sendable {
    case string(String)
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    /// The digits as written.
    case decimal(String)
    /// Seconds since 1970.
    case date(Double)
    /// Lower case.
    case uuid(String)
    case url(String)
    /// Bytes.
    case data([UInt8])
    /// A JSON text.
    case json(String)
    /// A case of the attribute's enum, by the schema's name of the case.
    case enumerationCase(String)
    /// The time at which the record is made.
    case now
    /// A UUID of its own for each record.
    case newUUID
    case list([DefaultValue])
}

/// What an attribute's values must keep to. Each is `nil` where there is no such limit.
public struct Limits: Codable, Hashable, Sendable {
    /// The least number, digits as written.
    public var minimum: String?
    /// The greatest number, digits as written.
    public var maximum: String?
    /// Unicode scalars of a string, bytes of data, elements of a list.
    public var minimumLength: Int?
    public var maximumLength: Int?

    public var isEmpty: Bool { self == Limits() }

    public init(
        minimum: String? = nil, maximum: String? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
    }
}

/// How an attribute is spelt in JSON.
public struct AttributeWire: Codable, Hashable, Sendable {
    /// The keys from the record's object to the value, one or more.
    public var path: [String]
    public var format: Format

    public enum Format: Codable, Hashable, Sendable {
        /// As the table of types says.
        case plain
        /// Numbers and bools as text.
        case text
        /// Dates (also in lists), in this format.
        case date(DateFormat)
    }

    public init(path: [String], format: Format) {
        self.path = path
        self.format = format
    }
}
