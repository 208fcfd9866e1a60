/// A stored value of an entity.
public struct Attribute: Codable, Hashable, Sendable {
    /// The name in the schema.
    public var name: String
    /// The property in Swift, with backticks if necessary, renamed if Swift does not allow the name (`self_`).
    public var swiftName: String
    /// The column; `nil` for a transient attribute.
    public var columnName: String?
    public var type: AttributeType
    public var isOptional: Bool
    public var defaultValue: DefaultValue?
    public var limits: Limits
    /// Its form in JSON; `nil` if it is not in JSON (transient, the local half of an identity).
    public var wire: AttributeWire?
    public var isUnique: Bool
    /// Whether its bytes are a file beside the database and are sent separately. The record has a reference.
    public var isAttachment: Bool
    /// The former name, for migrations.
    public var renamedFrom: String?
    public var documentation: String?
    /// What to use instead, if it is deprecated.
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

/// The built-in types of the language.
public enum ScalarType: String, Codable, Hashable, Sendable, CaseIterable {
    case string, bool, int, int16, int32, int64, float, double, decimal, date, uuid, url, data, json
}

/// The type of an attribute, without optionality.
public indirect enum AttributeType: Codable, Hashable, Sendable {
    case scalar(ScalarType)
    /// An enum of the schema, by its name there.
    case enumeration(String)
    /// A custom type, by name.
    case custom(String)
    /// A list of values, which are neither optional nor lists themselves.
    case list(AttributeType)
    /// Bytes in a separate file; the value is a reference to them.
    case attachment
}

/// The value of an attribute of a new record if none is given.
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
    /// A case of the attribute's enum, by its name in the schema.
    case enumerationCase(String)
    /// The time at which the record is created.
    case now
    /// A new UUID for each record.
    case newUUID
    case list([DefaultValue])
}

/// The limits of an attribute's values. Each is `nil` if there is no such limit.
public struct Limits: Codable, Hashable, Sendable {
    /// The minimum, as digits.
    public var minimum: String?
    /// The maximum, as digits.
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

/// The form of an attribute in JSON.
public struct AttributeWire: Codable, Hashable, Sendable {
    /// The keys from the record's object to the value, one or more.
    public var path: [String]
    public var format: Format
    /// The keys under which earlier versions sent it, each a path. They are read if the key is missing.
    public var formerPaths: [[String]]
    /// Whether it is read and never sent.
    public var isReadOnly: Bool

    public enum Format: Codable, Hashable, Sendable {
        /// The default of its type.
        case plain
        /// Numbers and bools as text.
        case text
        /// Dates, including dates in lists, in this format.
        case date(DateFormat)
        /// A UUID of an identity that is made on the device, in upper case.
        case uppercase
    }

    public init(path: [String], format: Format, formerPaths: [[String]] = [], isReadOnly: Bool = false) {
        self.path = path
        self.format = format
        self.formerPaths = formerPaths
        self.isReadOnly = isReadOnly
    }
}
