/// Creates the triggers for the delete rules that foreign key constraints do not cover.
///
/// A chain of cascades from a table to itself needs `PRAGMA recursive_triggers = ON` in SQLite.
struct DeleteTriggers {
    let lookup: SchemaLookup
    let dialect: SQLDialect

    /// The triggers of an entity's table: denials before the delete, everything else after it.
    func triggers(of entity: EntityStructure) -> [DeleteTrigger] {
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
        let name = entity.table
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

    private func links(of relationship: RelationshipStructure, in entity: EntityStructure) -> [Link] {
        guard let destination = lookup.entities[relationship.destination] else { return [] }
        switch relationship.storage {
        case .foreignKey(columns: let columns, position: _):
            return [link(by: columns, rule: relationship.onDelete, to: destination)]
        case .inverseForeignKey:
            guard let inverse = lookup.inverse(of: relationship), !inverse.foreignKeyColumns.isEmpty else { return [] }
            return [link(byInverse: inverse, rule: relationship.onDelete, from: entity, to: destination)]
        case .joinTable(let join):
            guard let table = lookup.joinTable(named: join.name) else { return [] }
            return links(by: table, for: relationship, from: entity, to: destination)
        case .inverseJoinTable(let name):
            guard let table = lookup.joinTable(named: name) else { return [] }
            return links(by: table, for: relationship, from: entity, to: destination)
        }
    }

    /// The deleted row holds the key, which database constraints do not cover.
    private func link(
        by foreignKey: [String], rule: DeleteRule, to destination: EntityStructure
    ) -> Link {
        let match = RowMatch(
            table: destination.table, columns: destination.keyColumns,
            partner: .deletedRow(foreignKey)
        )
        return Link(destinations: match, needsDenial: true, actions: rule == .cascade ? [.delete(match)] : [])
    }

    /// The destination holds the key. A local one has a constraint, which also denies but cannot report the
    /// relationship.
    private func link(
        byInverse inverse: RelationshipStructure, rule: DeleteRule, from entity: EntityStructure,
        to destination: EntityStructure
    ) -> Link {
        let match = RowMatch(
            table: destination.table, columns: inverse.foreignKeyColumns,
            partner: .deletedRow(entity.keyColumns)
        )
        var link = Link(destinations: match, needsDenial: dialect == .sqlite, actions: [])
        guard dialect == .sqlite, !lookup.isLocal(entity.name, and: destination.name) else { return link }
        if rule == .cascade { link.actions = [.delete(match)] }
        if rule == .nullify {
            let columns = inverse.foreignKeyColumns + [inverse.positionColumn].compactMap(\.self)
            link.actions = [.clear(columns: columns, match)]
        }
        return link
    }

    /// A relationship that is its own inverse is at both ends of the table.
    private func links(
        by table: JoinTable, for relationship: RelationshipStructure, from entity: EntityStructure,
        to destination: EntityStructure
    ) -> [Link] {
        let ends = [(near: table.left, far: table.right), (near: table.right, far: table.left)]
        return ends.filter { $0.near.entity == entity.name && $0.near.relationship == relationship.name }.map { end in
            link(by: table, near: end.near, far: end.far, rule: relationship.onDelete, from: entity, to: destination)
        }
    }

    private func link(
        by table: JoinTable, near: JoinTable.End, far: JoinTable.End, rule: DeleteRule,
        from entity: EntityStructure,
        to destination: EntityStructure
    ) -> Link {
        let key = entity.keyColumns
        let destinations = RowMatch(
            table: destination.table, columns: destination.keyColumns,
            partner: .joinTable(
                table.name, farColumns: far.columns, nearColumns: near.columns, deletedRowColumns: key
            )
        )
        let rows = RowMatch(table: table.name, columns: near.columns, partner: .deletedRow(key))
        let hasConstraints = lookup.isLocal(table.left.entity, and: table.right.entity) || dialect == .postgresql
        var actions: [DeleteAction] = rule == .cascade ? [.delete(destinations)] : []
        if rule == .cascade || !hasConstraints { actions.append(.delete(rows)) }
        return Link(destinations: destinations, needsDenial: dialect == .sqlite, actions: actions)
    }
}
