package import GRDB
package import LockstepEvolution

/// A link from an entity to another, or to itself.
package struct RelationshipDescription: Sendable {
    /// The name in the schema.
    package let name: String
    /// The plan of the schema, which alone owns its entities: if they owned each other, none would be freed.
    private unowned let schema: SchemaPlan
    private let destinationIndex: Int
    /// The model at the other end; `nil` in a plan that was not generated, whose records no context has.
    package let destinationModel: (any EntityType.Type)?
    /// The inverse relationship at the other end; `nil` for a to-one without inverse.
    package let inverse: String?
    /// Where the links are stored.
    package let kind: Kind
    /// The treatment of the destination when the record that has this relationship is deleted.
    package let onDelete: DeleteRule
    /// The treatment of an embedded record that the server no longer lists, in a merge.
    package let unlisted: UnlistedRule
    /// How a to-many is sorted, by attributes of the destination.
    package let sortedBy: [SortDescription]
    /// How it is encoded in JSON.
    package let wire: RelationshipWire

    /// Where the links of a relationship are stored.
    package enum Kind: Sendable, Hashable {
        /// In this entity's own columns; `position` is the column with the position in an ordered inverse.
        case toOne(columns: [Int], position: Int?, isRequired: Bool)
        /// In the foreign key of the other end, a to-one.
        case toOneInverse
        /// In the foreign keys of the other ends.
        case toMany(isOrdered: Bool)
        /// In the rows of a join table: a many-to-many relationship, or a symmetric to-one.
        case manyToMany(JoinDescription)
    }

    init(
        name: String, destination: String, model: (any EntityType.Type)?, in schema: SchemaPlan, inverse: String?,
        kind: Kind, onDelete: DeleteRule, unlisted: UnlistedRule?, sortedBy: [SortDescription],
        wire: RelationshipWire
    ) {
        self.name = name
        self.schema = schema
        destinationIndex = schema.index(of: destination)
        destinationModel = model
        self.inverse = inverse
        self.kind = kind
        self.onDelete = onDelete
        self.unlisted = unlisted ?? (onDelete == .cascade ? .delete : .unlink)
        self.sortedBy = sortedBy
        if case .manyToMany = kind { self.wire = wire.ofJoinTable } else { self.wire = wire }
    }

    /// The entity at the other end.
    package var destination: EntityPlan { schema[destinationIndex] }

    /// The index of the inverse among the destination's relationships; `nil` if there is none.
    package var inverseIndex: Int? { inverse.flatMap { destination.relationship(named: $0) } }

    /// Whether a record can be linked to several others by it.
    package var isToMany: Bool {
        switch kind {
        case .toOne, .toOneInverse: false
        case .toMany: true
        case .manyToMany(let join): !join.isToOne
        }
    }

    /// Whether its records are embedded in the JSON of the record that has the relationship.
    package var isEmbedded: Bool { if case .embedded = wire { true } else { false } }

    /// Whether a to-many is read from identities.
    package var listsIdentities: Bool {
        switch wire {
        case .none, .id: false
        case .ids: true
        case .embedded(_, let path): !path.isEmpty
        }
    }

    /// Whether a to-many is read from records.
    package var listsRecords: Bool {
        switch wire {
        case .none, .id: false
        case .ids(_, let path): !path.isEmpty
        case .embedded: true
        }
    }

    package var isOrdered: Bool {
        switch kind {
        case .toMany(let isOrdered): isOrdered
        case .manyToMany(let join): join.position != nil
        case .toOne, .toOneInverse: false
        }
    }
}

/// The table of a many-to-many relationship, seen from one end.
package struct JoinDescription: Sendable, Hashable {
    /// The name in SQL, unquoted.
    package let table: String
    /// Columns with the key of the entity that has the relationship.
    package let sourceColumns: [String]
    /// Columns with the destination's key.
    package let destinationColumns: [String]
    /// The column with the position in this to-many; `nil` if it is not ordered.
    package let position: String?
    /// The column with the position in the inverse; `nil` if that is not ordered.
    package let inversePosition: String?
    /// Whether the relationship is its own inverse, as `friends` is. Each link is two rows, one for each direction,
    /// which are written together.
    package let isSymmetric: Bool
    /// Whether each record has at most one link, as `spouse` has. In JSON, it is one value instead of a list.
    package let isToOne: Bool

    /// The record at the other end of a symmetric to-one; `nil` if there is none.
    package func partner(of record: RecordKey, in database: Database) throws -> RecordKey? {
        let columns = destinationColumns.map(SQLName.quoted).joined(separator: ", ")
        let sql = "SELECT \(columns) FROM \(SQLName.quoted(table)) WHERE \(SQLName.condition(sourceColumns))"
        return try database.valueRows(sql, with: record.values).first.map { RecordKey($0) }
    }

    /// Deletes all links of two records but the one between them, which makes room for it in a to-one. The parameters
    /// are the keys of both, in any order.
    package var makeRoomSQL: String {
        func isEnd(_ columns: [String], first: Int) -> String {
            let terms = columns.enumerated().map { "\(SQLName.quoted($1)) = ?\(first + $0)" }
            return "(\(terms.joined(separator: " AND ")))"
        }
        let (one, other) = (1, sourceColumns.count + 1)
        let ends = [sourceColumns, destinationColumns].flatMap { [isEnd($0, first: one), isEnd($0, first: other)] }
        let pairs = [(one, other), (other, one)].map { source, destination in
            "NOT (\(isEnd(sourceColumns, first: source)) AND \(isEnd(destinationColumns, first: destination)))"
        }
        return """
            DELETE FROM \(SQLName.quoted(table)) WHERE (\(ends.joined(separator: " OR "))) \
            AND \(pairs.joined(separator: " AND "))
            """
    }
}

/// One attribute that a to-many is sorted by.
package struct SortDescription: Sendable, Hashable {
    /// The name of the destination's attribute in the schema.
    package let attribute: String
    package let isDescending: Bool

    /// Reads a key as it is written in a schema: `name`, or `-createdAt`.
    package init(_ key: String) {
        isDescending = key.hasPrefix("-")
        attribute = isDescending ? String(key.dropFirst()) : key
    }
}
