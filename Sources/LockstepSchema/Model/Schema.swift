/// A resolved schema: all references are resolved, all rules of the language are satisfied, and all names (in Swift,
/// SQL and JSON) are decided. Generating code from it cannot fail.
///
/// `lockstep describe` prints this value as JSON.
package struct Schema: Codable, Hashable, Sendable {
    /// The name in the schema, in UpperCamelCase: `Shop`. The output folder is named after it.
    package var name: String
    /// The Swift name of the schema type: `ShopSchema`.
    package var swiftName: String
    /// The version of the data model, at least 1.
    package var version: Int
    /// The oldest version that is still supported; `nil` for the first one.
    package var oldest: Int?
    package var documentation: String?
    /// The access level of every generated declaration.
    package var access: AccessLevel
    /// The path of the YAML file as it was passed, with `/` as separator.
    package var source: String
    /// The default format of dates in JSON.
    package var dateFormat: DateFormat
    /// Whether apps and servers of all supported versions must understand each other.
    package var compatibility: CompatibilityMode
    /// What the schema says of its server; `nil` if it says nothing.
    package var server: ServerOptions?
    package var enumerations: [Enumeration]
    package var customTypes: [CustomType]
    /// Abstract entities: they become protocols and have no table.
    package var abstractEntities: [AbstractEntity]
    /// Concrete entities with their inherited members, in declared order.
    package var entities: [Entity]
    /// The tables of many-to-many relationships, one for each pair of inverses, in declared order.
    package var joinTables: [JoinTable]

    package init(
        name: String, swiftName: String, version: Int, documentation: String?, access: AccessLevel, source: String,
        dateFormat: DateFormat, enumerations: [Enumeration], customTypes: [CustomType],
        abstractEntities: [AbstractEntity], entities: [Entity], joinTables: [JoinTable], oldest: Int? = nil,
        compatibility: CompatibilityMode = .none, server: ServerOptions? = nil
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
        self.server = server
    }
}

/// How a server knows users, and who decides what they read and write.
package struct ServerOptions: Codable, Hashable, Sendable {
    /// The claim of a request's token that holds the user's identity: `sub`.
    package var userClaim: String
    /// Whether the server's own functions decide. Otherwise, the entities say it.
    package var hasCustomAccess: Bool

    package init(userClaim: String = "sub", hasCustomAccess: Bool = false) {
        self.userClaim = userClaim
        self.hasCustomAccess = hasCustomAccess
    }
}

/// The access level of generated declarations.
package enum AccessLevel: String, Codable, Hashable, Sendable, CaseIterable {
    case `public`, package, `internal`
}

/// Which apps and servers of earlier versions must understand each other.
package enum CompatibilityMode: String, Codable, Hashable, Sendable, CaseIterable {
    case none, full
}

/// The format of a date in JSON.
package enum DateFormat: Codable, Hashable, Sendable {
    case iso8601, secondsSince1970, millisecondsSince1970, microsecondsSince1970, fractionalSecondsSince1970
    case fractionalMillisecondsSince1970
    /// A Unicode date pattern (UTS #35), read and written in the locale `en_US_POSIX` and in UTC.
    case pattern(String)
}

/// A fixed set of named values.
package struct Enumeration: Codable, Hashable, Sendable {
    package var name: String
    /// The type's name in Swift, with backticks if necessary.
    package var swiftName: String
    package var documentation: String?
    /// Whether the enum rejects unknown values. An open enum keeps them as `unknown`.
    package var isClosed: Bool
    package var rawType: RawType
    package var cases: [Case]

    package enum RawType: String, Codable, Hashable, Sendable { case string, int }

    package struct Case: Codable, Hashable, Sendable {
        package var name: String
        /// The case's name in Swift, with backticks if necessary.
        package var swiftName: String
        package var rawValue: CaseValue
        package var documentation: String?

        package init(name: String, swiftName: String, rawValue: CaseValue, documentation: String? = nil) {
            self.name = name
            self.swiftName = swiftName
            self.rawValue = rawValue
            self.documentation = documentation
        }
    }

    package init(
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
package struct CustomType: Codable, Hashable, Sendable {
    /// The name in the schema and in Swift.
    package var name: String
    package var stored: ScalarType
    /// The module to import it from; `nil` if it is in the module of the generated code.
    package var module: String?
    package var documentation: String?

    package init(name: String, stored: ScalarType, module: String?, documentation: String?) {
        self.name = name
        self.stored = stored
        self.module = module
        self.documentation = documentation
    }
}
