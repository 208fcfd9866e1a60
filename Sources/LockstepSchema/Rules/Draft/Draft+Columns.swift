extension Draft {
    /// The columns of an entity's table: the surrogate key, attributes, foreign keys, positions.
    func columns(of entity: DraftEntity) -> [Column] {
        var columns: [Column] = []
        columns.reserveCapacity(entity.attributes.count + entity.links.count + 1)
        if entity.identity.isNone {
            columns.append(
                Column(
                    name: SurrogateKey.column, property: SurrogateKey.property, content: .surrogateKey,
                    type: .scalar(.int), isOptional: false))
        }
        for attribute in entity.attributes {
            guard let name = attribute.columnName, let type = attribute.type else { continue }
            columns.append(
                Column(
                    name: name, property: attribute.swiftName, content: .attribute(attribute.name), type: type,
                    isOptional: attribute.isOptional))
        }
        for link in entity.links { columns += foreignKeyColumns(of: link) }
        for link in entity.links {
            if let column = positionColumn(of: link) { columns.append(column) }
        }
        return columns
    }

    private func foreignKeyColumns(of link: Link) -> [Column] {
        guard let foreignKey = link.foreignKey, let destination = link.destination else { return [] }
        return zip(foreignKey.columns, destination.identity.keyAttributes).compactMap { name, attribute in
            attribute.type.map { type in
                Column(
                    name: name, property: foreignKey.property,
                    content: .foreignKey(relationship: link.name, attribute: attribute.name), type: type,
                    isOptional: link.isOptional)
            }
        }
    }

    private func positionColumn(of link: Link) -> Column? {
        guard let name = link.foreignKey?.positionColumn, let property = link.foreignKey?.positionProperty,
            let inverse = link.inverse
        else { return nil }
        return Column(
            name: name, property: property, content: .position(relationship: link.name, inverse: inverse.name),
            type: .scalar(.int), isOptional: true)
    }
}
