/// A stored value of an entity.
package struct Attribute: Codable, Hashable, Sendable {
    /// The name in the schema.
    package var name: String
    /// The property in Swift, with backticks if necessary, renamed if Swift does not allow the name (`self_`).
    package var swiftName: String
    /// The column; `nil` for a transient attribute.
    package var columnName: String?
    package var type: AttributeType
    package var isOptional: Bool
    package var defaultValue: DefaultValue?
    package var limits: AttributeLimits
    /// Its form in JSON; `nil` if it is not in JSON (transient, the local half of an identity).
    package var wire: AttributeWire?
    package var isUnique: Bool
    /// Whether its bytes are a file beside the database and are sent separately. The record has a reference.
    package var isAttachment: Bool
    /// The former name, for migrations.
    package var renamedFrom: String?
    package var documentation: String?
    /// The replacement, if it is deprecated.
    package var deprecation: String?

    package var isTransient: Bool { columnName == nil }

    package init(
        name: String, swiftName: String, columnName: String?, type: AttributeType, isOptional: Bool,
        defaultValue: DefaultValue?, limits: AttributeLimits, wire: AttributeWire?, isUnique: Bool, isAttachment: Bool,
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

/// The type of an attribute, without optionality.
package indirect enum AttributeType: Codable, Hashable, Sendable {
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

/// The form of an attribute in JSON.
package struct AttributeWire: Codable, Hashable, Sendable {
    /// The keys from the record's object to the value, one or more.
    package var path: [String]
    package var format: Format
    /// The keys under which earlier versions sent it, each a path. They are read if the key is missing.
    package var formerPaths: [[String]]
    /// Whether it is read and never sent.
    package var isReadOnly: Bool

    package enum Format: Codable, Hashable, Sendable {
        /// The default of its type.
        case plain
        /// Numbers and bools as text.
        case text
        /// Dates, including dates in lists, in this format.
        case date(DateFormat)
        /// A UUID of an identity that is made on the device, in upper case.
        case uppercase
    }

    package init(path: [String], format: Format, formerPaths: [[String]] = [], isReadOnly: Bool = false) {
        self.path = path
        self.format = format
        self.formerPaths = formerPaths
        self.isReadOnly = isReadOnly
    }
}
