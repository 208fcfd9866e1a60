/// A kind of record. It becomes a model class, a representation struct and a table.
package struct Entity: Codable, Hashable, Sendable {
    /// The name in the schema: `ProductReview`.
    package var name: String
    /// The class: `ProductReview`, renamed if Swift does not allow the name (`Type_`).
    package var swiftName: String
    /// The struct: `ProductReviewRepresentation`.
    package var representationName: String
    /// The table: `product_review`.
    package var tableName: String
    package var documentation: String?
    /// The protocols of the abstract entities that it extends, the nearest first, by Swift name.
    package var protocols: [String]
    package var identity: IdentityStructure
    /// The attribute that is sent with each update and delete, so that the server can reject writes to an outdated
    /// record; `nil` if there is none.
    package var version: String?
    /// Groups of attributes that count as one value in conflicts, by name.
    package var together: [[String]]
    /// Own and inherited attributes, inherited ones first, each in declared order.
    package var attributes: [Attribute]
    /// Own, inherited and implied relationships, in that order of kinds: inherited, own, implied.
    package var relationships: [Relationship]
    /// The columns of the table in order: the surrogate key if there is one, stored attributes, foreign keys,
    /// positions.
    package var columns: [Column]
    /// Indexes over several columns, and those of `indexed:`. Unique attributes are not included.
    package var indexes: [IndexStructure]
    /// How it is accessed on the server; `nil` for an entity that stays on the device.
    package var remote: Remote?
    /// What a record belongs to on the server; `nil` if the schema does not say.
    package var scope: RecordScope?
    /// Who reads the records of a scope that this entity defines; `nil` for one that another entity defines, and if the
    /// server decides by its own functions.
    package var readers: AccessRule?
    /// Who writes a record. In a scope that another entity defines, a user must also be able to write that; `nil` is
    /// then no further restriction. Otherwise, `nil` only if the server decides by its own functions.
    package var writers: AccessRule?

    package init(
        name: String, swiftName: String, representationName: String, tableName: String, documentation: String?,
        protocols: [String], identity: IdentityStructure, version: String? = nil, together: [[String]] = [],
        attributes: [Attribute], relationships: [Relationship], columns: [Column], indexes: [IndexStructure],
        remote: Remote?, scope: RecordScope? = nil, readers: AccessRule? = nil, writers: AccessRule? = nil
    ) {
        self.name = name
        self.swiftName = swiftName
        self.representationName = representationName
        self.tableName = tableName
        self.documentation = documentation
        self.protocols = protocols
        self.identity = identity
        self.version = version
        self.together = together
        self.attributes = attributes
        self.relationships = relationships
        self.columns = columns
        self.indexes = indexes
        self.remote = remote
        self.scope = scope
        self.readers = readers
        self.writers = writers
    }
}

/// One column of an entity's table.
package struct Column: Codable, Hashable, Sendable {
    /// The name in SQL, unquoted.
    package var name: String
    /// The property of the model that holds it, with backticks if necessary. A foreign key of several columns
    /// is one property.
    package var property: String
    package var content: Content
    /// The type of its values. A foreign key has the type of the destination's attribute.
    package var type: AttributeType
    package var isOptional: Bool

    package enum Content: Codable, Hashable, Sendable {
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

    package init(name: String, property: String, content: Content, type: AttributeType, isOptional: Bool) {
        self.name = name
        self.property = property
        self.content = content
        self.type = type
        self.isOptional = isOptional
    }
}

/// How an entity is accessed on the server.
package struct Remote: Codable, Hashable, Sendable {
    /// The path of the collection: `/product_reviews`.
    package var path: String
    package var writes: [Write]
    /// The key that a body is wrapped in (`{"product": {…}}`); `nil` for a bare body.
    package var wrapKey: String?

    package typealias Write = RemoteStructure.Write

    package init(path: String, writes: [Write], wrapKey: String?) {
        self.path = path
        self.writes = writes
        self.wrapKey = wrapKey
    }
}

/// An entity without records. It becomes a Swift protocol.
package struct AbstractEntity: Codable, Hashable, Sendable {
    package var name: String
    package var swiftName: String
    package var documentation: String?
    /// The protocols that it extends, the nearest first, by Swift name.
    package var protocols: [String]
    /// Its own attributes only.
    package var attributes: [Attribute]
    /// Its own relationships only.
    package var relationships: [AbstractRelationship]

    package init(
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
package struct AbstractRelationship: Codable, Hashable, Sendable {
    package var swiftName: String
    package var documentation: String?
    /// The destination's class in Swift.
    package var destinationSwiftName: String
    package var isToMany: Bool
    package var isOptional: Bool

    package init(
        swiftName: String, documentation: String?, destinationSwiftName: String, isToMany: Bool, isOptional: Bool
    ) {
        self.swiftName = swiftName
        self.documentation = documentation
        self.destinationSwiftName = destinationSwiftName
        self.isToMany = isToMany
        self.isOptional = isOptional
    }
}
