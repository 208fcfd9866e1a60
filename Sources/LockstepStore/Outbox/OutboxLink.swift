/// A relationship whose links do not travel with the record that holds the key: the other end lists them, or one end of
/// a many to many.
///
/// Such a link is a change of the record that lists it, the owner.
package struct OutboxLink: Sendable {
    /// What `join_table` says in the table of links: the name of the join table, or `table.column` of the foreign key.
    package let name: String
    /// The end that tells the server.
    package let owner: EntityPlan
    /// The owner's relationship, by its place.
    package let relationship: Int
    /// The entity at the other end.
    package let destination: EntityPlan
    /// Where the links are kept.
    package let storage: Storage
    /// Whether the owner's list tells the order only, and the members travel with the records that hold the key.
    package let isOrderOnly: Bool

    package enum Storage: Sendable {
        /// In the rows of a table, seen from the owner.
        case joinTable(JoinDescription)
        /// In these columns of the destination.
        case foreignKey([Int], position: Int?)
    }

    /// The links of a schema that travel with their owners.
    package static func links(of plans: [EntityPlan]) -> [OutboxLink] {
        var links: [OutboxLink] = []
        var joinTables: Set<String> = []
        for owner in plans {
            for (place, description) in owner.relationships.enumerated() where description.wire != .none {
                guard let link = OutboxLink(owner, place, description) else { continue }
                if case .joinTable(let join) = link.storage {
                    // Where both ends list them, the first that can say so does.
                    guard OutboxTouch.reaches(owner, plans), joinTables.insert(join.table).inserted else { continue }
                }
                links.append(link)
            }
        }
        return links
    }

    private init?(_ owner: EntityPlan, _ place: Int, _ description: RelationshipDescription) {
        let destination = description.destination.entity.plan
        switch description.kind {
        case .toOne: return nil
        case .manyToMany(let join):
            (name, storage, isOrderOnly) = (join.table, .joinTable(join), false)
        case .toOneInverse, .toMany:
            guard let inverse = description.inverse.flatMap({ destination.relationship(named: $0) }),
                case .toOne(let columns, let position, _) = destination.relationships[inverse].kind
            else { return nil }
            isOrderOnly = destination.relationships[inverse].wire != .none
            if isOrderOnly && position == nil { return nil }
            name = "\(destination.table).\(destination.columns[columns[0]].name)"
            storage = .foreignKey(columns, position: position)
        }
        (self.owner, relationship, self.destination) = (owner, place, destination)
    }
}

extension EntityPlan {
    /// The names of links that the records of this entity may tell the server of: ``OutboxLink/name``.
    package var linkNames: [String] {
        relationships.compactMap { description in
            switch description.kind {
            case .toOne: return nil
            case .manyToMany(let join): return join.table
            case .toOneInverse, .toMany:
                let other = description.destination.entity.plan
                guard let place = description.inverse.flatMap({ other.relationship(named: $0) }),
                    let column = other.foreignKeys[place].first
                else { return nil }
                return "\(other.table).\(other.columns[column].name)"
            }
        }
    }

    /// The columns whose values travel with the record itself, without its key.
    package var travellingColumns: [Int] {
        columns.indices.filter { column in
            if keyColumns.contains(column) { return false }
            switch columns[column].content {
            case .attribute: return columns[column].wire != nil
            case .foreignKey(let name):
                return relationship(named: name).map { relationships[$0].wire != .none } ?? false
            case .position, .surrogateKey: return false
            }
        }
    }
}
