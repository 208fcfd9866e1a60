/// The stored and sent parts of a schema: its tables and its JSON, without documentation, Swift names and file names.
///
/// It is what the versions of a schema are compared by. All names are decided, so that a later version of the tool
/// reads an old structure as it was, whatever the naming rules are then. Two structures are equal if their members are,
/// in any order.
package struct SchemaStructure: Sendable {
    package var name: String
    package var enumerations: [EnumerationStructure]
    package var entities: [EntityStructure]

    package init(name: String, enumerations: [EnumerationStructure] = [], entities: [EntityStructure] = []) {
        self.name = name
        self.enumerations = enumerations
        self.entities = entities
    }

    package func entity(_ name: String) -> EntityStructure? { entities.first { $0.name == name } }

    package func enumeration(_ name: String) -> EnumerationStructure? { enumerations.first { $0.name == name } }
}

/// An enum and its raw values.
package struct EnumerationStructure: Hashable, Sendable {
    package var name: String
    /// Whether other values are rejected.
    package var isClosed: Bool
    /// Whether the raw values are integers; otherwise, they are texts.
    package var isInteger: Bool
    package var cases: [Case]

    package struct Case: Hashable, Sendable {
        package var name: String
        package var rawValue: CaseValue

        package init(name: String, rawValue: CaseValue) {
            self.name = name
            self.rawValue = rawValue
        }
    }

    package init(name: String, isClosed: Bool, isInteger: Bool, cases: [Case]) {
        self.name = name
        self.isClosed = isClosed
        self.isInteger = isInteger
        self.cases = cases
    }

    package func rawValue(ofCase name: String) -> CaseValue? { cases.first { $0.name == name }?.rawValue }
}

/// The raw value of an enum's case.
package enum CaseValue: Codable, Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case string(String)
    case int(Int64)

    package init(stringLiteral value: String) { self = .string(value) }

    package init(integerLiteral value: Int64) { self = .int(value) }
}

/// A table, and how its records are reached on a server.
package struct EntityStructure: Hashable, Sendable {
    package var name: String
    package var table: String
    package var identity: IdentityStructure
    /// The attribute that the server changes with each write; `nil` if there is none.
    package var version: String?
    /// Groups of attributes that count as one value in conflicts.
    package var together: [[String]]
    /// Stored attributes, in the order of their columns.
    package var attributes: [AttributeStructure]
    package var relationships: [RelationshipStructure]
    /// The indexes apart from those of keys and unique attributes.
    package var indexes: [IndexStructure]
    /// `nil` for an entity that stays on the device.
    package var remote: RemoteStructure?
    /// What a record belongs to on the server; `nil` if the schema does not say.
    package var scope: RecordScope?
    /// Who reads the records of a scope that this entity defines; `nil` for one that another entity defines, and if the
    /// server decides by its own functions.
    package var readers: AccessRule?
    /// Who writes a record. In a scope that another entity defines, a user must also be able to write that; `nil` is
    /// then no further restriction. Otherwise, `nil` only if the server decides by its own functions.
    package var writers: AccessRule?

    package init(
        name: String, table: String, identity: IdentityStructure, version: String? = nil,
        together: [[String]] = [], attributes: [AttributeStructure], relationships: [RelationshipStructure] = [],
        indexes: [IndexStructure] = [],
        remote: RemoteStructure? = nil, scope: RecordScope? = nil, readers: AccessRule? = nil,
        writers: AccessRule? = nil
    ) {
        self.name = name
        self.table = table
        self.identity = identity
        self.version = version
        self.together = together
        self.attributes = attributes
        self.relationships = relationships
        self.indexes = indexes
        self.remote = remote
        self.scope = scope
        self.readers = readers
        self.writers = writers
    }

    package func attribute(_ name: String) -> AttributeStructure? { attributes.first { $0.name == name } }

    package func relationship(_ name: String) -> RelationshipStructure? { relationships.first { $0.name == name } }

    /// The column of the key of an entity without identity.
    package static let surrogateKey = "lockstep_id"

    /// The columns of the primary key, in the order of the identity; none for an entity without one.
    package var keyColumns: [String] { identity.keyAttributes.compactMap { attribute($0)?.column } }
}

/// The attributes that identify a record.
package enum IdentityStructure: Codable, Hashable, Sendable {
    case none
    /// The primary key, in this order.
    case attributes([String])
    /// The key that the device makes, and that of the server, which is unique and optional.
    case local(String, remote: String)

    /// The attributes of the primary key, and that of the server's key.
    var attributes: [String] {
        switch self {
        case .none, .attributes: keyAttributes
        case .local(let local, remote: let remote): [local, remote]
        }
    }

    /// The attributes of the primary key; empty for `none`.
    package var keyAttributes: [String] {
        switch self {
        case .none: []
        case .attributes(let names): names
        case .local(let local, remote: _): [local]
        }
    }
}

/// An index of an entity's table.
package struct IndexStructure: Codable, Hashable, Sendable {
    package var name: String
    package var columns: [String]
    package var isUnique: Bool

    package init(name: String, columns: [String], isUnique: Bool) {
        self.name = name
        self.columns = columns
        self.isUnique = isUnique
    }
}

/// How an entity is reached on a server.
package struct RemoteStructure: Hashable, Sendable {
    package var path: String
    /// The writes that the server accepts.
    package var writes: Set<Write>
    package var wrapKey: String?

    package enum Write: String, Codable, Hashable, Sendable, CaseIterable { case create, update, delete }

    package init(path: String, writes: Set<Write> = Set(Write.allCases), wrapKey: String? = nil) {
        self.path = path
        self.writes = writes
        self.wrapKey = wrapKey
    }
}
