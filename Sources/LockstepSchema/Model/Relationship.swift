/// A link from an entity to another, or to itself.
package struct Relationship: Codable, Hashable, Sendable {
    package var name: String
    /// The property in Swift, with backticks if necessary.
    package var swiftName: String
    /// The name of the destination in the schema.
    package var destination: String
    package var isToMany: Bool
    /// Whether a to-one may be empty. `true` for every to-many.
    package var isOptional: Bool
    /// Whether a to-many relationship keeps the order of its members.
    package var isOrdered: Bool
    /// The relationship of the destination that is the other end of this one; `nil` only for a to-one without inverse.
    package var inverse: String?
    /// Whether it is not in the schema, but is the other end of a to-many relationship that was declared without
    /// inverse.
    package var isImplied: Bool
    /// The treatment of the destination when a record with this relationship is deleted.
    package var onDelete: DeleteRule
    /// The treatment of an embedded record that the server no longer lists; `nil` for a delete if the relationship
    /// cascades, and otherwise for an unlink.
    package var unlisted: UnlistedRule?
    /// The attributes of the destination that a to-many relationship is sorted by; empty if it is not sorted.
    package var sortedBy: [SortKey]
    package var storage: Storage
    package var wire: RelationshipWire
    package var documentation: String?
    package var deprecation: String?

    /// Where the links are stored.
    package enum Storage: Codable, Hashable, Sendable {
        /// This to-one's own foreign key.
        case foreignKey(ForeignKey)
        /// The foreign key of the inverse, in the destination's table.
        case inverseForeignKey
        /// The rows of a join table; `isLeft` says which side of it this entity is.
        case joinTable(String, isLeft: Bool)
    }

    package struct SortKey: Codable, Hashable, Sendable {
        /// The destination's attribute, by its name in the schema.
        package var attribute: String
        package var isDescending: Bool

        package init(attribute: String, isDescending: Bool) {
            self.attribute = attribute
            self.isDescending = isDescending
        }
    }

    package init(
        name: String, swiftName: String, destination: String, isToMany: Bool, isOptional: Bool, isOrdered: Bool,
        inverse: String?, isImplied: Bool, onDelete: DeleteRule, unlisted: UnlistedRule? = nil, sortedBy: [SortKey],
        storage: Storage, wire: RelationshipWire, documentation: String?, deprecation: String?
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
        self.unlisted = unlisted
        self.sortedBy = sortedBy
        self.storage = storage
        self.wire = wire
        self.documentation = documentation
        self.deprecation = deprecation
    }
}

/// The foreign key of a to-one relationship: one property in Swift, and a column for each attribute of the
/// destination's key.
package struct ForeignKey: Codable, Hashable, Sendable {
    /// The property in Swift: `productID`.
    package var property: String
    /// The columns in the order of the destination's key.
    package var columns: [String]
    /// The column with the position in the inverse, if that is an ordered to-many relationship.
    package var positionColumn: String?
    /// The property in Swift of that column.
    package var positionProperty: String?
    /// Whether SQLite has a real `REFERENCES` too, because both ends stay on the device.
    package var isLocal: Bool

    package init(
        property: String, columns: [String], positionColumn: String?, positionProperty: String?, isLocal: Bool
    ) {
        self.property = property
        self.columns = columns
        self.positionColumn = positionColumn
        self.positionProperty = positionProperty
        self.isLocal = isLocal
    }
}

/// The table of a many-to-many relationship.
package struct JoinTable: Codable, Hashable, Sendable {
    /// The name in SQL: `product_tag`.
    package var name: String
    /// The end that was declared first.
    package var left: End
    package var right: End
    /// Whether SQLite has real `REFERENCES` too, because both ends stay on the device.
    package var isLocal: Bool
    /// Whether both ends are the same relationship, so that each link is two rows, one for each direction.
    package var isSymmetric: Bool {
        left.entity == right.entity && left.relationship == right.relationship
    }

    package struct End: Codable, Hashable, Sendable {
        /// The entity by its name in the schema.
        package var entity: String
        /// Its relationship, by name.
        package var relationship: String
        /// The columns of this entity's key, in the order of the key.
        package var columns: [String]
        /// The column with the position of the other end, if this entity's to-many relationship is ordered.
        package var positionColumn: String?

        package init(entity: String, relationship: String, columns: [String], positionColumn: String?) {
            self.entity = entity
            self.relationship = relationship
            self.columns = columns
            self.positionColumn = positionColumn
        }
    }

    package init(name: String, left: End, right: End, isLocal: Bool) {
        self.name = name
        self.left = left
        self.right = right
        self.isLocal = isLocal
    }
}
