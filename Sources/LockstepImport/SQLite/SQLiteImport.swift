import LockstepJSON
import LockstepSchema

/// Creates a schema from a database.
final class SQLiteImport {
    /// The schema, and what each part of it was created from.
    struct Result {
        let report: ImportReport
        let repaired: RepairedSchema
        /// By the names of tables.
        let entities: [String: SQLiteEntity]
        let joins: [SQLiteLinks.Join]

        var sketch: SchemaSketch { repaired.sketch }
        var schema: Schema { repaired.schema }
    }

    let catalog: SQLiteCatalog
    let notes: ImportNotes
    var names: SQLiteNames
    var sketch: SchemaSketch
    var entities: [String: SQLiteEntity] = [:]
    private let samples: [String: [String: SQLiteSample]]
    private let file: String

    /// - Parameters:
    ///   - samples: The values of columns, by the names of tables and columns.
    ///   - file: The name of the file in the report.
    init(_ catalog: SQLiteCatalog, samples: [String: [String: SQLiteSample]], name: String, file: String) {
        (self.catalog, self.samples, self.file) = (catalog, samples, file)
        notes = ImportNotes(file: file)
        sketch = SchemaSketch(name: name)
        names = SQLiteNames(catalog.tables, schema: name)
        sketch.hasColumnsAsWritten = names.isAsWritten
    }

    func run(path: String) throws(ImportFailure) -> Result {
        notes.proposeNoServer()
        let links = SQLiteLinks(catalog, notes: notes)
        let joined = Set(links.joins.map(\.table.name))
        for table in catalog.tables where !joined.contains(table.name) {
            add(table, keys: links.keys[table.name] ?? [])
        }
        links.add(to: self)
        for index in sketch.entities.indices {
            guard let table = sketch.entities[index].source, let made = entities[table] else { continue }
            SQLiteIndexes(made, notes: notes).add(to: &sketch.entities[index])
        }
        SQLiteUndeclaredLinks(self).report()
        reportNumbered()
        SQLiteLeftovers(catalog, notes: notes).report(entities)
        let repaired = try sketch.repair(notes, from: file, path: path)
        return Result(report: notes.report, repaired: repaired, entities: entities, joins: links.joins)
    }

    private func add(_ table: SQLiteTable, keys: [SQLiteLinks.Key]) {
        let name = names.entity(table.name)
        var entity = EntitySketch(name: name)
        entity.source = table.name
        if names.derived(name) != table.name, !SQLiteNames.isReserved(table.name) {
            entity.options.append(("table", .string(table.name)))
        }
        let made = SQLiteEntity(table, name: name, keys: keys)
        let checks = SQLiteChecks(table, tokens: SQLTokens(table.sql))
        for check in checks.others {
            notes.left(nil, text: "\(table.name): CHECK (\(check))", help: "Check it in Swift, in `validate()`.")
        }
        for column in table.columns {
            if column.isGenerated {
                notes.left(
                    nil, text: "\(table.name).\(column.name), a generated column",
                    help: "Write it in Swift, as a computed property.")
                continue
            }
            let limits = checks.limits[column.name.lowercased()]
            if made.isOnlyOfLink(column) {
                reportLink(column, limits: limits, in: table)
            } else {
                addAttribute(column, limits: limits ?? SQLiteChecks.Limits(), made: made, of: &entity)
            }
        }
        addIdentity(made, of: &entity)
        sketch.entities.append(entity)
        entities[table.name] = made
    }

    // MARK: Attributes

