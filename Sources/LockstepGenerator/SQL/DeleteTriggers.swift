import LockstepSchema

/// Creates the triggers for the delete rules that foreign key constraints do not cover.
///
/// A chain of cascades from a table to itself needs `PRAGMA recursive_triggers = ON` in SQLite.
struct DeleteTriggers {
    let lookup: SchemaLookup
    let dialect: SQLDialect

    /// The triggers of an entity's table: denials before the delete, everything else after it.
    func triggers(of entity: Entity) -> [DeleteTrigger] {
        var denials: [DeleteAction] = []
        var actions: [DeleteAction] = []
        for relationship in entity.relationships {
            let message = "lockstep.deny: \(entity.name).\(relationship.name)"
            for link in links(of: relationship, in: entity) {
                if relationship.onDelete == .deny, link.needsDenial {
                    denials.append(.deny(link.destinations, message: message))
                }
                actions += link.actions
            }
        }
        let name = entity.tableName
        return [
            DeleteTrigger(name: name + "_delete_deny", table: name, timing: .before, actions: denials),
            DeleteTrigger(name: name + "_delete", table: name, timing: .after, actions: actions),
        ].filter { !$0.actions.isEmpty }
    }

    /// How one relationship finds its destinations, and what to do with them.
    private struct Link {
        var destinations: RowMatch
        var needsDenial: Bool
        var actions: [DeleteAction]
    }

    private func links(of relationship: Relationship, in entity: Entity) -> [Link] {
        guard let destination = lookup.entities[relationship.destination] else { return [] }
        switch relationship.storage {
        case .foreignKey(let foreignKey):
            return [link(by: foreignKey, rule: relationship.onDelete, to: destination)]
        case .inverseForeignKey:
            guard let inverse = lookup.inverse(of: relationship), let foreignKey = inverse.foreignKey else { return [] }
            return [link(byInverse: foreignKey, rule: relationship.onDelete, from: entity, to: destination)]
        case .joinTable(let name, isLeft: _):
            guard let table = lookup.joinTables[name] else { return [] }
            return links(by: table, relationship, from: entity, to: destination)
        }
    }

    /// The deleted row holds the key, which database constraints do not cover.
    private func link(by foreignKey: ForeignKey, rule: DeleteRule, to destination: Entity) -> Link {
        let match = RowMatch(
            table: destination.tableName, columns: lookup.keyColumns(of: destination),
            partner: .deletedRow(foreignKey.columns)
        )
        return Link(destinations: match, needsDenial: true, actions: rule == .cascade ? [.delete(match)] : [])
    }

    /// The destination holds the key. A local one has a constraint, which also denies but cannot report the
    /// relationship.
    private func link(
        byInverse foreignKey: ForeignKey, rule: DeleteRule, from entity: Entity, to destination: Entity
    ) -> Link {
        let match = RowMatch(
            table: destination.tableName, columns: foreignKey.columns,
            partner: .deletedRow(lookup.keyColumns(of: entity))
        )
        var link = Link(destinations: match, needsDenial: dialect == .sqlite, actions: [])
        guard dialect == .sqlite, !foreignKey.isLocal else { return link }
        if rule == .cascade { link.actions = [.delete(match)] }
        if rule == .nullify {
            let columns = foreignKey.columns + [foreignKey.positionColumn].compactMap(\.self)
            link.actions = [.clear(columns: columns, match)]
        }
        return link
    }

    /// A relationship that is its own inverse is at both ends of the table.
    private func links(
        by table: JoinTable, _ relationship: Relationship, from entity: Entity, to destination: Entity
    ) -> [Link] {
        let ends = [(near: table.left, far: table.right), (near: table.right, far: table.left)]
        return ends.filter { $0.near.entity == entity.name && $0.near.relationship == relationship.name }.map { end in
            link(by: table, near: end.near, far: end.far, rule: relationship.onDelete, from: entity, to: destination)
        }
    }

    private func link(
        by table: JoinTable, near: JoinTable.End, far: JoinTable.End, rule: DeleteRule, from entity: Entity,
        to destination: Entity
    ) -> Link {
        let key = lookup.keyColumns(of: entity)
        let destinations = RowMatch(
            table: destination.tableName, columns: lookup.keyColumns(of: destination),
            partner: .joinTable(
                table.name, farColumns: far.columns, nearColumns: near.columns, deletedRowColumns: key
            )
        )
        let rows = RowMatch(table: table.name, columns: near.columns, partner: .deletedRow(key))
        let hasConstraints = table.isLocal || dialect == .postgresql
        var actions: [DeleteAction] = rule == .cascade ? [.delete(destinations)] : []
        if rule == .cascade || !hasConstraints { actions.append(.delete(rows)) }
        return Link(destinations: destinations, needsDenial: dialect == .sqlite, actions: actions)
    }
}
