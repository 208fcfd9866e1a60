/// Determines which foreign keys are constraints of the database.
///
/// SQLite has those between entities that are local only. If records come from a server, a key may arrive before its
/// parent, and triggers apply the delete rules instead. A PostgreSQL server has all parents.
struct ForeignKeyConstraints {
    let lookup: SchemaLookup
    let dialect: SQLDialect

    /// The constraints of an entity's table, each with its relationship.
    func constraints(of entity: EntityStructure) -> [ForeignKeyConstraint] {
        entity.relationships.compactMap { constraint(for: $0, of: entity) }
    }

    private func constraint(
        for relationship: RelationshipStructure, of entity: EntityStructure
    ) -> ForeignKeyConstraint? {
        let columns = relationship.foreignKeyColumns
        guard !columns.isEmpty, lookup.isLocal(entity.name, and: relationship.destination) || dialect == .postgresql,
            let destination = lookup.entities[relationship.destination],
            let action = action(for: relationship)
        else { return nil }
        return ForeignKeyConstraint(
            columns: columns, table: destination.table,
            referencedColumns: destination.keyColumns, onDelete: action
        )
    }

    /// Returns the effect on the row with the key when the referenced row is deleted: the inverse's rule.
    private func action(for relationship: RelationshipStructure) -> ForeignKeyConstraint.Action? {
        switch lookup.inverse(of: relationship)?.onDelete ?? .nullify {
        case .cascade: .cascade
        case .nullify: relationship.isOptional ? .setNull : denial
        case .deny: denial
        case .none: nil
        }
    }

    /// PostgreSQL's RESTRICT denies even if the same statement deletes the other rows as well. NO ACTION checks at the
    /// end.
    private var denial: ForeignKeyConstraint.Action { dialect == .sqlite ? .restrict : .noAction }

    /// The constraints of a join table: its rows are deleted with either end, whatever the rule.
    func constraints(of table: JoinTable) -> [ForeignKeyConstraint] {
        guard lookup.isLocal(table.left.entity, and: table.right.entity) || dialect == .postgresql else { return [] }
        return [table.left, table.right].compactMap { end in
            guard let entity = lookup.entities[end.entity] else { return nil }
            return ForeignKeyConstraint(
                columns: end.columns, table: entity.table, referencedColumns: entity.keyColumns,
                onDelete: action(for: end.relationship.flatMap(entity.relationship)?.onDelete ?? .nullify)
            )
        }
    }

    private func action(for rule: DeleteRule) -> ForeignKeyConstraint.Action {
        switch rule {
        // The trigger that deletes the other end needs the rows, and deletes them itself.
        case .cascade: .noAction
        case .deny: denial
        case .nullify, .none: .cascade
        }
    }
}
