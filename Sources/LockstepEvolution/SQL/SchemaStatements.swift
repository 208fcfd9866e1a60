/// All statements of a schema: each table with its indexes, then the join tables, then what requires all tables to
/// exist.
package struct SchemaStatements {
    private let lookup: SchemaLookup
    private let dialect: SQLDialect
    private let documentation: [String: String]
    private var relationNames: NameRegistry
    private var triggerNames: NameRegistry
    private var constraintNames: NameRegistry
    private var late: [SQLStatement] = []

    /// - Parameter documentation: The description of each table, by its name; for the comments of a file.
    package init(_ structure: SchemaStructure, dialect: SQLDialect, documentation: [String: String] = [:]) {
        self.dialect = dialect
        self.documentation = documentation
        lookup = SchemaLookup(structure)
        relationNames = NameRegistry(dialect: dialect)
        triggerNames = NameRegistry(dialect: dialect)
        constraintNames = NameRegistry(dialect: dialect)
    }

    /// The statements in an order in which they can be executed.
    package mutating func statements() -> [SQLStatement] {
        claimTableNames()
        var statements: [SQLStatement] = []
        for entity in lookup.list {
            statements += tableStatements(of: entity)
        }
        for joinTable in lookup.joinTables {
            statements += tableStatements(of: joinTable)
        }
        return statements + late + lookup.list.flatMap { triggerStatements(of: $0) }
    }

    /// Tables keep their names, so an index that would have one of them gets another. PostgreSQL creates indexes for
    /// keys and unique columns too, under its own names.
    private mutating func claimTableNames() {
        for name in lookup.list.map(\.table) + lookup.joinTables.map(\.name) {
            _ = relationNames.claim(name)
            if dialect == .postgresql { _ = relationNames.claim(name + "_pkey") }
        }
        guard dialect == .postgresql else { return }
        for entity in lookup.list {
            for attribute in entity.attributes where attribute.isUnique {
                _ = relationNames.claim("\(entity.table)_\(attribute.column)_key")
            }
        }
    }

    private mutating func tableStatements(of entity: EntityStructure) -> [SQLStatement] {
        let columns = ColumnDefinitions(lookup: lookup, dialect: dialect).columns(of: entity)
        let key = entity.keyColumns
        var table = CreateTable(
            name: entity.table, documentation: documentation[entity.table], columns: columns)
        table.primaryKey = key.count > 1 ? key : []
        add(ForeignKeyConstraints(lookup: lookup, dialect: dialect).constraints(of: entity), to: &table)
        return [.createTable(table)] + indexes(of: entity).map(SQLStatement.createIndex)
    }

    private mutating func tableStatements(of joinTable: JoinTable) -> [SQLStatement] {
        var table = CreateTable(
            name: joinTable.name, documentation: comment(on: joinTable), columns: columns(of: joinTable)
        )
        table.primaryKey = joinTable.left.columns + (joinTable.isToOne ? [] : joinTable.right.columns)
        add(ForeignKeyConstraints(lookup: lookup, dialect: dialect).constraints(of: joinTable), to: &table)
        let index = index(
            named: nil, table: joinTable.name, columns: joinTable.right.columns, isUnique: joinTable.isToOne)
        return [.createTable(table), .createIndex(index)]
    }

    private func comment(on joinTable: JoinTable) -> String {
        let ends = [joinTable.left, joinTable.right].compactMap { end in
            end.relationship.map { "\(end.entity).\($0)" }
        }
        return Set(ends).count == 1 ? ends[0] : ends.joined(separator: " and ")
    }

    private func columns(of joinTable: JoinTable) -> [ColumnDefinition] {
        let keys = [joinTable.left, joinTable.right].flatMap { end in
            zip(end.columns, keyTypes(of: end.entity)).map { name, type in
                ColumnDefinition(name: name, type: type, isRequired: true)
            }
        }
        let positions = [joinTable.left.positionColumn, joinTable.right.positionColumn].compactMap(\.self)
        return keys + positions.map { ColumnDefinition(name: $0, type: .integer, isRequired: false) }
    }

    private func keyTypes(of entityName: String) -> [SQLType] {
        guard let entity = lookup.entities[entityName] else { return [] }
        return entity.identity.keyAttributes.compactMap { name in
            entity.attributes.first { $0.name == name }.map { lookup.columnType(of: $0.type).sqlType }
        }
    }
}

extension SchemaStatements {
    /// SQLite's constraints are part of the table definition. PostgreSQL requires the other table to exist, so its
    /// constraints follow later.
    private mutating func add(_ constraints: [ForeignKeyConstraint], to table: inout CreateTable) {
        guard dialect == .postgresql else {
            table.foreignKeys = constraints
            return
        }
        for constraint in constraints {
            let name = ([table.name] + constraint.columns + ["fkey"]).joined(separator: "_")
            late.append(.addForeignKey(name: constraintNames.claim(name), table: table.name, constraint))
        }
    }

    /// The schema's indexes, and one for each foreign key, by which to-many relationships and delete rules find rows.
    /// An index that is a prefix of another would cost time at each write and help no query.
    private mutating func indexes(of entity: EntityStructure) -> [CreateIndex] {
        let asked = entity.indexes.filter { index in
            let isBeginning = entity.indexes.contains { other in
                other.columns.count > index.columns.count && other.columns.starts(with: index.columns)
            }
            return index.isUnique || !isBeginning
        }
        var indexes = asked.map { asked in
            index(named: asked.name, table: entity.table, columns: asked.columns, isUnique: asked.isUnique)
        }
        for foreignKey in entity.relationships.map(\.foreignKeyColumns) where !foreignKey.isEmpty {
            let isCovered = entity.indexes.contains { $0.columns.starts(with: foreignKey) }
            if isCovered { continue }
            indexes.append(index(named: nil, table: entity.table, columns: foreignKey))
        }
        return indexes
    }

    private mutating func index(
        named name: String?, table: String, columns: [String], isUnique: Bool = false
    ) -> CreateIndex {
        let name = relationNames.claim(name ?? ([table] + columns).joined(separator: "_"))
        return CreateIndex(name: name, table: table, columns: columns, isUnique: isUnique)
    }

    private mutating func triggerStatements(of entity: EntityStructure) -> [SQLStatement] {
        var statements: [SQLStatement] = []
        for var trigger in DeleteTriggers(lookup: lookup, dialect: dialect).triggers(of: entity) {
            trigger.name = triggerNames.claim(trigger.name)
            if dialect == .postgresql { statements.append(.createFunction(trigger)) }
            statements.append(.createTrigger(trigger))
        }
        return statements
    }
}
