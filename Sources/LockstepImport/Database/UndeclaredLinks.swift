import LockstepSchema

/// Finds the tables that columns are named after, for a database that does not declare its foreign keys.
struct UndeclaredLinks {
    /// By their names in the singular, without capitals and underscores.
    private let tables: [String: DatabaseTable]

    init(_ tables: [DatabaseTable]) {
        self.tables = Dictionary(tables.map { (Self.plain(DatabaseNames.singular($0.name)), $0) }) { first, _ in first }
    }

    private static func plain(_ name: String) -> String { UsableName.words(name).joined().lowercased() }

    /// The table that a column such as `author_id` is named after: `parent_id` after its own one, and `order_id` of
    /// `spree_line_items` after `spree_orders`, which is another one.
    func target(of column: DatabaseColumn, in table: DatabaseTable) -> DatabaseTable? {
        guard let name = DatabaseNames.destination(column.name, of: "id"), name != DatabaseNames.member(column.name)
        else { return nil }
        let own = UsableName.words(DatabaseNames.singular(table.name))
        let prefixes = own.indices.dropFirst().reversed().map { own[..<$0].joined().lowercased() }
        return tables[Self.plain(name)]
            ?? prefixes.lazy.compactMap { tables[$0 + Self.plain(name)] }.first { $0.name != table.name }
            ?? (name == "parent" ? table : nil)
    }

    /// Reports that a column refers to the records of several tables, if another one names the table, as `owner_type`
    /// does beside `owner_id`.
    ///
    /// - Returns: Whether it does.
    static func reportPolymorphic(_ column: DatabaseColumn, in table: DatabaseTable, notes: ImportNotes) -> Bool {
        let base = column.name.dropLast("_id".count)
        guard column.name.lowercased().hasSuffix("_id"), table.column("\(base)_type") != nil else { return false }
        notes.left(
            column.line, text: "\(table.name).\(base), a relationship to records of several tables (polymorphic)",
            help: "Its columns are attributes. For a relationship to each table, write one in 'relationships:'.")
        return true
    }

    /// Reports columns that are named like a key of another table. The key of the own table needs no foreign key.
    func report(on importing: DatabaseImport) {
        for entity in importing.sketch.entities {
            guard let made = entity.source.flatMap({ importing.entities[$0] }) else { continue }
            let key = made.table.key.count == 1 ? made.table.key[0].name : nil
            let declared = made.table.foreignKeys.flatMap(\.columns) + made.table.foreignColumns
            for column in made.table.columns
            where !column.isGenerated && column.name != key && !declared.contains(where: column.isNamed) {
                if Self.reportPolymorphic(column, in: made.table, notes: importing.notes) { continue }
                guard let target = target(of: column, in: made.table),
                    importing.entities[target.name]?.identity.count == 1
                else { continue }
                importing.notes.decided(
                    column.line,
                    text: "\(made.table.name).\(column.name) is an attribute, because it has no foreign key",
                    help:
                        "If it refers to \(importing.names.entity(target.name)), declare `REFERENCES` in a copy of the "
                        + "database and import that.")
            }
        }
    }
}
