/// A stored value of an entity: its column and its form in JSON.
package struct AttributeStructure: Hashable, Sendable {
    package var name: String
    package var column: String
    package var type: ValueType
    package var isOptional: Bool
    package var isUnique: Bool
    package var defaultValue: DefaultValue?
    package var limits: AttributeLimits
    /// `nil` if it is not in JSON.
    package var wire: WireStructure?

    package init(
        name: String, column: String, type: ValueType, isOptional: Bool = false, isUnique: Bool = false,
        defaultValue: DefaultValue? = nil, limits: AttributeLimits = AttributeLimits(), wire: WireStructure? = nil
    ) {
        self.name = name
        self.column = column
        self.type = type
        self.isOptional = isOptional
        self.isUnique = isUnique
        self.defaultValue = defaultValue
        self.limits = limits
        self.wire = wire
    }
}

/// The type of an attribute's values, with custom types resolved.
package indirect enum ValueType: Hashable, Sendable {
    case scalar(ScalarType)
    /// An enum of the schema, by its name.
    case enumeration(String)
    /// JSON text with values of this type.
    case list(ValueType)
    /// The text that refers to a file.
    case attachment
}

/// The built-in types of the language.
package enum ScalarType: String, Codable, Hashable, Sendable, CaseIterable {
    case string, bool, int, int16, int32, int64, float, double, decimal, date, day, uuid, url, data, json
}

/// The value of an attribute of a new record.
package indirect enum DefaultValue: Codable, Hashable, Sendable {
    case string(String)
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    /// The digits as written.
    case decimal(String)
    /// Seconds since 1970.
    case date(Double)
    /// `2026-11-27`.
    case day(String)
    /// In lower case.
    case uuid(String)
    case url(String)
    case data([UInt8])
    /// A JSON text.
    case json(String)
    /// A case of the attribute's enum, by name.
    case enumerationCase(String)
    /// The time at which the record is created.
    case now
    /// A new UUID for each record.
    case newUUID
    case list([DefaultValue])
}

/// The limits of an attribute's values; each is `nil` if there is none.
package struct AttributeLimits: Codable, Hashable, Sendable {
    /// Digits.
    package var minimum: String?
    package var maximum: String?
    /// Unicode scalars of a string, bytes of data, elements of a list.
    package var minimumLength: Int?
    package var maximumLength: Int?

    package init(
        minimum: String? = nil, maximum: String? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
    }

    package var isEmpty: Bool { self == AttributeLimits() }
}

/// The form of an attribute in JSON.
package struct WireStructure: Hashable, Sendable {
    /// The keys from the record's object to the value.
    package var path: [String]
    /// `text` for numbers and bools as text; for dates `iso8601`, `secondsSince1970`, `millisecondsSince1970`,
    /// `fractionalSecondsSince1970`, `fractionalMillisecondsSince1970` or a pattern (UTS #35); `nil` for the default of
    /// the type.
    package var format: String?
    /// The keys under which earlier versions sent it, each a path.
    package var formerPaths: [[String]]
    /// Whether it is read and never sent.
    package var isReadOnly: Bool

    package init(path: [String], format: String? = nil, formerPaths: [[String]] = [], isReadOnly: Bool = false) {
        self.path = path
        self.format = format
        self.formerPaths = formerPaths
        self.isReadOnly = isReadOnly
    }
}
