/// A resolved schema: all references are resolved, all rules of the language are satisfied, and all names (in Swift,
/// SQL and JSON) are decided. Generating code from it cannot fail.
///
/// `lockstep describe` prints this value as JSON.
public struct Schema: Codable, Hashable, Sendable {
    /// The name in the schema, in UpperCamelCase: `Shop`. The output folder is named after it.
    public var name: String
    /// The Swift name of the schema type: `ShopSchema`.
    public var swiftName: String
    /// The version of the data model, at least 1.
    public var version: Int
    /// The oldest version that is still supported; `nil` for the first one.
    public var oldest: Int?
    public var documentation: String?
    /// The access level of every generated declaration.
    public var access: AccessLevel
    /// The path of the YAML file as it was passed, with `/` as separator.
    public var source: String
    /// The default format of dates in JSON.
    public var dateFormat: DateFormat
    /// Whether apps and servers of all supported versions must understand each other.
    public var compatibility: CompatibilityMode
    public var enumerations: [Enumeration]
    public var customTypes: [CustomType]
    /// Abstract entities: they become protocols and have no table.
    public var abstractEntities: [AbstractEntity]
    /// Concrete entities with their inherited members, in declared order.
    public var entities: [Entity]
    /// The tables of many-to-many relationships, one for each pair of inverses, in declared order.
    public var joinTables: [JoinTable]

    public init(
        name: String, swiftName: String, version: Int, documentation: String?, access: AccessLevel, source: String,
        dateFormat: DateFormat, enumerations: [Enumeration], customTypes: [CustomType],
        abstractEntities: [AbstractEntity], entities: [Entity], joinTables: [JoinTable], oldest: Int? = nil,
        compatibility: CompatibilityMode = .none
    ) {
        self.name = name
        self.swiftName = swiftName
        self.version = version
        self.documentation = documentation
        self.access = access
        self.source = source
        self.dateFormat = dateFormat
        self.enumerations = enumerations
        self.customTypes = customTypes
        self.abstractEntities = abstractEntities
        self.entities = entities
        self.joinTables = joinTables
        self.oldest = oldest
        self.compatibility = compatibility
    }
}

/// The access level of generated declarations.
public enum AccessLevel: String, Codable, Hashable, Sendable, CaseIterable {
    case `public`, package, `internal`
}

/// Which apps and servers of earlier versions must understand each other.
public enum CompatibilityMode: String, Codable, Hashable, Sendable, CaseIterable {
    case none, full
}

/// The format of a date in JSON.
public enum DateFormat: Codable, Hashable, Sendable {
    case iso8601, secondsSince1970, millisecondsSince1970, microsecondsSince1970, fractionalSecondsSince1970
    case fractionalMillisecondsSince1970
    /// A Unicode date pattern (UTS #35), read and written in the locale `en_US_POSIX` and in UTC.
    case pattern(String)
}

/// A fixed set of named values.
public struct Enumeration: Codable, Hashable, Sendable {
    public var name: String
    /// The type's name in Swift, with backticks if necessary.
    public var swiftName: String
    public var documentation: String?
    /// Whether the enum rejects unknown values. An open enum keeps them as `unknown`.
    public var isClosed: Bool
    public var rawType: RawType
    public var cases: [Case]

    public enum RawType: String, Codable, Hashable, Sendable { case string, int }

    public enum RawValue: Codable, Hashable, Sendable {
        case string(String)
        case int(Int64)
    }

    public struct Case: Codable, Hashable, Sendable {
        public var name: String
        /// The case's name in Swift, with backticks if necessary.
        public var swiftName: String
        public var rawValue: RawValue
        public var documentation: String?

        public init(name: String, swiftName: String, rawValue: RawValue, documentation: String? = nil) {
            self.name = name
            self.swiftName = swiftName
            self.rawValue = rawValue
            self.documentation = documentation
        }
    }

    public init(
        name: String, swiftName: String, documentation: String?, isClosed: Bool, rawType: RawType, cases: [Case]
    ) {
        self.name = name
        self.swiftName = swiftName
        self.documentation = documentation
        self.isClosed = isClosed
        self.rawType = rawType
        self.cases = cases
    }
}

/// A custom Swift type, stored and sent as one of the scalar types.
public struct CustomType: Codable, Hashable, Sendable {
    /// The name in the schema and in Swift.
    public var name: String
    public var stored: ScalarType
    /// The module to import it from; `nil` if it is in the module of the generated code.
    public var module: String?
    public var documentation: String?

    public init(name: String, stored: ScalarType, module: String?, documentation: String?) {
        self.name = name
        self.stored = stored
        self.module = module
        self.documentation = documentation
    }
}
