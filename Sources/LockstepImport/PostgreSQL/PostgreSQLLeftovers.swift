/// Reports the other objects of a database, beside tables, columns, keys and indexes.
struct PostgreSQLLeftovers {
    private let catalogue: PostgreSQLCatalogue
    private let importing: DatabaseImport
    private var notes: ImportNotes { importing.notes }

    init(_ catalogue: PostgreSQLCatalogue, importing: DatabaseImport) {
        (self.catalogue, self.importing) = (catalogue, importing)
    }

    func report() {
        reportNumbered()
        for table in catalogue.tables where !table.isOfServer {
            reportConstraints(table)
            reportIndexes(table)
            for column in table.columns {
                guard let collation = column.collation else { continue }
                notes.left(nil, text: "\(table.name).\(column.name): the collation \(collation)")
            }
        }
        if importing.source.isComplete { reportRowSecurity() }
        for other in catalogue.others {
            let kind = ["v": "a view", "m": "a materialized view", "f": "a foreign table"][other.kind] ?? "a relation"
            notes.left(nil, text: "\(other.name), \(kind)", help: "Its rows stay on the server.")
        }
        let triggers = catalogue.tables.filter { !$0.isOfServer }.flatMap { table in
            table.ownTriggers.map { "\($0) of \(table.name)" }
        }
        if !triggers.isEmpty {
            notes.ignored("Triggers, which the server executes: \(triggers.joined(separator: ", "))")
        }
        let own = catalogue.tables.filter(\.isOfServer).map(\.name)
        if !own.isEmpty { notes.ignored("Tables that `--server` has made: \(own.joined(separator: ", "))") }
    }

    /// A new record has an identity before it is sent to the server.
    private func reportNumbered() {
        let numbered = importing.sketch.entities.filter { entity in
            guard let made = entity.source.flatMap({ importing.entities[$0] }), made.identity.count == 1,
                let table = catalogue.table(made.table.name), let column = table.column(made.identity[0].name)
            else { return false }
            return column.isNumbered || !importing.source.isComplete && Self.isPlainNumber(column, of: table)
        }
        guard !numbered.isEmpty else { return }
        let verb = importing.source.isComplete ? "numbers" : "probably numbers"
        notes.decided(
            nil,
            text: "PostgreSQL \(verb) the rows of \(numbered.map(\.name).joined(separator: ", ")); "
                + "a device gives new records their identity before the server has them",
            help: "Use UUIDs, or for entities that devices only read, write `remote: { write: [] }`. Without a server "
                + "that is made from the schema, `identity: { local: …, remote: … }` is possible, too.")
    }

    /// Whether a key is a number without a default, and of no other table. PostgREST describes numbered columns so.
    private static func isPlainNumber(_ column: CatalogueColumn, of table: CatalogueTable) -> Bool {
        guard ["smallint", "integer", "bigint"].contains(column.type), column.defaultText == nil else { return false }
        return !table.constraints.contains { $0.kind == .foreignKey && $0.columns == [column.name] }
    }

    private func reportConstraints(_ table: CatalogueTable) {
        for constraint in table.constraints {
            let subject = "\(table.name).\(constraint.columns.joined(separator: ", "))"
            switch constraint.kind {
            case .foreignKey:
                if let target = constraint.target, !catalogue.isOwn(target) { reportForeign(subject, target: target) }
                if constraint.isDeferrable { notes.ignored("\(subject): DEFERRABLE, as far as devices know") }
            case .exclusion:
                notes.left(
                    nil, text: "\(table.name): \(constraint.text.oneLine)",
                    help: "The server refuses what breaks it.")
            case .primaryKey, .unique, .check: break
            }
        }
    }

    private func reportForeign(_ subject: String, target: (schema: String, table: String)) {
        let isUser = target.schema == "auth" && target.table == "users"
        let name = target.schema.isEmpty ? target.table : "\(target.schema).\(target.table)"
        let place = catalogue.isInSchema(target) ? "is not imported" : "is in another schema"
        notes.decided(
            nil, text: "\(subject) is an attribute: \(name) \(place)",
            help: isUser ? "It holds a user, so it can be the `scope:`, or the end of a path in `access:`." : nil)
    }

    private func reportIndexes(_ table: CatalogueTable) {
        for index in table.indexes where index.method != "btree" && !index.isOfConstraint {
            notes.left(
                nil, text: "\(table.name): \(index.text.oneLine)", help: "It stays on the server.")
        }
    }

    private func reportRowSecurity() {
        let tables = catalogue.tables.filter { !$0.isOfServer }
        for table in tables where table.hasRowSecurity {
            let policies = table.ownPolicies.map { policy in
                let conditions = [policy.using.map { "USING \($0)" }, policy.check.map { "WITH CHECK \($0)" }]
                let parts = [policy.command] + conditions.compactMap(\.self)
                return "'\(policy.name)' (\(parts.joined(separator: " ").oneLine))"
            }
            if policies.isEmpty { continue }
            notes.left(
                nil, text: "\(table.name): row-level security: \(policies.joined(separator: ", "))",
                help: "The policies stay in the database. Say who reads and writes in `scope:` and `access:`.")
        }
        let open = tables.filter { !$0.hasRowSecurity }.map(\.name)
        if !open.isEmpty {
            notes.ignored(
                "No row-level security: \(open.joined(separator: ", ")). `--server` switches it on for entities with a "
                    + "scope")
        }
    }
}