    private func addAttribute(
        _ column: SQLiteColumn, limits: SQLiteChecks.Limits, made: SQLiteEntity, of entity: inout EntitySketch
    ) {
        let subject = "\(made.table.name).\(column.name)"
        let sample = samples[made.table.name]?[column.name] ?? SQLiteSample()
        let reader = SQLiteColumnReader(column, subject: subject, sample: sample, limits: limits, notes: notes)
        let result = reader.result()
        let isKey = made.identity.contains { $0.isNamed(column.name) }
        // The relationship has the name of what it refers to.
        let isOfLink = made.isOfLink(column)
        let key = made.keys.first { $0.columns.contains { $0.isNamed(column.name) } }
        let wanted = key.map { keyName(of: column, key: $0) } ?? column.name
        let name = names.attribute(wanted, of: entity.name)
        var member = MemberSketch(name: name, type: result.type)
        member.source = column.name
        let options = SQLiteAttributeOptions(column, subject: subject, notes: notes)
        if let enumeration = SQLiteEnums.sketch(
            limits, result: result, named: entity.name, member: member.name, names: &names)
        {
            sketch.enums.append(enumeration)
            member.type = enumeration.name
            options.addDefault(to: &member, enumeration: enumeration)
            options.reportOthers(limits, result: result)
        } else {
            options.addDefault(to: &member, enumeration: nil)
            options.addLimits(limits, result: result, to: &member)
        }
        if isKey {
            member.remove("default")
            if sample.nullCount > 0 {
                notes.left(
                    nil, text: "\(subject): rows in which it is NULL",
                    help: "It identifies records. Give these rows a value, or the script of `--rows` leaves them out.")
            }
        } else if !column.isRequired {
            member.isOptional = true
        }
        if isOfLink {
            notes.decided(
                nil,
                text: "\(subject) is in the key and refers to a table: '\(name)' is the attribute in the identity, and "
                    + "the relationship has a column of its own",
                help: "Give both the same value in new records.")
        } else if names.derived(name) != column.name {
            member.set("column", to: .string(column.name))
        }
        made.forms[column.name] = result.form
        entity.attributes.append(member)
    }

    /// A relationship has no default and no limits.
    private func reportLink(_ column: SQLiteColumn, limits: SQLiteChecks.Limits?, in table: SQLiteTable) {
        let subject = "\(table.name).\(column.name)"
        if let text = column.defaultText, SQLiteLiteral.default(text) != .null {
            notes.left(nil, text: "\(subject): DEFAULT \(text)", help: "Set it in Swift where you create records.")
        }
        if limits != nil {
            notes.left(
                nil, text: "\(subject): its CHECK, because it is a relationship",
                help: "Check it in Swift, in `validate()`.")
        }
    }

    private func keyName(of column: SQLiteColumn, key: SQLiteLinks.Key) -> String {
        if key.columns.count > 1 { return column.name + "_key" }
        return (key.destination ?? SQLiteNames.lowerFirst(names.entity(key.target.name))) + "_key"
    }

    // MARK: Identity

    private func addIdentity(_ made: SQLiteEntity, of entity: inout EntitySketch) {
        let table = made.table
        let chosen = made.identity.compactMap { column in entity.attributes.first { $0.source == column.name } }
        let unsuitable = chosen.first { ["data", "json"].contains($0.plainType) }
        if chosen.isEmpty || unsuitable != nil {
            let name = names.attribute("localID", of: entity.name)
            let reason = unsuitable.map { "'\($0.name)' is \($0.type)" } ?? "the table has no key"
            entity.attributes.insert(.localKey(named: name, because: reason), at: 0)
            entity.identity = [name]
            made.identity = []
            notes.decided(
                nil,
                text: "\(table.name): \(unsuitable == nil ? "it has no key" : reason), "
                    + "so each record gets a new '\(name)'",
                help: "If an attribute identifies them, write 'identity:' and remove '\(name)'.")
            return
        }
        let members = chosen.map(\.name)
        if members != ["id"] { entity.identity = members }
        if table.key.isEmpty {
            notes.decided(
                nil,
                text: "\(table.name): its identity is \(members.joined(separator: ", ")), which is unique and required")
        }
    }

    /// SQLite gives a row its number; a store does not.
    private func reportNumbered() {
        let numbered = sketch.entities.filter { entity in
            guard let table = entity.source.flatMap({ entities[$0]?.table }), table.key.count == 1,
                !table.isWithoutRowID
            else { return false }
            return table.key[0].declaredType.uppercased() == "INTEGER"
        }
        guard !numbered.isEmpty else { return }
        notes.decided(
            nil,
            text: "SQLite has numbered the rows of \(numbered.map(\.name).listed); "
                + "in a store, a new record has the identity that you give it",
            help: "If the server numbers them, write `identity: { local: …, remote: … }`, as in 'The schema language'.")
    }
}
