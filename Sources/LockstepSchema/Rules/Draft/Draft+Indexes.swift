extension Draft {
    /// Determines the indexes: those of `indexed:` attributes, those that are declared, and those of foreign keys,
    /// because relationships are read by them.
    ///
    /// Indexes and tables share one namespace in SQL, so an index with the name of a table gets another.
    func makeIndexes() {
        var taken = Set(concreteEntities.map { $0.tableName.lowercased() })
        taken.formUnion(joinTables.map { $0.name.lowercased() })
        for entity in entities where !entity.isAbstract {
            var indexes: [(columns: [String], isUnique: Bool)] = []
            for candidate in candidates(for: entity) {
                if let position = indexes.firstIndex(where: { $0.columns == candidate.columns }) {
                    indexes[position].isUnique = indexes[position].isUnique || candidate.isUnique
                } else {
                    indexes.append(candidate)
                }
            }
            entity.indexes = indexes.map { index in
                let name = ([entity.tableName] + index.columns).joined(separator: "_")
                let free = firstFree([name, name + "_index"], in: taken)
                taken.insert(free.lowercased())
                return IndexStructure(name: free, columns: index.columns, isUnique: index.isUnique)
            }
        }
    }

    private func candidates(for entity: DraftEntity) -> [(columns: [String], isUnique: Bool)] {
        var candidates: [(columns: [String], isUnique: Bool)] = []
        for attribute in entity.attributes where attribute.declaration.isIndexed?.value ?? false {
            if let column = attribute.columnName, !hasIndexAnyway(attribute, in: entity) {
                candidates.append(([column], false))
            }
        }
        for index in declaredIndexes(of: entity) {
            let columns = index.members.compactMap { self.columns(of: $0.value, in: entity) }
            if columns.count == index.members.count, !columns.isEmpty {
                candidates.append((columns.flatMap { $0 }, index.isUnique))
            }
        }
        for link in entity.links {
            if let foreignKey = link.foreignKey { candidates.append((foreignKey.columns, false)) }
        }
        return candidates
    }

    /// Inherited ones first.
    func declaredIndexes(of entity: DraftEntity) -> [IndexDeclaration] {
        if entity.bases.isEmpty { return entity.declaration.indexes }
        return ancestors(of: entity).reversed().flatMap(\.declaration.indexes) + entity.declaration.indexes
    }

    /// The columns of an attribute or a to-one in an index; `nil` if there is none with this name.
    func columns(of member: String, in entity: DraftEntity) -> [String]? {
        if let attribute = entity.attributesByName[member] { return attribute.columnName.map { [$0] } }
        return entity.linksByName[member]?.foreignKey?.columns
    }

    /// Whether SQL creates an index anyway, because it is unique or the primary key.
    private func hasIndexAnyway(_ attribute: DraftAttribute, in entity: DraftEntity) -> Bool {
        let key = entity.identity.keyAttributes
        return attribute.isUnique || entity.identity.remoteAttribute === attribute
            || key.count == 1 && key[0] === attribute
    }
}
