/// Which former table and columns each table of the new structure comes from.
package struct TableMappings {
    package private(set) var all: [Mapping] = []
    package private(set) var names = KeptNames()
    /// The members that are kept, by their former and new paths.
    package private(set) var members: [(former: MemberPath, new: MemberPath)] = []
    private let former: SchemaLookup
    private let new: SchemaLookup
    let values: ValueSQL
    private let evolution: SchemaEvolution

    package struct Mapping {
        package let former: String
        package let new: String
        /// The entity's new name; `nil` for a join table.
        let entity: String?
        /// The source of each new column.
        package let sources: [String: ValueSource]
    }

    package init(_ evolution: SchemaEvolution, former: SchemaLookup, new: SchemaLookup, values: ValueSQL) {
        (self.former, self.new, self.values, self.evolution) = (former, new, values, evolution)
        for entity in new.list {
            guard let kept = evolution.entities[entity.name], let origin = kept.origin.flatMap({ former.entities[$0] })
            else { continue }
            let sources = sources(of: entity, from: origin, kept: kept)
            add(Mapping(former: origin.table, new: entity.table, entity: entity.name, sources: sources))
            for (name, member) in kept.members {
                guard let old = member.origin else { continue }
                members.append((MemberPath(origin.name, member: old), MemberPath(entity.name, member: name)))
            }
            for relationship in entity.relationships {
                addJoinTable(of: relationship, in: entity, from: origin, kept: kept)
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
        of entity: EntityStructure, from origin: EntityStructure, kept: EntityEvolution
    ) -> [String: ValueSource] {
        let sources = sources(of: entity, from: origin, kept: kept, columns: [:])
        guard sources.values.contains(where: \.needsRow) else { return sources }
        // An app's conversion gets the values of other columns, by the names that they have meanwhile.
        let columns = columns(of: origin, sources: sources)
        return self.sources(of: entity, from: origin, kept: kept, columns: columns)
    }

    /// The columns of a former entity while the migration runs, by the names of their attributes.
    func columns(of origin: EntityStructure, sources: [String: ValueSource]) -> [String: String] {
        let names = Dictionary(
            sources.compactMap { name, source in source.origin.map { ($0, name) } },
            uniquingKeysWith: { first, _ in first })
        let renames = ColumnRenames(sources, columns: former.columns(of: origin).map(\.name))
        return Dictionary(
            origin.attributes.map { ($0.name, names[$0.column] ?? renames.dropped[$0.column] ?? $0.column) },
            uniquingKeysWith: { first, _ in first })
    }

    private func sources(
        of entity: EntityStructure, from origin: EntityStructure, kept: EntityEvolution, columns: [String: String]
    ) -> [String: ValueSource] {
        var sources: [String: ValueSource] = [:]
        for column in new.columns(of: entity) {
            switch column.content {
            case .surrogateKey: sources[column.name] = .kept(column.name)
            case .attribute(let name):
                guard let member = kept.members[name] else { continue }
                let old = member.origin.flatMap(origin.attribute)
                sources[column.name] = values.source(member, origin: old?.column, columns: columns)
            case .foreignKey(let name):
                let columns = entity.relationship(name)?.foreignKeyColumns ?? []
                let former = kept.members[name]?.origin.flatMap(origin.relationship)
                let old = former?.foreignKeyColumns ?? []
                let index = columns.firstIndex(of: column.name) ?? 0
                let link = values.link(column.type, fill: kept.members[name]?.linkFill)
                sources[column.name] = old.indices.contains(index) ? link.source(from: old[index]) : link.added
            case .position(let name):
                let old = kept.members[name]?.origin.flatMap(origin.relationship)?.positionColumn
                let isKept = entity.relationship(name).map { keepsOrder($0.inverse, of: $0.destination) } ?? false
                sources[column.name] = isKept ? old.map(ValueSource.kept) ?? .empty : .empty
            }
        }
        return sources
    }

    /// Whether a to-many has been ordered ever since.
    private func keepsOrder(_ relationship: String?, of entity: String) -> Bool {
        guard let relationship else { return false }
        return evolution.entities[entity]?.members[relationship]?.losesOrder == false
    }

    /// A join table belongs to the relationship that defines it. The former one may have been defined by the other end.
    private mutating func addJoinTable(
        of relationship: RelationshipStructure, in entity: EntityStructure, from origin: EntityStructure,
        kept: EntityEvolution
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
        for (column, origin, isKept) in [
            (table.leftPosition, ends.position, keepsOrder(relationship.name, of: entity.name)),
            (table.rightPosition, ends.farPosition, keepsOrder(relationship.inverse, of: relationship.destination)),
        ] {
            if let column { sources[column] = isKept ? origin.map(ValueSource.kept) ?? .empty : .empty }
        }
        let name: String
        switch old.storage {
        case .joinTable(let join): name = join.name
        case .inverseJoinTable(let other): name = other
        case .foreignKey, .inverseForeignKey: return
        }
        add(Mapping(former: name, new: table.name, entity: nil, sources: sources))
    }
}
