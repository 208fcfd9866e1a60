import Foundation
import GRDB
import LockstepEvolution

/// Reads the tables and rows that a database has.
struct FileReading {
    private let database: Database

    init(_ database: Database) { self.database = database }

    private func names() throws -> [String] {
        try String.fetchAll(
            database,
            sql:
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name"
        )
    }

    // MARK: Structure

    /// What a plan has to know.
    func tables() throws -> FileTables {
        let names = try names()
        var indexes: [String: [FileTables.FileIndex]] = [:]
        for name in names where !name.hasPrefix("lockstep_") { indexes[name] = try self.indexes(of: name) }
        return FileTables(indexes: indexes, baseTables: Set(names.filter { $0.hasPrefix("lockstep_base_") }))
    }

    private func indexes(of table: String) throws -> [FileTables.FileIndex] {
        let list = try Row.fetchAll(
            database,
            sql: "SELECT name, \"unique\", origin FROM pragma_index_list(?) WHERE origin <> 'pk' ORDER BY seq",
            arguments: [table])
        return try list.map { row in
            let name: String = row[0]
            let columns = try String.fetchAll(
                database, sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno", arguments: [name])
            return FileTables.FileIndex(name: name, columns: columns, isUnique: row[1], isConstraint: row[2] == "u")
        }
    }

    /// What the tables consist of, as texts. Left out are the order of columns, defaults, the names of indexes, and
    /// whether a constraint or an index makes a column unique.
    func structure() throws -> Set<String> {
        var lines: Set<String> = []
        for table in try names() {
            for row in try Row.fetchAll(
                database, sql: "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)", arguments: [table])
            {
                lines.insert(
                    "\(table): column \(row[0] as String) \(row[1] as String) \(row[2] as Int) key \(row[3] as Int)")
            }
            for index in try indexes(of: table) {
                lines.insert("\(table): index \(index.columns)\(index.isUnique ? " unique" : "")")
            }
            for row in try Row.fetchAll(
                database, sql: "SELECT \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?)",
                arguments: [table])
            {
                lines.insert(
                    "\(table): reference \(row[1] as String) to \(row[0] as String).\(row[2] as String? ?? "") \(row[3] as String)"
                )
            }
            let sql = try String.fetchOne(
                database, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", arguments: [table])
            for check in Self.checks(sql ?? "") { lines.insert("\(table): \(check)") }
        }
        for row in try Row.fetchAll(database, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'") {
            lines.insert("trigger \(row[0] as String): \(row[1] as String)")
        }
        return lines
    }

    /// The checks in the definition of a table.
    private static func checks(_ sql: String) -> [String] {
        var checks: [String] = []
        var rest = Array(sql.unicodeScalars)[...]
        var quote: UnicodeScalar?
        let word = Array("CHECK (".unicodeScalars)
        while let next = rest.first {
            if quote == nil, rest.starts(with: word) {
                var depth = 0
                var text = String.UnicodeScalarView()
                while let scalar = rest.popFirst() {
                    text.append(scalar)
                    if let open = quote { if scalar == open { quote = nil }; continue }
                    if scalar == "'" || scalar == "\"" { quote = scalar }
                    if scalar == "(" { depth += 1 }
                    if scalar == ")" { depth -= 1; if depth == 0 { break } }
                }
                checks.append(String(text))
                continue
            }
            if quote == next { quote = nil } else if quote == nil, next == "'" || next == "\"" { quote = next }
            rest.removeFirst()
        }
        return checks
    }

    // MARK: Rows

    /// The rows of each table as texts in order, with the columns by name. What is random is left out.
    func rows() throws -> [String: [String]] {
        var tables: [String: [String]] = [:]
        for table in try names() {
            let (columns, rows) = try self.rows(of: table)
            tables[table] = rows.map { row in
                // SQLite adds a column without type with 5 if its default is 5.0.
                zip(columns, row).map { name, value in "\(name)=\(table.hasPrefix("lockstep_") ? value.plain : value)" }
                    .sorted().joined(separator: " | ")
            }.sorted()
        }
        return tables
    }

    func rows(of table: String) throws -> (columns: [String], rows: [[StoredValue]]) {
        let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
        let values = columns.map(\.quotedName).map { name in
            "typeof(\(name)) = 'text', CASE typeof(\(name)) WHEN 'text' THEN CAST(\(name) AS BLOB) ELSE \(name) END"
        }
        let rows = try Row.fetchAll(database, sql: "SELECT \(values.joined(separator: ", ")) FROM \(table.quotedName)")
        return (
            columns,
            rows.map { row in
                columns.indices.map { StoredValue(isText: row[2 * $0], value: row[2 * $0 + 1]) }
            }
        )
    }
}

/// A value as SQLite has it. A text is given by its bytes, since it may contain NUL.
struct StoredValue: Hashable, CustomStringConvertible {
    var isText: Bool
    var value: DatabaseValue

    init(isText: Bool, value: DatabaseValue) {
        self.isText = isText
        self.value = value
    }

    init(_ value: DatabaseValue) {
        if case .string(let text) = value.storage {
            self.init(isText: true, value: Data(text.utf8).databaseValue)
        } else {
            self.init(isText: false, value: value)
        }
    }

    /// The parameter in a statement.
    var mark: String { isText ? "CAST(? AS TEXT)" : "?" }

    /// A whole number as an integer.
    var plain: StoredValue {
        guard case .double(let number) = value.storage, let integer = Int64(exactly: number) else { return self }
        return StoredValue(isText: false, value: integer.databaseValue)
    }

    var description: String {
        switch value.storage {
        case .null: return "NULL"
        case .int64(let number): return "\(number)"
        case .double(let number): return "\(number) real"
        case .string(let text): return text
        case .blob(let data) where isText:
            let text = String(decoding: data, as: UTF8.self)
            return text.contains(RandomMark.text) ? "random" : text.debugDescription
        case .blob(let data): return "x'\(data.map { String($0, radix: 16) }.joined(separator: " "))'"
        }
    }
}

extension String {
    /// The name in SQL.
    var quotedName: String { "\"\(replacingOccurrences(of: "\"", with: "\"\""))\"" }
}
