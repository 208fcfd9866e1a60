import LockstepJSON
import LockstepSchema

/// The tables of a Rails app, whose rows its controllers send.
struct RailsSource: DatabaseSource {
    let tables: [DatabaseTable]
    let enumerations: [DatabaseEnumeration]
    let spelling = DatabaseSpelling.exact
    let isServer = true
    let isAdopted = false
    let wrap: JSONValue? = true
    private let schema: RailsSchema
    /// The tables of the app, by their names.
    private let written: [String: RailsTable]

    init(_ schema: RailsSchema, notes: ImportNotes) {
        self.schema = schema
        let own = schema.tables.filter { !Self.isInternal($0.name) }
        written = Dictionary(own.map { ($0.name, $0) }) { first, _ in first }
        enumerations = Self.enumerations(schema, tables: own)
        let types = Set(enumerations.map(\.type))
        let all = own.map { $0.databaseTable(enumerations: types) }
        let references = RailsReferences(
            all, written: written, foreignKeys: schema.foreignKeys.filter { !Self.isInternal($0.table) }, notes: notes)
        tables = all.compactMap { table in
            guard let keys = references.keys(of: table) else { return nil }
            var table = table
            table.foreignKeys = keys
            return table
        }
    }

    private static func isInternal(_ name: String) -> Bool {
        let prefixes = [
            "active_storage_", "action_text_", "action_mailbox_", "solid_queue_", "solid_cache_", "solid_cable_",
            "good_job", "delayed_jobs", "schema_migrations", "ar_internal_metadata",
        ]
        return prefixes.contains { name.hasPrefix($0) }
    }

    private static func enumerations(_ schema: RailsSchema, tables: [RailsTable]) -> [DatabaseEnumeration] {
        let declared = schema.enums.filter { !$0.values.isEmpty }.map { name, values, line in
            DatabaseEnumeration(type: name, name: name, values: values, line: line)
        }
        // MySQL has the values in the type of the column.
        return declared
            + tables.flatMap { table in
                table.columns.compactMap { column in
                    RubyLineScanner.enumValues(column.type).map { values in
                        DatabaseEnumeration(
                            type: "\(table.name).\(column.name)", name: "\(Noun.singular(table.name))_\(column.name)",
                            values: values, line: column.line)
                    }
                }
            }
    }

    // MARK: Types

    func type(
        of column: DatabaseColumn, in table: DatabaseTable, limits: DatabaseChecks.Limits, notes: ImportNotes
    ) -> DatabaseValueType? {
        guard let own = written[table.name]?.column(column.name) else {
            return DatabaseValueType(type: RailsType(column.declaredType)?.name ?? "int")
        }
        let subject = "\(table.name).\(column.name)"
        var name = own.type
        if column.enumeration != nil {
            name = "string"
        } else if let missing = own.enumeration {
            notes.left(
                column.line, text: "\(subject): its enum '\(missing)' is not in the file", help: "It is a string.")
            name = "string"
        } else if name == "virtual" {
            notes.decided(
                column.line,
                text: "\(subject), which the database calculates (\(own.option("as")?.description ?? "")), is only read"
            )
            name = own.option("type")?.text ?? "string"
        }
        let limit = own.option("limit")
        guard let type = RailsType(name, limit: limit) else {
            notes.left(column.line, text: "\(subject) has the type '\(name)', which is not known")
            return nil
        }
        if column.keyPosition == 0, column.enumeration == nil, SecretNames.areSecret(type.name),
            SecretNames.isSecret(column.name)
        {
            notes.left(column.line, text: "\(subject), a secret of the server", help: "If the server sends it, add it.")
            return nil
        }
        if let decision = type.decision { notes.decided(column.line, text: "\(subject), \(decision)") }
        if let limit, !type.keepsLimit { notes.left(column.line, text: "\(subject): limit: \(limit.description)") }
        var result = DatabaseValueType(type: type.name, maximumLength: type.maximumLength, wire: type.wire)
        result.isList = own.option("array")?.isTrue == true
        if own.option("unsigned")?.isTrue == true {
            if TypeSketch.numbers.contains(type.name) {
                result.minimum = 0
            } else {
                notes.left(column.line, text: "\(subject): unsigned: true")
            }
        }
        if type.name == "decimal", let digits = own.option("precision") {
            let all = [digits, own.option("scale")].compactMap { $0?.description }
            result.digits = "\(own.type)(\(all.joined(separator: ",")))"
        }
        return result
    }

    // MARK: Conventions

