import LockstepSchema

/// Determines which foreign keys are constraints of the database.
///
/// SQLite has those between entities that are local only. If records come from a server, a key may arrive before its
/// parent, and triggers apply the delete rules instead. A PostgreSQL server has all parents.
struct ForeignKeyConstraints {
    let lookup: SchemaLookup
    let dialect: SQLDialect

    /// The constraints of an entity's table, each with its relationship.
    func constraints(of entity: Entity) -> [ForeignKeyConstraint] {
        entity.relationships.compactMap(constraint)
    }

    private func constraint(for relationship: Relationship) -> ForeignKeyConstraint? {
        guard let foreignKey = relationship.foreignKey, foreignKey.isLocal || dialect == .postgresql,
            let destination = lookup.entities[relationship.destination],
            let action = action(for: relationship)
        else { return nil }
        return ForeignKeyConstraint(
            columns: foreignKey.columns, table: destination.tableName,
            referencedColumns: lookup.keyColumns(of: destination), onDelete: action
        )
    }

    /// What happens to the row with the key when the referenced row is deleted: the inverse's rule.
    private func action(for relationship: Relationship) -> ForeignKeyConstraint.Action? {
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
        guard table.isLocal || dialect == .postgresql else { return [] }
        return [table.left, table.right].compactMap { end in
            guard let entity = lookup.entities[end.entity] else { return nil }
            return ForeignKeyConstraint(
                columns: end.columns, table: entity.tableName, referencedColumns: lookup.keyColumns(of: entity),
                onDelete: action(for: entity.relationships.first { $0.name == end.relationship }?.onDelete ?? .nullify)
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
