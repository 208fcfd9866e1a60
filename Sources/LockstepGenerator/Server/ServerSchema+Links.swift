import LockstepEvolution

extension ServerSchema {
    /// An entity whose scope is that of another one's records.
    struct Descendant {
        let entity: ServerEntity
        /// The alias of its table in `joins`.
        let alias: Code
        /// The tables from the rows `n` of the other entity to those of this one.
        let joins: Code
    }

    /// The entities whose records are in the scope of an entity's records, if a move of these moves them.
    func descendants(of entity: ServerEntity) -> [Descendant] {
        // The key of a scope of its own is in the rows of those who have it; and what everybody reads does not move.
        switch entity.scope {
        case .own, .everyone: return []
        case .attribute, .relationship: return descendants(of: entity, row: "n", joins: Code(), depth: 1)
        }
    }

    private func descendants(of entity: ServerEntity, row: Code, joins: Code, depth: Int) -> [Descendant] {
        var found: [Descendant] = []
        for (index, child) in entities.enumerated() {
            guard let (relationship, destination) = child.scopeLink, destination.name == entity.name else { continue }
            let alias: Code = "d\(depth)_\(index)"
            let condition = child.refers(alias, by: relationship, to: row, of: entity)
            let all = Code.joined([joins, "JOIN \(name: child.table) \(alias) ON \(condition)"], separator: " ")
            found.append(Descendant(entity: child, alias: alias, joins: all))
            found += descendants(of: child, row: alias, joins: all, depth: depth + 1)
        }
        return found
    }

    /// Whether a relationship's links are in the JSON of its records, but not in their rows.
    func carries(_ relationship: RelationshipStructure, of entity: ServerEntity) -> Bool {
        LinkTable(relationship, of: entity, in: self) != nil
    }

    /// An end of a join table.
    struct JoinEnd {
        let entity: ServerEntity
        /// The columns with the key of its record.
        let columns: [String]
        /// Whether its records are sent with a list of the links.
        let isCarrier: Bool
    }

    func ends(of table: LockstepEvolution.JoinTable) -> [JoinEnd] {
        [table.left, table.right].compactMap { end in
            entity(end.entity).map { entity in
                let relationship = end.relationship.flatMap(entity.structure.relationship)
                return JoinEnd(
                    entity: entity, columns: end.columns,
                    isCarrier: relationship.map { carries($0, of: entity) } ?? false)
            }
        }
    }

    /// The entities with lists of an entity's records, each with the columns of its key in the rows of these.
    func carriers(of entity: ServerEntity) -> [(ServerEntity, columns: [String])] {
        entity.structure.relationships.compactMap { relationship in
            guard !relationship.foreignKeyColumns.isEmpty, let carrier = self.entity(relationship.destination),
                let inverse = lookup.inverse(of: relationship), carries(inverse, of: carrier)
            else { return nil }
            return (carrier, relationship.foreignKeyColumns)
        }
    }
}