    func complete(_ entity: inout EntitySketch, of made: DatabaseEntity, notes: ImportNotes) {
        let table = made.table
        if made.identity.count == 1, let key = made.identity.first, !key.isAssigned,
            written[table.name]?.column(key.name) == nil
        {
            notes.decided(
                table.line,
                text:
                    "\(entity.name): its identity is '\(entity.identity.names.joined())', which the device makes for a "
                    + "new record",
                help: "The controller must permit '\(key.name)'. If the server makes it: "
                    + "`identity: { local: …, remote: … }`.")
        }
        if let version = entity.attributes.firstIndex(where: { $0.source == "lock_version" }) {
            entity.version = entity.attributes[version].name
            if entity.attributes[version].defaultValue == nil { entity.attributes[version].isOptional = true }
        }
        if let type = entity.attributes.first(where: { $0.source == "type" }) {
            notes.decided(
                type.line,
                text: "\(entity.name).type, single-table inheritance: records of all classes belong to the entity "
                    + entity.name,
                help: "For an entity of each class, move their attributes to an abstract entity, and extend it.")
        }
        let decimals = entity.attributes.filter { $0.wire == .text }.map(\.name)
        if !decimals.isEmpty {
            notes.decided(
                table.line,
                text: "\(entity.name): decimals are strings in JSON, as in Rails: \(decimals.joined(separator: ", "))",
                help: "If the server sends numbers, remove `wire: string`.")
        }
        let timestamps = entity.attributes.filter { RailsColumn.timestamps.contains($0.source ?? "") }
        if timestamps.isEmpty { return }
        let required = timestamps.filter { $0.source.flatMap(table.column)?.isRequired == true }.map(\.name)
        notes.decided(
            table.line,
            text: "\(entity.name): only the server sets \(timestamps.map(\.name).joined(separator: ", ")) "
                + "(`readOnly: true`)",
            help: required.isEmpty
                ? nil
                : "A new record has none until then, so these are optional: \(required.joined(separator: ", ")).")
    }

    // MARK: Reports

    func introduce(_ notes: ImportNotes) {
        for (name, values, line) in schema.enums where values.isEmpty {
            notes.left(line, text: "\(name), an enum without values")
        }
        for table in schema.tables {
            if written[table.name] == nil {
                notes.left(
                    table.line, text: "\(table.name), a table of Rails itself", help: "Its records stay on the server.")
                continue
            }
            for option in table.call.options where !Self.tableOptions.contains(option.key) {
                notes.left(table.line, text: "\(table.name): \(option.key): \(option.value.description)")
            }
            for option in table.keyOptions {
                notes.left(
                    table.line, text: "\(table.name): \(option.key): \(option.value.description) of the primary key")
            }
        }
    }

    private static let tableOptions: Set = [
        "id", "primary_key", "force", "comment", "charset", "collation", "options", "default", "if_not_exists", "limit",
        "null", "table_name", "column_options",
    ]

    func report(on importing: DatabaseImport) {
        let notes = importing.notes
        for table in tables {
            guard let own = written[table.name] else { continue }
            for column in own.columns { report(column, of: own, notes: notes) }
            for index in own.indexes { report(index, of: own, notes: notes) }
        }
        let keys = importing.names.isAsWritten ? "" : ", and JSON keys are in snake_case"
        notes.decided(nil, text: "Bodies are wrapped (`remote: { wrap: true }`)\(keys), as in Rails")
        reportIgnored(notes)
    }

    /// Reports the options of a column that have no counterpart.
    private func report(_ column: RailsColumn, of table: RailsTable, notes: ImportNotes) {
        let known: Set = [
            "null", "default", "limit", "comment", "array", "enum_type", "type", "as", "stored", "index", "force",
            "unsigned", "precision", "scale",
        ]
        for option in column.options where !known.contains(option.key) {
            notes.left(
                column.line, text: "\(table.name).\(column.name): \(option.key): \(option.value.description)")
        }
    }

    private func report(_ index: RailsIndex, of table: RailsTable, notes: ImportNotes) {
        let known: Set = [
            "name", "unique", "where", index.isSorted ? "using" : "", index.isOrderKnown ? "order" : "",
        ]
        for option in index.call.options where !known.contains(option.key) && !index.isPartial {
            notes.left(
                index.line,
                text: "\(table.name): the index over \(index.columns.joined(separator: ", ")): \(option.key): "
                    + option.value.description,
                help: index.isSorted ? nil : "It stays on the server.")
        }
    }

    private func reportIgnored(_ notes: ImportNotes) {
        let options = Set(schema.tables.flatMap { $0.call.options.map(\.key) })
        let columns = schema.tables.flatMap(\.columns)
        let keys = Set(columns.filter { $0.name.hasSuffix("_id") }.flatMap { $0.options.map(\.key) })
        let others = [
            ("name of an index", schema.tables.contains { $0.indexes.contains { $0.call.option("name") != nil } }),
            ("name of a constraint", schema.tables.contains { !$0.checks.isEmpty }),
            ("precision of a date", columns.contains { $0.option("precision") != nil && $0.type != "decimal" }),
            ("stored", columns.contains { $0.option("stored") != nil }),
            ("limit of a key", keys.contains("limit")), ("unsigned of a key", keys.contains("unsigned")),
            ("null of a join table", schema.tables.contains(where: \.isJoin)),
            ("enable_extension", !schema.extensions.isEmpty),
        ]
        let ignored =
            options.intersection(["force", "charset", "collation", "options", "if_not_exists"]).sorted()
            + others.filter(\.1).map(\.0)
        if !ignored.isEmpty { notes.ignored("Needed only by the database: \(ignored.joined(separator: ", "))") }
    }
}
