/// Creates the column definitions of a schema's tables.
struct ColumnDefinitions {
    let lookup: SchemaLookup
    let dialect: SQLDialect

    /// The columns of an entity's table. A key of several columns is part of the table definition.
    func columns(of entity: EntityStructure) -> [ColumnDefinition] {
        let keys = entity.identity.keyAttributes
        let attributes = Dictionary(entity.attributes.map { ($0.name, $0) }) { first, _ in first }
        return lookup.columns(of: entity).map { column in
            switch column.content {
            case .surrogateKey:
                ColumnDefinition(name: column.name, type: surrogateType, key: .generated, isRequired: false)
            case .attribute(let name):
                attributeColumn(column, attribute: attributes[name], isKey: keys == [name])
            case .foreignKey, .position:
                linkColumn(column)
            }
        }
    }

    /// In SQLite, only the exact words `INTEGER PRIMARY KEY` make the database assign the number.
    private var surrogateType: SQLType { dialect == .sqlite ? .integer : .bigInteger }

    private func attributeColumn(_ column: EntityColumn, attribute: AttributeStructure?, isKey: Bool)
        -> ColumnDefinition
    {
        let stored = lookup.columnType(of: column.type)
        var definition = ColumnDefinition(name: column.name, type: stored.sqlType, isRequired: !column.isOptional)
        definition.key = isKey ? .primary : .none
        guard let attribute else { return definition }
        definition.isUnique = attribute.isUnique && !isKey
        definition.defaultValue = attribute.defaultValue.flatMap { defaultValue in
            DefaultLiteral(lookup: lookup, dialect: dialect).literal(defaultValue, as: column.type)
        }
        definition.checks = columnChecks(column: column.name, type: stored, limits: attribute.limits, dialect: dialect)
        return definition
    }

    private func linkColumn(_ column: EntityColumn) -> ColumnDefinition {
        var type = lookup.columnType(of: column.type).sqlType
        if case .position = column.content { type = .integer }
        return ColumnDefinition(name: column.name, type: type, isRequired: !column.isOptional)
    }
}
