/// A kind of record. It becomes a model class, a representation struct and a table.
public struct Entity: Codable, Hashable, Sendable {
    /// The name in the schema: `ProductReview`.
    public var name: String
    /// The class: `ProductReview`, renamed if Swift does not allow the name (`Type_`).
    public var swiftName: String
    /// The struct: `ProductReviewRepresentation`.
    public var representationName: String
    /// The table: `product_review`.
    public var tableName: String
    public var documentation: String?
    /// The protocols of the abstract entities that it extends, the nearest first, by Swift name.
    public var protocols: [String]
    public var identity: Identity
    /// The attribute that is sent with each update and delete, so that the server can reject writes to an outdated
    /// record; `nil` if there is none.
    public var version: String?
    /// Own and inherited attributes, inherited ones first, each in declared order.
    public var attributes: [Attribute]
    /// Own, inherited and implied relationships, in that order of kinds: inherited, own, implied.
    public var relationships: [Relationship]
    /// The columns of the table in order: the surrogate key if there is one, stored attributes, foreign keys,
    /// positions.
    public var columns: [Column]
    /// Indexes over several columns, and those of `indexed:`. Unique attributes are not included.
    public var indexes: [Index]
    /// How it is accessed on the server; `nil` for an entity that stays on the device.
    public var remote: Remote?

    public init(
        name: String, swiftName: String, representationName: String, tableName: String, documentation: String?,
        protocols: [String], identity: Identity, version: String? = nil, attributes: [Attribute],
        relationships: [Relationship], columns: [Column], indexes: [Index], remote: Remote?
    ) {
        self.name = name
        self.swiftName = swiftName
        self.representationName = representationName
        self.tableName = tableName
        self.documentation = documentation
        self.protocols = protocols
        self.identity = identity
        self.version = version
        self.attributes = attributes
        self.relationships = relationships
        self.columns = columns
        self.indexes = indexes
        self.remote = remote
    }
}

/// The attributes that identify a record on every device and on the server.
public enum Identity: Codable, Hashable, Sendable {
    /// Records have no identity. The table gets a surrogate key, the column `lockstep_id`.
    case none
    /// One attribute, or a combination of attributes: the primary key of the table, in this order.
    case attributes([String])
    /// `local` is the key that the device makes; `remote` is that of the server, unique and optional.
    case local(String, remote: String)

    /// The attributes of the primary key; empty for `none`.
    public var keyAttributes: [String] {
        switch self {
        case .none: []
        case .attributes(let names): names
        case .local(let local, remote: _): [local]
        }
    }
}

/// One column of an entity's table.
public struct Column: Codable, Hashable, Sendable {
    /// The name in SQL, unquoted.
    public var name: String
    /// The property of the model that holds it, with backticks if necessary. A foreign key of several columns
    /// is one property.
    public var property: String
    public var content: Content
    /// The type of its values. A foreign key has the type of the destination's attribute.
    public var type: AttributeType
    public var isOptional: Bool

    public enum Content: Codable, Hashable, Sendable {
        /// The surrogate key of an entity without identity, an integer.
        case surrogateKey
        /// The attribute of this name.
        case attribute(String)
        /// A part of the key of the relationship's destination: its attribute `attribute`.
        case foreignKey(relationship: String, attribute: String)
        /// The position in the ordered to-many `inverse` of the owner that the to-one `relationship` refers to; an
        /// integer.
        case position(relationship: String, inverse: String)
    }

    public init(name: String, property: String, content: Content, type: AttributeType, isOptional: Bool) {
        self.name = name
        self.property = property
        self.content = content
        self.type = type
        self.isOptional = isOptional
    }
}

/// An index of an entity's table.
public struct Index: Codable, Hashable, Sendable {
    /// The name in SQL: `product_size_created_at`.
    public var name: String
    /// Column names in SQL.
    public var columns: [String]
    public var isUnique: Bool

    public init(name: String, columns: [String], isUnique: Bool) {
        self.name = name
        self.columns = columns
        self.isUnique = isUnique
    }
}

/// How an entity is accessed on the server.
public struct Remote: Codable, Hashable, Sendable {
    /// The path of the collection: `/product_reviews`.
    public var path: String
    public var writes: [Write]
    /// The key that a body is wrapped in (`{"product": {…}}`); `nil` for a bare body.
    public var wrapKey: String?

    public enum Write: String, Codable, Hashable, Sendable, CaseIterable { case create, update, delete }

    public init(path: String, writes: [Write], wrapKey: String?) {
        self.path = path
        self.writes = writes
        self.wrapKey = wrapKey
    }
}

/// An entity without records. It becomes a Swift protocol.
public struct AbstractEntity: Codable, Hashable, Sendable {
    public var name: String
    public var swiftName: String
    public var documentation: String?
    /// The protocols that it extends, the nearest first, by Swift name.
    public var protocols: [String]
    /// Its own attributes only.
    public var attributes: [Attribute]
    /// Its own relationships only.
    public var relationships: [AbstractRelationship]

    public init(
        name: String, swiftName: String, documentation: String?, protocols: [String], attributes: [Attribute],
        relationships: [AbstractRelationship]
    ) {
        self.name = name
        self.swiftName = swiftName
        self.documentation = documentation
        self.protocols = protocols
        self.attributes = attributes
        self.relationships = relationships
    }
}

/// A relationship as a protocol requires it.
public struct AbstractRelationship: Codable, Hashable, Sendable {
    public var swiftName: String
    public var documentation: String?
    /// The destination's class in Swift.
    public var destinationSwiftName: String
    public var isToMany: Bool
    public var isOptional: Bool

    public init(
        swiftName: String, documentation: String?, destinationSwiftName: String, isToMany: Bool, isOptional: Bool
    ) {
        self.swiftName = swiftName
        self.documentation = documentation
        self.destinationSwiftName = destinationSwiftName
        self.isToMany = isToMany
        self.isOptional = isOptional
    }
}
