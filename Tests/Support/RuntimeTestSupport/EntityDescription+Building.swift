package import LockstepEvolution
package import LockstepStore

// Entities that tests describe by hand. Those of generated models are made of their schema's structure.

extension EntityDescription {
    /// Describes an entity.
    ///
    /// - Parameters:
    ///   - name: The entity's name in the schema.
    ///   - table: The table's name in SQL, unquoted.
    ///   - identity: Which columns are the key.
    ///   - version: The index in `columns` of the column that the server changes with each write, and that local writes
    ///     send back; `nil` if there is none.
    ///   - columns: The columns in the order of the table, which is the order of every row that is read.
    ///   - relationships: The relationships. Models refer to them by their index.
    ///   - remote: How the entity is reached on a server; `nil` if it is local only.
    package init(
        name: String, table: String, identity: IdentityDescription, version: Int? = nil,
        columns: [ColumnDescription], relationships: [RelationshipDescription] = [], remote: RemoteStructure? = nil
    ) {
        self.init(
            EntityPlan(
                name: name, table: table, identity: identity, version: version, columns: columns,
                relationships: relationships, remote: remote))
    }
}

extension RelationshipDescription {
    /// A to-one that holds the key.
    package static func toOne(
        _ name: String, to destination: any EntityType.Type, inverse: String? = nil, columns: [Int],
        position: Int? = nil,
        isRequired: Bool = false, onDelete: DeleteRule = .nullify, unlisted: UnlistedRule? = nil,
        wire: RelationshipWireDescription = .none
    ) -> RelationshipDescription {
        RelationshipDescription(
            name: name, destination: EntityReference(destination), inverse: inverse,
            kind: .toOne(columns: columns, position: position, isRequired: isRequired), onDelete: onDelete,
            unlisted: unlisted, sortedBy: [], wire: wire)
    }

    /// A to-one whose destination holds the key.
    package static func toOneInverse(
        _ name: String, to destination: any EntityType.Type, inverse: String, onDelete: DeleteRule = .nullify,
        unlisted: UnlistedRule? = nil, wire: RelationshipWireDescription = .none
    ) -> RelationshipDescription {
        RelationshipDescription(
            name: name, destination: EntityReference(destination), inverse: inverse, kind: .toOneInverse,
            onDelete: onDelete,
            unlisted: unlisted, sortedBy: [], wire: wire)
    }

    /// A to-many whose destinations hold the key.
    package static func toMany(
        _ name: String, to destination: any EntityType.Type, inverse: String, onDelete: DeleteRule = .nullify,
        unlisted: UnlistedRule? = nil, sortedBy: [SortDescription] = [], isOrdered: Bool = false,
        wire: RelationshipWireDescription = .none
    ) -> RelationshipDescription {
        RelationshipDescription(
            name: name, destination: EntityReference(destination), inverse: inverse,
            kind: .toMany(isOrdered: isOrdered),
            onDelete: onDelete, unlisted: unlisted, sortedBy: sortedBy, wire: wire)
    }

    /// One end of a many-to-many relationship.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - destination: The model at the other end.
    ///   - inverse: The name of the property at the other end.
    ///   - table: The table of the links.
    ///   - sourceColumns: Its columns with this entity's key.
    ///   - destinationColumns: Its columns with the destination's key.
    ///   - position: Its column with the position in this to-many, if it is ordered.
    ///   - inversePosition: Its column with the position in the inverse, if that is ordered.
    ///   - isSymmetric: Whether it is its own inverse.
    ///   - onDelete: What happens to the other end when this record is deleted.
    ///   - sortedBy: The sort order of its members, if it is not ordered manually.
    ///   - wire: How it is encoded in JSON.
    package static func manyToMany(
        _ name: String, to destination: any EntityType.Type, inverse: String, table: String, sourceColumns: [String],
        destinationColumns: [String], position: String? = nil, inversePosition: String? = nil,
        isSymmetric: Bool = false,
        onDelete: DeleteRule = .nullify, sortedBy: [SortDescription] = [], wire: RelationshipWireDescription = .none
    ) -> RelationshipDescription {
        let join = JoinDescription(
            table: table, sourceColumns: sourceColumns, destinationColumns: destinationColumns, position: position,
            inversePosition: inversePosition, isSymmetric: isSymmetric)
        return RelationshipDescription(
            name: name, destination: EntityReference(destination), inverse: inverse, kind: .manyToMany(join),
            onDelete: onDelete,
            sortedBy: sortedBy, wire: wire)
    }

    /// A to-one that is its own inverse: if one record has the other, the other has the first.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - destination: The model at both ends.
    ///   - table: The table of the links.
    ///   - sourceColumns: Its columns with one record's key.
    ///   - destinationColumns: Its columns with the other record's key.
    ///   - onDelete: What happens to the other record when one is deleted.
    ///   - wire: How it is encoded in JSON: `.id` with one path, or `.none`.
    package static func symmetricToOne(
        _ name: String, to destination: any EntityType.Type, table: String, sourceColumns: [String],
        destinationColumns: [String], onDelete: DeleteRule = .nullify, wire: RelationshipWireDescription = .none
    ) -> RelationshipDescription {
        let join = JoinDescription(
            table: table, sourceColumns: sourceColumns, destinationColumns: destinationColumns, position: nil,
            inversePosition: nil, isSymmetric: true, isToOne: true)
        return RelationshipDescription(
            name: name, destination: EntityReference(destination), inverse: name, kind: .manyToMany(join),
            onDelete: onDelete, sortedBy: [], wire: wire)
    }
}
