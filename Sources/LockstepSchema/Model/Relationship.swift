/// A link from an entity to another, or to itself.
public struct Relationship: Codable, Hashable, Sendable {
    public var name: String
    /// The property in Swift, with backticks where Swift wants them.
    public var swiftName: String
    /// The destination entity's name in the schema.
    public var destination: String
    public var isToMany: Bool
    /// Whether a to-one may be empty. `true` for every to-many.
    public var isOptional: Bool
    /// A to-many that keeps the order in which its members were put.
    public var isOrdered: Bool
    /// The relationship of the destination that is the other end of this one; `nil` only for a to-one without inverse.
    public var inverse: String?
    /// Not in the schema: the other end of a to-many that was declared without inverse.
    public var isImplied: Bool
    /// What happens to the destination when the record that has this relationship is deleted.
    public var onDelete: DeleteRule
    /// How a to-many is sorted, by attributes of the destination; empty where it is not.
    public var sortedBy: [SortKey]
    public var storage: Storage
    public var wire: RelationshipWire
    public var documentation: String?
    public var deprecation: String?

    /// Where the links are kept.
    public enum Storage: Codable, Hashable, Sendable {
        /// This to-one's own foreign key.
        case foreignKey(ForeignKey)
        /// The foreign key of the inverse, in the destination's table.
        case inverseForeignKey
        /// The rows of a table of its own; `isLeft` says which side of it this entity is.
        case joinTable(String, isLeft: Bool)
    }

    public struct SortKey: Codable, Hashable, Sendable {
        /// The destination's attribute, by its name in the schema.
        public var attribute: String
        public var isDescending: Bool

        public init(attribute: String, isDescending: Bool) {
            self.attribute = attribute
            self.isDescending = isDescending
        }
    }

    public init(
        name: String, swiftName: String, destination: String, isToMany: Bool, isOptional: Bool, isOrdered: Bool,
        inverse: String?, isImplied: Bool, onDelete: DeleteRule, sortedBy: [SortKey], storage: Storage,
        wire: RelationshipWire, documentation: String?, deprecation: String?
    ) {
        self.name = name
        self.swiftName = swiftName
        self.destination = destination
        self.isToMany = isToMany
        self.isOptional = isOptional
        self.isOrdered = isOrdered
        self.inverse = inverse
        self.isImplied = isImplied
        self.onDelete = onDelete
        self.sortedBy = sortedBy
        self.storage = storage
        self.wire = wire
        self.documentation = documentation
        self.deprecation = deprecation
    }
}

/// What a delete does at the other end, as in Core Data.
public enum DeleteRule: String, Codable, Hashable, Sendable, CaseIterable {
    case nullify, cascade, deny, none
}

/// The foreign key of a to-one: one property in Swift, a column for each attribute of the destination's key.
public struct ForeignKey: Codable, Hashable, Sendable {
    /// The property in Swift: `productID`.
    public var property: String
    /// The columns in the order of the destination's key.
    public var columns: [String]
    /// The column that keeps the place in the inverse, where that is an ordered to-many.
    public var positionColumn: String?
    /// The property in Swift of that column.
    public var positionProperty: String?
    /// Kept by a real `REFERENCES` in SQLite too: both ends stay on the device.
    public var isLocal: Bool

    public init(
        property: String, columns: [String], positionColumn: String?, positionProperty: String?, isLocal: Bool
    ) {
        self.property = property
        self.columns = columns
        self.positionColumn = positionColumn
        self.positionProperty = positionProperty
        self.isLocal = isLocal
    }
}

/// How a relationship is spelt in JSON.
public enum RelationshipWire: Codable, Hashable, Sendable {
    /// Not at all: the other end carries it.
    case none
    /// A to-one by its destination's identity: one path for each attribute of it. An object at `embeddedPath` is read too;
    /// where that is empty there is none.
    case id(paths: [[String]], embeddedPath: [String])
    /// A to-many by a list of identities.
    case ids(path: [String])
    /// The whole record, or the list of whole records.
    case embedded(path: [String])
}

/// The table of a many to many relationship.
public struct JoinTable: Codable, Hashable, Sendable {
    /// The name in SQL: `product_tag`.
    public var name: String
    /// The end that was declared first.
    public var left: End
    public var right: End
    /// Both ends stay on the device, so that real `REFERENCES` hold in SQLite too.
    public var isLocal: Bool

    public struct End: Codable, Hashable, Sendable {
        /// The entity by its name in the schema.
        public var entity: String
        /// Its relationship, by name.
        public var relationship: String
        /// Columns that hold this entity's key, in the order of that key.
        public var columns: [String]
        /// Where this entity's to-many is ordered: the column with the other end's place in it.
        public var positionColumn: String?

        public init(entity: String, relationship: String, columns: [String], positionColumn: String?) {
            self.entity = entity
            self.relationship = relationship
            self.columns = columns
            self.positionColumn = positionColumn
        }
    }

    public init(name: String, left: End, right: End, isLocal: Bool) {
        self.name = name
        self.left = left
        self.right = right
        self.isLocal = isLocal
    }
}
