import LockstepEvolution
package import LockstepSchema

/// The comparison of a schema with the existing tables of a database that is to become a server.
///
/// The SQL of a server adds its own objects, and neither renames nor changes a column. The tables therefore have to
/// match the schema. They do after an import, but the user may have changed the schema or the tables since.
package struct Adoption: Sendable {
    /// A difference with which the server would not work.
    package struct Misfit: Hashable, Sendable, CustomStringConvertible {
        /// The table or the column.
        let place: String
        let reason: String
        /// What to do, as an imperative.
        let remedy: String

        package var description: String { "\(place): \(reason). \(remedy)" }
    }

    package let misfits: [Misfit]
    /// Descriptions of what the SQL changes in the database.
    package let changes: [String]

    /// - Parameters:
    ///   - schema: A schema with scopes.
    ///   - catalogue: The existing tables.
    ///   - server: The SQL of the schema's server.
    package init(of catalogue: PostgreSQLCatalogue, for schema: Schema, server: [UInt8]) {
        let structure = schema.structure
        let lookup = SchemaLookup(structure)
        let entities = structure.entities.filter { $0.scope != nil && $0.remote != nil }
        let names = Set(entities.map(\.name))
        let joins = lookup.joinTables.filter { names.contains($0.left.entity) && names.contains($0.right.entity) }
        let wanted =
            entities.map { AdoptedTable($0, in: lookup) } + joins.map { AdoptedTable($0, in: lookup) }
        misfits = wanted.flatMap { TableFit($0, in: catalogue).misfits }
        changes = ServerChanges(to: wanted, by: String(decoding: server, as: UTF8.self), in: catalogue).lines
    }
}

/// A table as the schema describes it.
struct AdoptedTable {
    let name: String
    /// The part of the schema that it belongs to: `List`, `Task.tags`.
    let owner: String
    let columns: [Column]
    /// The columns of its key.
    let key: [String]
    /// The columns of each reference to another table.
    let links: [[String]]
    /// Whether its rows are links, so that the schema has no entity for it.
    let isOfLinks: Bool
    /// Whether devices create rows.
    let hasCreations: Bool

    struct Column {
        let name: String
        /// The part of the schema that it belongs to: `List.title`.
        let owner: String
        let type: SQLType
        let isRequired: Bool
        /// Whether only the server writes it.
        var isReadOnly = false
        /// Whether its values are those of an enum.
        var isEnumeration = false
        /// Whether the server compares it with a text: it is part of a key, or decides the scope.
        var isCompared = false
        /// Whether the schema has no option for its name: that of several columns, a table of links, or an order.
        var isNamedByRule = false
        /// The characters of the longest text that devices send; `nil` if there is no limit.
        var maximumLength: Int?
    }

    init(_ entity: EntityStructure, in lookup: SchemaLookup) {
        (name, owner, key, isOfLinks) = (entity.table, entity.name, entity.keyColumns, false)
        hasCreations = entity.remote?.writes.contains(.create) ?? false
        links = entity.relationships.map(\.foreignKeyColumns).filter { !$0.isEmpty }
        columns = lookup.columns(of: entity).compactMap { column in
            let sql = lookup.sqlType(of: column)
            switch column.content {
            case .attribute(let name):
                guard let attribute = entity.attribute(name) else { return nil }
                // What is not in JSON is not on the server, except for a key.
                guard attribute.wire != nil || entity.keyColumns.contains(column.name) else { return nil }
                var isEnumeration = false
                if case .enumeration = attribute.type { isEnumeration = true }
                return Column(
                    name: column.name, owner: "\(entity.name).\(name)", type: sql, isRequired: !column.isOptional,
                    isReadOnly: attribute.wire?.isReadOnly ?? false, isEnumeration: isEnumeration,
                    isCompared: entity.keyColumns.contains(column.name) || entity.scope == .attribute(name),
                    maximumLength: attribute.limits.maximumLength)
            case .foreignKey(let name), .position(let name):
                return Column(
                    name: column.name, owner: "\(entity.name).\(name)", type: sql, isRequired: !column.isOptional,
                    isCompared: true, isNamedByRule: entity.relationship(name)?.foreignKeyColumns != [column.name],
                    maximumLength: lookup.keyAttribute(of: column, in: entity)?.limits.maximumLength)
            case .surrogateKey: return nil
            }
        }
    }

    init(_ table: LockstepEvolution.JoinTable, in lookup: SchemaLookup) {
        let owner = "\(table.left.entity).\(table.left.relationship ?? "")"
        (name, self.owner, isOfLinks, hasCreations) = (table.name, owner, true, true)
        links = [table.left.columns, table.right.columns]
        columns = [table.left, table.right].flatMap { end -> [Column] in
            guard let entity = lookup.entities[end.entity] else { return [] }
            let keys = zip(end.columns, entity.identity.keyAttributes).compactMap { column, attribute in
                entity.attribute(attribute).map {
                    Column(
                        name: column, owner: owner, type: lookup.sqlType(of: $0.type), isRequired: true,
                        isCompared: true, isNamedByRule: true, maximumLength: $0.limits.maximumLength)
                }
            }
            let positions = [end.positionColumn].compactMap(\.self).map {
                Column(name: $0, owner: owner, type: .integer, isRequired: false, isNamedByRule: true)
            }
            return keys + positions
        }
        key = table.left.columns + table.right.columns
    }
}

extension SchemaLookup {
    /// The part of the destination's key that a column of a foreign key holds.
    fileprivate func keyAttribute(of column: EntityColumn, in entity: EntityStructure) -> AttributeStructure? {
        guard case .foreignKey(let name) = column.content, let relationship = entity.relationship(name),
            let index = relationship.foreignKeyColumns.firstIndex(of: column.name),
            let destination = entities[relationship.destination]
        else { return nil }
        return destination.attribute(destination.identity.keyAttributes[index])
    }

    fileprivate func sqlType(of column: EntityColumn) -> SQLType {
        if case .position = column.content { return .integer }
        return sqlType(of: column.type)
    }
}
