import LockstepSchema

/// The sources of the parts of a schema, and SQL that finds rows by them.
struct SQLiteRowMap {
    let schema: Schema
    /// By their names.
    let entities: [String: Entity]
    private let tables: [String: DatabaseEntity]
    private let sketches: [String: EntitySketch]
    private let entitiesByTable: [String: Entity]
    private let keys: [String: DatabaseLinks.Key]

    init(_ result: DatabaseImport.Result) {
        schema = result.schema
        tables = result.entities
        let entities = Dictionary(schema.entities.map { ($0.name, $0) }) { first, _ in first }
        self.entities = entities
        sketches = Dictionary(result.sketch.entities.map { ($0.name, $0) }) { first, _ in first }
        let pairs = result.sketch.entities.compactMap { sketch in
            sketch.source.flatMap { source in entities[sketch.name].map { (source, $0) } }
        }
        entitiesByTable = Dictionary(pairs) { first, _ in first }
        let all = result.entities.values.flatMap(\.keys) + result.joins.flatMap { [$0.left, $0.right] }
        keys = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
    }

    func made(_ entity: Entity) -> DatabaseEntity? { sketches[entity.name]?.source.flatMap { tables[$0] } }

    func entity(ofTable table: DatabaseTable) -> Entity? { entitiesByTable[table.name] }

    /// The column that an attribute was created from; `nil` for a key that each record gets.
    func source(_ attribute: String, of entity: Entity) -> String? {
        sketches[entity.name]?.attributes.first { $0.name == attribute }?.source
    }

    func key(_ relationship: String, of entity: Entity) -> DatabaseLinks.Key? {
        relationshipSource(relationship, of: entity).flatMap { keys[$0] }
    }

    private func relationshipSource(_ name: String, of entity: Entity) -> String? {
        sketches[entity.name]?.relationships.first { $0.name == name }?.source
    }

    /// The relationship that a join was made into, at the end of `entity`.
    func relationship(of source: String, entity: Entity) -> Relationship? {
        let name = sketches[entity.name]?.relationships.first { $0.source == source }?.name
        return entity.relationships.first { $0.name == name }
    }

    // MARK: SQL

    /// Returns SQL that identifies a row of a table.
    func row(_ table: DatabaseTable, alias: String) -> String {
        // The sign removes the column's affinity, with which SQLite would not use an index over a column without one:
        // https://www.sqlite.org/datatype3.html, 4.2.
        if let name = table.rowName { return "+\(alias).\(name)" }
        return table.rowColumns.map { "quote(\(alias).\(SQLText.name($0.name)))" }.joined(separator: " || ' ' || ")
    }

    /// The stored form of an attribute's value.
    func value(_ attribute: Attribute, from source: String, made: DatabaseEntity, old: String) -> String {
        SQLiteConversion(type: attribute.type, form: made.forms[source] ?? .plain, enumerations: schema.enumerations)
            .sql(old)
    }

    func keyTable(_ table: DatabaseTable) -> String { SQLText.name("keys of \(table.name)") }

    /// The key that a row's record gets.
    func mintedKey(_ table: DatabaseTable, alias: String) -> String {
        "(SELECT k.\"key\" FROM temp.\(keyTable(table)) AS k WHERE k.\"row\" = \(row(table, alias: alias)))"
    }

    /// The values of the identity of the record that a foreign key of the row `s` refers to, in the order of the
    /// identity; `nil` if the table has become no entity.
    func values(_ key: DatabaseLinks.Key) -> [String]? {
        guard let target = entity(ofTable: key.target), let made = made(target) else { return nil }
        let attributes = target.identity.keyAttributes.compactMap { name in
            target.attributes.first { $0.name == name }
        }
        return attributes.map { value(of: $0, key: key, target: target, made: made) }
    }

    private func value(of attribute: Attribute, key: DatabaseLinks.Key, target: Entity, made: DatabaseEntity) -> String
    {
        let source = source(attribute.name, of: target)
        if let source, let index = key.references.firstIndex(where: { $0.isNamed(source) }),
            key.references[index].collation.uppercased() == "BINARY"
        {
            let value = value(attribute, from: source, made: made, old: "s.\(SQLText.name(key.columns[index].name))")
            if key.columns.count == 1 { return value }
            // A key with a NULL refers to nothing.
            let isSet = key.columns.map { "s.\(SQLText.name($0.name)) IS NOT NULL" }.joined(separator: " AND ")
            return "CASE WHEN \(isSet) THEN \(value) END"
        }
        let found =
            source.map { value(attribute, from: $0, made: made, old: "r.\(SQLText.name($0))") }
            ?? mintedKey(key.target, alias: "r")
        let matches = zip(key.references, key.columns).map { reference, column in
            "r.\(SQLText.name(reference.name)) = s.\(SQLText.name(column.name))"
        }
        return "(SELECT \(found) FROM old.\(SQLText.name(key.target.name)) AS r "
            + "WHERE \(matches.joined(separator: " AND ")))"
    }
}
