import LockstepEvolution

/// A relationship whose links are not sent with the record that holds the key: a list at the other end, or one end of a
/// many-to-many relationship.
///
/// Such a link is a change of the record that lists it, the owner.
package struct OutboxLinkRoute: Sendable {
    /// The value of `join_table` in the table of links: the name of the join table, or `table.column` of the foreign
    /// key.
    package let name: String
    /// The end that is sent to the server.
    package let owner: EntityPlan
    /// The index of the owner's relationship.
    package let relationship: Int
    /// The entity at the other end.
    package let destination: EntityPlan
    /// Where the links are stored.
    package let storage: Storage
    /// Whether the owner's list determines the order only, and the members are sent with the records that hold the key.
    package let isOrderOnly: Bool
    /// Whether each link is recorded. Otherwise, only the record that embeds the list is marked.
    package let isNoted: Bool
    /// Other ends that report the links to some remotes. They are marked, and nothing is recorded for them.
    let alternatives: [JoinEnd]

    package enum Storage: Sendable {
        /// In the rows of a table, seen from the owner.
        case joinTable(JoinDescription)
        /// In these columns of the destination.
        case foreignKey([Int], position: Int?)
    }

    /// The links of a schema that are sent with their owners. For a many-to-many relationship, this is the end that is
    /// sent to the most remotes. ``WireOwnership`` determines which end is sent to which.
    package static func links(of plans: SchemaPlan) -> [OutboxLinkRoute] {
        let lists = plans.flatMap { owner in
            owner.relationships.indices.compactMap { OutboxLinkRoute(owner, index: $0) }
        }
        return lists + JoinEnd.ends(of: plans).compactMap(OutboxLinkRoute.init)
    }

    private init?(_ ends: [JoinEnd]) {
        guard let end = ends.first else { return nil }
        (owner, relationship, destination) = (end.plan, end.relationship, end.description.destination)
        (name, storage, isOrderOnly) = (end.join.table, .joinTable(end.join), false)
        isNoted = end.isOfRecords
        let others = end.dependsOnRemote ? ends.dropFirst() : []
        let first = others.firstIndex { !$0.dependsOnRemote }
        alternatives = Array(first.map { others[...$0] } ?? others)
    }

    /// A list of records that hold the key.
    private init?(_ owner: EntityPlan, index: Int) {
        let description = owner.relationships[index]
        let destination = description.destination
        guard description.wire != .none, let name = owner.linkName(of: description),
            let inverse = description.inverseIndex,
            case .toOne(let columns, let position, _) = destination.relationships[inverse].kind
        else { return nil }
        isOrderOnly = destination.relationships[inverse].wire != .none
        if isOrderOnly && position == nil { return nil }
        (self.name, storage) = (name, .foreignKey(columns, position: position))
        (isNoted, alternatives) = (true, [])
        (self.owner, relationship, self.destination) = (owner, index, destination)
    }
}

extension EntityPlan {
    /// The names of links that may be sent with the records of this entity: ``OutboxLinkRoute/name``.
    package var linkNames: [String] { relationships.compactMap(linkName) }

    /// ``OutboxLinkRoute/name``; `nil` for a to-one that holds its key.
    package func linkName(of description: RelationshipDescription) -> String? {
        switch description.kind {
        case .toOne: return nil
        case .manyToMany(let join): return join.table
        case .toOneInverse, .toMany:
            let other = description.destination
            guard let column = description.columnsOfInverse?.first else { return nil }
            return "\(other.table).\(other.columns[column].name)"
        }
    }

    /// The columns whose values are sent with the record itself, without its key, and without its version, which is
    /// sent with a change but is not one, and without what only the server sets.
    package var travellingColumns: [Int] {
        columns.indices.filter { column in
            if keyColumns.contains(column) || column == versionColumn { return false }
            switch columns[column].content {
            case .attribute: return columns[column].wire.map { !$0.isReadOnly } ?? false
            case .foreignKey(let name):
                guard let relationship = relationship(named: name).map({ relationships[$0] }) else { return false }
                // The location of a record that is sent inside another one determines its owner.
                return relationship.wire != .none || relationship.embeddingInverse != nil && travelsInside
            case .position, .surrogateKey: return false
            }
        }
    }
}
