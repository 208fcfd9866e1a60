package import GRDB
package import LockstepEvolution

/// The tables that a file really has, to compare them with a structure.
package struct FileStructure {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// The indexes and tables that a plan has to know.
    package func tables() throws -> FileTables {
        let names = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'")
        var indexes: [String: [FileTables.FileIndex]] = [:]
        for name in names where !name.hasPrefix("lockstep_") { indexes[name] = try self.indexes(of: name) }
        return FileTables(indexes: indexes, baseTables: Set(names.filter { $0.hasPrefix("lockstep_base_") }))
    }

    /// Those of a table, except for the primary key's.
    private func indexes(of table: String) throws -> [FileTables.FileIndex] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT l.name, l."unique", l.origin, i.name FROM pragma_index_list(?1) AS l, pragma_index_info(l.name) AS i \
                WHERE l.origin <> 'pk' AND NOT l.partial ORDER BY l.seq, i.seqno
                """, arguments: [table])
        var indexes: [FileTables.FileIndex] = []
        for row in rows {
            let (name, column): (String, String) = (row[0], row[3] as String? ?? "")
            if indexes.last?.name == name {
                indexes[indexes.count - 1].columns.append(column)
            } else {
                indexes.append(
                    FileTables.FileIndex(name: name, columns: [column], isUnique: row[1], isConstraint: row[2] == "u"))
            }
        }
        return indexes
    }

    /// The first difference between the file's tables and those of a structure; `nil` if there is none.
    ///
    /// The order of columns, defaults, the names of indexes, and whether a column is unique by the table's definition
    /// or by an index may differ: a migrated file differs in them from a new one.
    package func difference(from structure: SchemaStructure) throws -> String? {
        let fresh = try DatabaseQueue()
        let expected = try fresh.write { database in
            for statement in sqlStatements(for: structure, dialect: .sqlite, parts: .tables) {
                try database.execute(sql: statement)
            }
            return try FileStructure(database).contents()
        }
        let actual = try contents()
        for (table, lines) in expected.sorted(by: { $0.key < $1.key }) {
            guard let own = actual[table] else { return "there is no table “\(table)”" }
            if let missing = lines.subtracting(own).min() { return "the table “\(table)” does not have: \(missing)" }
            let isExtra = own.subtracting(lines).filter { !$0.hasPrefix("index") }
            if let extra = isExtra.min() { return "the table “\(table)” has: \(extra)" }
        }
        return nil
    }

    /// Returns the parts of each table, as texts.
    private func contents() throws -> [String: Set<String>] {
        var contents: [String: Set<String>] = [:]
        let columns = try Row.fetchAll(
            database,
            sql: """
                SELECT m.name, c.name, c.type, c."notnull", c.pk FROM sqlite_master AS m, pragma_table_info(m.name) AS c \
                WHERE m.type = 'table' AND m.name NOT LIKE 'lockstep!_%' ESCAPE '!' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'
                """)
        for row in columns {
            let (table, name, type): (String, String, String) = (row[0], row[1], row[2])
            let key: Int = row[4]
            contents[table, default: []].insert(
                "column \(name) \(type)\(row[3] == 1 ? " NOT NULL" : "")\(key > 0 ? " key \(key)" : "")")
        }
        for (table, indexes) in try tables().indexes {
            for index in indexes {
                contents[table, default: []].insert(
                    "index\(index.isUnique ? " unique" : "") \(index.columns.joined(separator: ", "))")
            }
        }
        let references = try Row.fetchAll(
            database,
            sql: """
                SELECT m.name, f."table", f."from", f."to", f.on_delete \
                FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS f \
                WHERE m.type = 'table' AND m.name NOT LIKE 'lockstep!_%' ESCAPE '!'
                """)
        for row in references {
            let (table, other, from, to, action): (String, String, String, String?, String) = (
                row[0], row[1], row[2], row[3], row[4]
            )
            contents[table, default: []].insert("reference \(from) to \(other).\(to ?? "") \(action)")
        }
        return contents
    }
}
