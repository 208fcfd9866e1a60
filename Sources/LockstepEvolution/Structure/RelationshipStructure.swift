/// A link from an entity to another, or to itself.
package struct RelationshipStructure: Hashable, Sendable {
    package var name: String
    /// The destination's name.
    package var destination: String
    package var isToMany: Bool
    /// Whether a to-one may be empty; `true` for every to-many.
    package var isOptional: Bool
    /// Whether a to-many keeps the order of its members.
    package var isOrdered: Bool
    /// The relationship of the destination that is the other end; `nil` if there is none.
    package var inverse: String?
    package var onDelete: DeleteRule
    package var storage: Storage
    package var wire: RelationshipWire

    /// Where the links are stored.
    package enum Storage: Hashable, Sendable {
        /// The relationship's own columns, in the order of the destination's key; `position` is the column with the
        /// position in the inverse, if that is an ordered to-many.
        case foreignKey(columns: [String], position: String?)
        /// The foreign key of the inverse.
        case inverseForeignKey
        /// A join table that this relationship defines: its left end. A to-one that has one is symmetric.
        case joinTable(JoinTableStructure)
        /// The join table that the inverse defines, by name.
        case inverseJoinTable(String)
    }

    package init(
        name: String, destination: String, isToMany: Bool, isOptional: Bool, isOrdered: Bool = false,
        inverse: String? = nil, onDelete: DeleteRule = .nullify, storage: Storage,
        wire: RelationshipWire = .none
    ) {
        self.name = name
        self.destination = destination
        self.isToMany = isToMany
        self.isOptional = isOptional
        self.isOrdered = isOrdered
        self.inverse = inverse
        self.onDelete = onDelete
        self.storage = storage
        self.wire = wire
    }

    /// Its own foreign key's columns; empty if it holds none.
    package var foreignKeyColumns: [String] {
        if case .foreignKey(columns: let columns, position: _) = storage { columns } else { [] }
    }

    package var positionColumn: String? {
        if case .foreignKey(columns: _, position: let position) = storage { position } else { nil }
    }
}

/// The effect of a delete on the other end, as in Core Data.
package enum DeleteRule: String, Codable, Hashable, Sendable, CaseIterable {
    /// The link is cleared.
    case nullify
    /// The other end is deleted too.
    case cascade
    /// The delete is refused while the other end exists.
    case deny
    /// Nothing: the link stays and points nowhere.
    case none
}

/// The effect of a merge on an embedded record that the server's list no longer contains, or that another one replaces
/// (Rules.md, R4 and R5).
package enum UnlistedRule: String, Codable, Hashable, Sendable, CaseIterable {
    /// It is deleted.
    case delete
    /// It stays, without the link.
    case unlink
}

/// The form of a relationship in JSON.
package enum RelationshipWire: Codable, Hashable, Sendable {
    /// It is not in JSON; the other end is.
    case none
    /// A to-one relationship, as the identity of its destination, with a path for each attribute. An object at
    /// `embeddedPath` is read, too, unless that is empty.
    case id(paths: [[String]], embeddedPath: [String])
    /// A to-many relationship, as a list of identities. Records at `embeddedPath` are read, too, unless that is empty.
    /// If both paths are the same, each element of the list is an identity or a record.
    case ids(path: [String], embeddedPath: [String] = [])
    /// The whole record, or the list of whole records. A list of identities at `idsPath` is read, too, unless that is
    /// empty. If both paths are the same, each element of the list is a record or an identity.
    case embedded(path: [String], idsPath: [String] = [])
}

/// The table of a many-to-many relationship. Its left end is the relationship that defines it.
package struct JoinTableStructure: Hashable, Sendable {
    package var name: String
    /// The columns with the left end's key.
    package var leftColumns: [String]
    package var rightColumns: [String]
    /// The column with the position in the left end's list, if that is ordered.
    package var leftPosition: String?
    package var rightPosition: String?
    /// Whether both ends are the same relationship, so that each link is two rows, one for each direction.
    package var isSymmetric: Bool

    package init(
        name: String, leftColumns: [String], rightColumns: [String], leftPosition: String? = nil,
        rightPosition: String? = nil, isSymmetric: Bool = false
    ) {
        self.name = name
        self.leftColumns = leftColumns
        self.rightColumns = rightColumns
        self.leftPosition = leftPosition
        self.rightPosition = rightPosition
        self.isSymmetric = isSymmetric
    }
}
