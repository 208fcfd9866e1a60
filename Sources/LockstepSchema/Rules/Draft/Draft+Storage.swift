extension Draft {
    /// Determines where links are stored, and names the keys, positions and tables.
    func storeLinks() {
        for entity in entities {
            for link in entity.links { link.storage = storage(of: link) }
        }
        for entity in entities {
            for link in entity.links where link.storage == .foreignKey { makeForeignKey(of: link) }
        }
        for entity in entities {
            for link in entity.links where link.inverse?.isOrdered ?? false { makePosition(of: link) }
        }
        makeJoinTables()
    }

    private func storage(of link: Link) -> Link.Storage? {
        guard link.destination != nil, link.inverseProblem == nil else { return nil }
        guard let inverse = link.inverse else { return link.isToMany ? nil : .foreignKey }
        // Both ends of a symmetric to-one would hold a key, and the two could contradict each other.
        if link.isSymmetric { return .joinTable }
        switch (link.isToMany, inverse.isToMany) {
        case (true, true): return .joinTable
        case (true, false): return .inverseForeignKey
        case (false, true): return .foreignKey
        case (false, false): return holdsKey(link, of: inverse) ? .foreignKey : .inverseForeignKey
        }
    }

    /// Of two to-one inverses, the key is held by the required one, otherwise by the one that is declared to hold it,
    /// otherwise by the one whose destination has an identity to refer to, otherwise by the one with options of a key,
    /// otherwise by the one that does not cascade. Otherwise both can hold it, and their names decide, so that the
    /// order of the entities never does.
    private func holdsKey(_ link: Link, of inverse: Link) -> Bool {
        if link.isOptional != inverse.isOptional { return !link.isOptional }
        if let declared = link.declaration?.holdsKey?.value ?? inverse.declaration?.holdsKey.map({ !$0.value }) {
            return declared
        }
        let (hasIdentity, inverseHasIdentity) = (hasDestinationIdentity(link), hasDestinationIdentity(inverse))
        if hasIdentity != inverseHasIdentity { return hasIdentity }
        let (needsKey, inverseNeedsKey) = (needsKey(link), needsKey(inverse))
        if needsKey != inverseNeedsKey { return needsKey }
        let cascades = link.onDelete == .cascade
        // If neither can hold it, or both must, that is reported; what a delete does is of no interest then.
        if hasIdentity, !needsKey, cascades != (inverse.onDelete == .cascade) { return !cascades }
        return (link.owner.name, link.name) < (inverse.owner.name, inverse.name)
    }

    private func hasDestinationIdentity(_ link: Link) -> Bool {
        link.destination.map { !$0.identity.isNone } ?? false
    }

    /// Whether the schema says something about a link that only the end with the key has: its column, an index over
    /// it, or a JSON key without another form.
    private func needsKey(_ link: Link) -> Bool {
        guard let declaration = link.declaration else { return false }
        if declaration.column != nil || declaration.key != nil && declaration.wire == nil { return true }
        return declaredIndexes(of: link.owner).contains { index in index.members.contains { $0.value == link.name } }
    }

    private func makeForeignKey(of link: Link) {
        guard let destination = link.destination, !destination.identity.keyAttributes.isEmpty else { return }
        let foreignKey = ForeignKey(
            property: link.name + "ID",
            columns: keyColumns(
                of: destination, named: link.name, override: link.declaration?.column?.value),
            positionColumn: nil, positionProperty: nil,
            isLocal: link.owner.remote == nil && destination.remote == nil)
        link.foreignKey = foreignKey
        claimMember(foreignKey.property, claim: .foreignKey(link), in: link.owner)
        let key = destination.identity.keyAttributes
        if key.count > 1 {
            // The parts are not properties, but columns and coding keys in Swift.
            for part in key {
                claimMember(link.name + part.name.capitalizingFirst, claim: .foreignKey(link), in: link.owner)
            }
        }
        for column in foreignKey.columns { claimColumn(column, claim: .foreignKey(link), in: link.owner) }
    }

    /// The columns with the key of `entity` under the name `name`: `product_id`, or one for each part of the key.
    func keyColumns(of entity: DraftEntity, named name: String, override: String? = nil) -> [String] {
        let key = entity.identity.keyAttributes
        if key.count == 1 { return [override ?? columnSpelling.spell(name, "ID")] }
        return key.map { columnSpelling.spell(name, $0.name) }
    }

    private func makePosition(of link: Link) {
        guard let inverse = link.inverse, link.foreignKey != nil else { return }
        let isFree = { (property: String, column: String) in
            link.owner.scope.members[property] == nil && link.owner.scope.columns[column.lowercased()] == nil
                && !ReservedNames.members.contains(property)
        }
        var property = inverse.name + "Position"
        var column = columnSpelling.spell(inverse.name, "position")
        if !isFree(property, column) {
            property = link.name + inverse.name.capitalizingFirst + "Position"
            column = columnSpelling.spell(link.name, inverse.name, "position")
        }
        link.foreignKey?.positionProperty = property
        link.foreignKey?.positionColumn = column
        claimMember(property, claim: .position(link), in: link.owner)
        claimColumn(column, claim: .position(link), in: link.owner)
    }
}
