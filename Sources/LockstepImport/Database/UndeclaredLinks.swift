/// Reports columns that are named like a key of another table, but have no foreign key. The key of the own table needs
/// none.
struct UndeclaredLinks {
    private let importing: DatabaseImport
    /// The names of entities with a key of one column, by their names as members are named.
    private let targets: [String: String]

    init(_ importing: DatabaseImport) {
        self.importing = importing
        let single = importing.sketch.entities.filter { entity in
            entity.source.flatMap { importing.entities[$0] }?.identity.count == 1
        }
        targets = Dictionary(single.map { ($0.name.lowercased(), $0.name) }) { first, _ in first }
    }

    func report() {
        for entity in importing.sketch.entities {
            guard let table = entity.source, let made = importing.entities[table] else { continue }
            let key = made.table.key.count == 1 ? made.table.key[0].name : nil
            for column in made.table.columns where !column.isGenerated && !hasForeignKey(column, in: made.table) {
                guard column.name != key, let target = target(of: column) else { continue }
                importing.notes.decided(
                    nil, text: "\(table).\(column.name) is an attribute, because it has no foreign key",
                    help: "If it refers to \(target), declare `REFERENCES` in a copy of the database and import that.")
            }
        }
    }

    private func hasForeignKey(_ column: DatabaseColumn, in table: DatabaseTable) -> Bool {
        table.foreignKeys.contains { $0.columns.contains { column.isNamed($0) } }
    }

    /// The entity that a column such as `author_id` is named after.
    private func target(of column: DatabaseColumn) -> String? {
        guard let name = DatabaseNames.destination(column.name, of: "id")?.lowercased(),
            name != DatabaseNames.member(column.name).lowercased()
        else { return nil }
        return targets[name]
    }
}
