import LockstepJSON
import LockstepSchema

/// Creates a schema from the tables of a Rails app.
final class RailsImport {
    private let schema: RailsSchema
    private let notes: ImportNotes
    private var sketch: SchemaSketch
    private var types: UniqueTypeNames
    private var tables: [RailsTable] = []
    private var joins: [RailsTable] = []
    /// The names of the entities by those of the tables.
    private var entityNames: [String: String] = [:]
    /// The names of the enums by those of the database.
    private var enumNames: [String: String] = [:]

    init(_ schema: RailsSchema, notes: ImportNotes, name: String) {
        (self.schema, self.notes) = (schema, notes)
        sketch = SchemaSketch(name: name)
        types = UniqueTypeNames(schema: name)
    }

    /// - Throws: ``ImportFailure`` if no table becomes an entity.
    func run(path: String) throws(ImportFailure) -> SchemaSketch {
        sketch.wire["names"] = "snake_case"
        chooseTables()
        guard !tables.isEmpty else {
            throw ImportFailure(path, reason: "It has no table with records that an app could use.")
        }
        for table in tables { entityNames[table.name] = types.unique(Noun.singular(table.name)) }
        addEnums()
        let keys = Dictionary(tables.map { ($0.name, RailsKey($0)) }) { first, _ in first }
        let links = RailsLinks(
            tables, joins: joins, foreignKeys: schema.foreignKeys.filter { !Self.isInternal($0.table) }, keys: keys,
            entities: entityNames, types: types.all, notes: notes)
        for table in tables { add(table, key: keys[table.name] ?? RailsKey(table), links: links) }
        links.finish(&sketch)
        sketch.nameEnumDefaults()
        sketch.breakRequiredCycles(notes)
        notes.decided(
            nil, text: "Bodies are wrapped (`remote: { wrap: true }`), and JSON keys are in snake_case, as in Rails")
        return sketch
    }

    // MARK: Tables

    private func chooseTables() {
        for table in schema.tables {
            if Self.isInternal(table.name) {
                notes.left(
                    table.line, text: "\(table.name), a table of Rails itself", help: "Its records stay on the server.")
            } else if isJoin(table) {
                joins.append(table)
            } else {
                tables.append(table)
            }
            for option in table.call.options where !Self.tableOptions.contains(option.key) {
                notes.left(table.line, text: "\(table.name): \(option.key): \(option.value.description)")
            }
        }
        reportIgnored()
    }

    private func reportIgnored() {
        let names = schema.tables.flatMap { $0.call.options.map(\.key) }
        let ignored = Set(names).intersection(["force", "charset", "collation", "options", "if_not_exists"])
        let indexes = schema.tables.contains { $0.indexes.contains { $0.call.option("name") != nil } }
        let columns = schema.tables.flatMap(\.columns)
        let all =
            ignored.sorted() + (indexes ? ["name of an index"] : [])
            + (columns.contains { $0.option("precision") != nil && $0.type != "decimal" }
                ? ["precision of a date"] : [])
            + (columns.contains { $0.option("stored") != nil } ? ["stored"] : [])
            + (columns.contains { $0.name.hasSuffix("_id") && $0.option("unsigned") != nil }
                ? ["unsigned of a key"] : [])
            + (joins.isEmpty ? [] : ["null of a join table"])
            + (schema.extensions.isEmpty ? [] : ["enable_extension"])
        if !all.isEmpty { notes.ignored("Needed only by the database: \(all.joined(separator: ", "))") }
    }

    private static let tableOptions: Set = [
        "id", "primary_key", "force", "comment", "charset", "collation", "options", "default", "if_not_exists", "limit",
        "null", "table_name", "column_options",
    ]

    private static func isInternal(_ name: String) -> Bool {
        let prefixes = [
            "active_storage_", "action_text_", "action_mailbox_", "solid_queue_", "solid_cache_", "solid_cable_",
            "good_job", "delayed_jobs", "schema_migrations", "ar_internal_metadata",
        ]
        return prefixes.contains { name.hasPrefix($0) }
    }

    /// Whether a table only links the records of two others.
    private func isJoin(_ table: RailsTable) -> Bool {
        guard table.columns.count == 2, table.columns.allSatisfy({ $0.name.hasSuffix("_id") }) else { return false }
        if table.call.method == "create_join_table" || table.call.option("id") == .bool(false) { return true }
        if case .array = table.call.option("primary_key") { return true }
        return false
    }

    private func addEnums() {
        for (name, values, line) in schema.enums {
            guard !values.isEmpty else {
                notes.left(line, text: "\(name), an enum without values")
                continue
            }
            addEnum(name, type: types.unique(name), values: values, at: line)
        }
        // MySQL has the values in the type of the column.
        for table in tables {
            for column in table.columns {
                guard let values = RubyLineScanner.enumValues(column.type) else { continue }
                let type = types.unique("\(Noun.singular(table.name))_\(column.name)")
                addEnum("\(table.name).\(column.name)", type: type, values: values, at: column.line)
            }
        }
        if !enumNames.isEmpty { notes.explainOpenEnums() }
    }

    private func addEnum(_ name: String, type: String, values: [String], at line: Int) {
        enumNames[name] = type
        var enumeration = EnumSketch(name: type, values: values.map(JSONValue.string))
        enumeration.line = line
        sketch.enums.append(enumeration)
    }

    private func remote(of table: RailsTable, key: RailsKey, named name: String) -> RemoteSketch {
        if key.kind == .none { return .absent }
        let path = "/\(table.name)"
        return .options(path: UsableName.collectionPath(name) == path ? nil : path, wrap: true)
    }

    private func add(_ table: RailsTable, key: RailsKey, links: RailsLinks) {
        let name = entityNames[table.name] ?? table.name
        var entity = EntitySketch(name: name, line: table.line)
        entity.documentation = table.call.option("comment")?.text
        let columns = RailsColumns(table, entity: name, enums: enumNames, types: types.all, notes: notes)
        key.add(to: &entity, columns: columns)
        for column in table.columns where !key.columns.contains(column.name) || key.isComposite {
            if let member = links.relationship(
                of: column, in: table, columns: columns, isKey: key.columns.contains(column.name))
            {
                entity.relationships.append(member)
                columns.reportOptions(column, known: ["null", "comment", "unsigned"])
            } else if let attribute = columns.attribute(column, isKey: key.columns.contains(column.name)) {
                entity.attributes.append(attribute)
            }
        }
        if let version = entity.attributes.firstIndex(where: { $0.name == "lockVersion" }) {
            entity.version = "lockVersion"
            let member = entity.attributes[version]
            if !member.isOptional, member.defaultValue == nil {
                entity.attributes[version].isOptional = true
            }
        }
        if entity.attributes.contains(where: { $0.name == "type" }) {
            notes.decided(
                table.column("type")?.line,
                text: "\(name).type, single-table inheritance: records of all classes belong to the entity \(name)",
                help: "For an entity of each class, move their attributes to an abstract entity, and extend it.")
        }
        entity.remote = remote(of: table, key: key, named: name)
        RailsIndexes(table, notes: notes, links: links).add(to: &entity, columns: columns)
        columns.reportGroups()
        sketch.entities.append(entity)
    }
}
