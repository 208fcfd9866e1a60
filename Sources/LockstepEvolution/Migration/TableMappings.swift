/// Which former table and columns each table of the new structure comes from.
struct TableMappings {
    private(set) var all: [Mapping] = []
    private(set) var names = KeptNames()
    /// The members that are kept, by their former and new paths.
    private(set) var members: [(former: MemberPath, new: MemberPath)] = []
    private let former: SchemaLookup
    private let new: SchemaLookup
    private let values: ValueSQL

    struct Mapping {
        let former: String
        let new: String
        /// The entity's new name; `nil` for a join table.
        let entity: String?
        /// The source of each new column.
        let sources: [String: ValueSource]
    }

    init(_ evolution: SchemaEvolution, former: SchemaLookup, new: SchemaLookup, values: ValueSQL) {
        (self.former, self.new, self.values) = (former, new, values)
        for entity in new.list {
            guard let kept = evolution.entities[entity.name], let origin = kept.origin.flatMap({ former.entities[$0] })
            else { continue }
            add(
                Mapping(
                    former: origin.table, new: entity.table, entity: entity.name,
                    sources: sources(of: entity, from: origin, kept)))
            for (name, member) in kept.members {
                guard let old = member.origin else { continue }
                members.append((MemberPath(origin.name, old), MemberPath(entity.name, name)))
            }
            for relationship in entity.relationships {
                addJoinTable(of: relationship, in: entity, from: origin, kept)
            }
        }
    }

    private mutating func add(_ mapping: Mapping) {
        all.append(mapping)
        names.tables[mapping.former] = mapping.new
        for (column, source) in mapping.sources {
            if let origin = source.origin { names.columns[mapping.former, default: [:]][origin] = column }
        }
    }

    private func sources(
        of entity: EntityStructure, from origin: EntityStructure, _ kept: EntityEvolution
    ) -> [String: ValueSource] {
        var sources: [String: ValueSource] = [:]
        for column in new.columns(of: entity) {
            switch column.content {
            case .surrogateKey: sources[column.name] = .kept(column.name)
            case .attribute(let name):
                guard let member = kept.members[name] else { continue }
                let old = member.origin.flatMap(origin.attribute)
                sources[column.name] = values.source(member, origin: old?.column)
            case .foreignKey(let name):
                let columns = entity.relationship(name)?.foreignKeyColumns ?? []
                let old = kept.members[name]?.origin.flatMap(origin.relationship)?.foreignKeyColumns ?? []
                let index = columns.firstIndex(of: column.name) ?? 0
                sources[column.name] = old.indices.contains(index) ? .kept(old[index]) : .empty
            case .position(let name):
                let old = kept.members[name]?.origin.flatMap(origin.relationship)?.positionColumn
                sources[column.name] = old.map(ValueSource.kept) ?? .empty
            }
        }
        return sources
    }

    /// A join table belongs to the relationship that defines it. The former one may have been defined by the other end.
    private mutating func addJoinTable(
        of relationship: RelationshipStructure, in entity: EntityStructure, from origin: EntityStructure,
        _ kept: EntityEvolution
    ) {
        guard case .joinTable(let table) = relationship.storage,
            let old = kept.members[relationship.name]?.origin.flatMap(origin.relationship)
        else { return }
        let ends: (near: [String], far: [String], position: String?, farPosition: String?)
        switch old.storage {
        case .joinTable(let join):
            ends = (join.leftColumns, join.rightColumns, join.leftPosition, join.rightPosition)
        case .inverseJoinTable(let name):
            guard let join = former.joinTable(named: name) else { return }
            ends = (join.right.columns, join.left.columns, join.right.positionColumn, join.left.positionColumn)
        case .foreignKey, .inverseForeignKey: return
        }
        var sources: [String: ValueSource] = [:]
        for (column, origin) in zip(table.leftColumns, ends.near) { sources[column] = .kept(origin) }
        for (column, origin) in zip(table.rightColumns, ends.far) { sources[column] = .kept(origin) }
        if let column = table.leftPosition { sources[column] = ends.position.map(ValueSource.kept) ?? .empty }
        if let column = table.rightPosition { sources[column] = ends.farPosition.map(ValueSource.kept) ?? .empty }
        let name: String
        switch old.storage {
        case .joinTable(let join): name = join.name
        case .inverseJoinTable(let other): name = other
        case .foreignKey, .inverseForeignKey: return
        }
        add(Mapping(former: name, new: table.name, entity: nil, sources: sources))
    }
}
