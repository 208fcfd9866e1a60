import LockstepJSON

/// A PostgreSQL database whose rows are sent by a server.
struct PostgreSQLSource: DatabaseSource {
    let catalogue: PostgreSQLCatalogue
    /// Where the catalogue is from, if PostgREST has described it.
    private let description: PostgRESTDescription?
    let tables: [DatabaseTable]
    let enumerations: [DatabaseEnumeration]
    let spelling = DatabaseSpelling.exact
    let isServer = true
    var isComplete: Bool { description == nil }

    init(_ catalogue: PostgreSQLCatalogue, description: PostgRESTDescription? = nil) {
        (self.catalogue, self.description) = (catalogue, description)
        let own = catalogue.tables.filter { !$0.isOfServer }
        let used = Set(own.flatMap(\.columns).map { Self.element(catalogue.base(of: $0.type)) })
        enumerations = catalogue.enumerations.filter { used.contains($0.type) }
            .map { DatabaseEnumeration(type: $0.type, name: $0.name, values: $0.values) }
        let names = Set(enumerations.map(\.type))
        tables = own.map { Self.table($0, enumerations: names, catalogue: catalogue) }
    }

    /// The type of the elements of an array, or of a single value.
    private static func element(_ type: String) -> String {
        var type = type[...]
        while type.hasSuffix("[]") { type = type.dropLast(2) }
        return String(type)
    }

    // MARK: Tables

    private static func table(
        _ table: CatalogueTable, enumerations: Set<String>, catalogue: PostgreSQLCatalogue
    ) -> DatabaseTable {
        var result = DatabaseTable(name: table.name, spelling: .exact)
        result.documentation = table.comment
        let names = Set(table.columns.map(\.name))
        let key = table.key
        for column in table.columns {
            let domains = catalogue.domains(of: column.type)
            let base = catalogue.base(of: column.type)
            let element = element(base)
            let text = column.defaultText ?? (column.isNumbered ? nil : domains.compactMap(\.defaultText).first)
            result.columns.append(
                DatabaseColumn(
                    name: column.name, spelling: .exact, declaredType: column.type,
                    isRequired: column.isRequired || domains.contains(where: \.isRequired), defaultText: text,
                    defaultValue: text.map { defaultValue($0, isArray: element != base) } ?? .null,
                    keyPosition: key.firstIndex(of: column.name).map { $0 + 1 } ?? 0,
                    isGenerated: column.isGenerated || column.isNumbered && !key.contains(column.name),
                    enumeration: enumerations.contains(element) ? element : nil, documentation: column.comment))
            result.checks += domains.flatMap(\.checks).map { check in
                DatabaseCheck(
                    text: "\(column.name): \(check.oneLine)",
                    tokens: PostgreSQLExpression(check, type: PostgreSQLType(base))
                        .replacingValue(by: column.name))
            }
        }
        for constraint in table.constraints {
            switch constraint.kind {
            case .check:
                let text = constraint.expression ?? ""
                result.checks.append(DatabaseCheck(text: text.oneLine, tokens: PostgreSQLExpression(text).tokens))
            case .foreignKey:
                guard let target = constraint.target, catalogue.isOwn(target) else {
                    result.foreignColumns += constraint.columns
                    continue
                }
                result.foreignKeys.append(
                    DatabaseForeignKey(
                        table: target.table, columns: constraint.columns, references: constraint.references,
                        onUpdate: constraint.onUpdate, onDelete: constraint.onDelete))
            case .primaryKey, .unique, .exclusion: break
            }
        }
        // `--server` adds indexes of its own.
        let indexes = table.indexes.filter { $0.method == "btree" && !$0.name.hasPrefix("lockstep_") }
        result.indexes = indexes.map { index in
            DatabaseIndex(
                name: index.name, isUnique: index.isUnique, isPartial: index.isPartial, isKey: index.isKey,
                terms: index.columns.map { column in
                    DatabaseIndex.Term(column: column.flatMap { names.contains($0) ? $0 : nil })
                },
                sql: index.isOfConstraint ? nil : index.text)
        }
        return result
    }

    /// An empty array is the only one that is understood.
    private static func defaultValue(_ text: String, isArray: Bool) -> DatabaseLiteral.Default {
        let expression = PostgreSQLExpression(text)
        let isEmpty = expression.defaultValue == .value("{}") || expression.tokens.map(\.text) == ["(", ")"]
        return isArray && isEmpty ? .value(.array([])) : expression.defaultValue
    }

    // MARK: Types

    func type(
        of column: DatabaseColumn, in table: DatabaseTable, limits: DatabaseChecks.Limits, notes: ImportNotes
    ) -> DatabaseValueType? {
        let subject = "\(table.name).\(column.name)"
        let base = catalogue.base(of: column.declaredType)
        let type = PostgreSQLType(base)
        if base != column.declaredType {
            notes.decided(nil, text: "\(subject), of the domain \(column.declaredType), has the type \(base)")
        }
        if type.isWithoutZone {
            notes.decided(
                nil, text: "\(subject), \(type.name), is a date in UTC",
                help: "Keep the time zone of the database at UTC (`SHOW TimeZone`).")
        }
        let element = column.enumeration == nil ? type.scalar : "string"
        if element == nil {
            notes.decided(
                nil, text: "\(subject), of the type \(type.name), is a string",
                help: "The server must send and accept strings for it.")
        }
        var result = DatabaseValueType(type: element ?? "string", maximumLength: type.length)
        result.digits = type.digits.map { "numeric(\($0))" }
        result.isList = type.isArray && element != "json"
        return result
    }

    // MARK: Reports

    func introduce(_ notes: ImportNotes) {
        guard let description else { return introduceQuery(notes) }
        notes.decided(nil, text: "JSON keys are the names of columns, as PostgREST has them")
        notes.left(
            nil,
            text: "What PostgREST does not describe: unique columns, foreign keys of several columns, conditions, "
                + "delete rules, indexes, policies, generated and numbered columns",
            help: "To import them, too, describe the database with 'lockstep import --postgresql-query'.")
        notes.decided(
            nil,
            text: "Views whose rows can be written are entities, as tables are: PostgREST does not tell them apart",
            help: "Remove those that the app does not need.")
        let functions = description.functions
        if !functions.isEmpty { notes.ignored("Functions: \(functions.joined(separator: ", "))") }
    }

    private func introduceQuery(_ notes: ImportNotes) {
        notes.decided(
            nil, text: "JSON keys are the names of columns, as PostgREST has them",
            help: "To make a server of the tables, write `scope:` in each entity, and run "
                + "'lockstep generate --server --adopt \(notes.fileName)'.")
    }

    func report(on importing: DatabaseImport) {
        UndeclaredLinks(tables).report(on: importing)
        PostgreSQLLeftovers(catalogue, importing: importing).report()
    }
}

extension PostgreSQLCatalogue {
    /// Whether a foreign key refers to one of the tables, and not to one of another schema.
    func isOwn(_ target: (schema: String, table: String)) -> Bool {
        isInSchema(target) && table(target.table) != nil
    }

    /// Whether a table is in the schema that is described.
    func isInSchema(_ target: (schema: String, table: String)) -> Bool {
        // The name can be quoted.
        [target.schema, target.schema.replacing("\"", with: "")].contains(schema)
    }
}
