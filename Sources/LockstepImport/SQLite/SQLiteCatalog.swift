import LockstepEvolution

/// The contents of a database, according to its schema and its PRAGMAs.
struct SQLiteCatalog {
    private(set) var tables: [DatabaseTable] = []
    private(set) var views: [String] = []
    private(set) var triggers: [(name: String, table: String)] = []
    /// Virtual tables with their modules.
    private(set) var virtualTables: [(name: String, module: String)] = []
    /// Tables of other libraries.
    private(set) var bookkeeping: [String] = []
    /// The number in which an app counts its own versions of the file.
    private(set) var userVersion: Int64 = 0

    /// More than any database that an app has.
    static let columnLimit = 20_000

    /// - Throws: ``ImportFailure`` if it cannot be read, or is a store of something that describes it better.
    init(_ connection: SQLiteConnection) throws(ImportFailure) {
        let objects = try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid")
        let names = Set(objects.compactMap { $0[1].text })
        try Self.checkOwner(names, on: connection)
        var kinds: [String: [SQLiteValue]] = [:]
        for row in try connection.rows("PRAGMA main.table_list") { if let name = row[1].text { kinds[name] = row } }
        userVersion = try connection.rows("PRAGMA main.user_version").first?[0].integer ?? 0
        var count = 0
        for object in objects {
            guard let type = object[0].text, let name = object[1].text else { continue }
            let sql = object[3].text ?? ""
            switch type {
            case "view": views.append(name)
            case "trigger": triggers.append((name, object[2].text ?? ""))
            case "table":
                let kind = kinds[name]
                switch kind?[2].text {
                case "virtual": virtualTables.append((name, Self.module(sql)))
                case "shadow": break
                default:
                    if name.lowercased().hasPrefix("sqlite_") { continue }
                    if Self.bookkeeping[name.lowercased()] != nil {
                        bookkeeping.append(name)
                        continue
                    }
                    let table = try Self.table(
                        name, sql: sql, isWithoutRowID: kind?[4].integer == 1, isStrict: kind?[5].integer == 1,
                        on: connection)
                    count += table.columns.count
                    guard count <= Self.columnLimit else {
                        throw ImportFailure(
                            connection.path,
                            reason: "It has more than \(Self.columnLimit) columns. Import a part of it.")
                    }
                    tables.append(table)
                }
            default: break
            }
        }
        if tables.isEmpty {
            throw ImportFailure(
                connection.path, reason: "It has no table. Import the database that the app has written to.")
        }
    }

    private static func checkOwner(_ names: Set<String>, on connection: SQLiteConnection) throws(ImportFailure) {
        if names.contains("Z_PRIMARYKEY"), names.contains("Z_METADATA") {
            throw ImportFailure(
                connection.path,
                reason: "It is a Core Data store, whose model describes it better. Import the app's .xcdatamodeld.")
        }
        guard names.contains(StoreTables.metadata) else { return }
        let rows = try connection.rows("SELECT value FROM \(StoreTables.metadata) WHERE key = 'schema'")
        let name = rows.first?.first?.text.map { " '\($0)'" } ?? ""
        throw ImportFailure(
            connection.path,
            reason: "It is already a Lockstep store. Its schema\(name) is in it, and in the app that has written it.")
    }

    /// The tables of libraries, and what each records.
    static let bookkeeping = [
        "grdb_migrations": "a library records its migrations", "schema_migrations": "a library records its migrations",
        "android_metadata": "Android records the locale", "room_master_table": "Room records the version of its schema",
        "ar_internal_metadata": "Rails records its environment",
    ]

    private static func module(_ sql: String) -> String {
        let tokens = SQLTokens(sql).tokens
        guard let index = tokens.firstIndex(where: { $0.isWord("USING") }), index + 1 < tokens.count else { return "?" }
        return tokens[index + 1].text
    }

    // MARK: Tables

    private static func table(
        _ name: String, sql: String, isWithoutRowID: Bool, isStrict: Bool, on connection: SQLiteConnection
    ) throws(ImportFailure) -> DatabaseTable {
        var table = DatabaseTable(name: name, sql: sql, isWithoutRowID: isWithoutRowID, isStrict: isStrict)
        table.checks = checks(sql)
        for row in try connection.rows("PRAGMA main.table_xinfo(\(SQLText.name(name)))") {
            guard let column = row[1].text else { continue }
            let metadata = connection.metadata(table: name, column: column)
            table.columns.append(
                DatabaseColumn(
                    name: column, declaredType: row[2].text ?? "", isRequired: row[3].integer == 1,
                    defaultText: row[4].text,
                    defaultValue: row[4].text.map(DatabaseLiteral.default) ?? .null,
                    keyPosition: Int(row[5].integer ?? 0),
                    isGenerated: (row[6].integer ?? 0) > 1, collation: metadata.collation,
                    isAutoincrement: metadata.isAutoincrement))
        }
        table.foreignKeys = try foreignKeys(name, on: connection)
        table.indexes = try indexes(name, on: connection)
        return table
    }

    /// The conditions after each CHECK.
    private static func checks(_ sql: String) -> [DatabaseCheck] {
        let all = SQLTokens(sql)
        var checks: [DatabaseCheck] = []
        var index = 0
        while index + 1 < all.tokens.count {
            guard all.tokens[index].isWord("CHECK"), all.tokens[index + 1].isSymbol("("),
                let end = all.end(ofParenthesis: index + 1)
            else {
                index += 1
                continue
            }
            let range = index + 2..<end - 1
            checks.append(DatabaseCheck(text: all.text(range), tokens: Array(all.tokens[range])))
            index = end
        }
        return checks
    }

    private static func foreignKeys(
        _ name: String, on connection: SQLiteConnection
    ) throws(ImportFailure) -> [DatabaseForeignKey] {
        var rows: [Int64: [[SQLiteValue]]] = [:]
        for row in try connection.rows("PRAGMA main.foreign_key_list(\(SQLText.name(name)))") {
            rows[row[0].integer ?? 0, default: []].append(row)
        }
        // SQLite numbers them from the last one.
        return rows.sorted { $0.key > $1.key }.map { _, parts in
            let parts = parts.sorted { ($0[1].integer ?? 0) < ($1[1].integer ?? 0) }
            return DatabaseForeignKey(
                table: parts[0][2].text ?? "", columns: parts.compactMap { $0[3].text },
                references: parts.compactMap { $0[4].text }, onUpdate: parts[0][5].text ?? "",
                onDelete: parts[0][6].text ?? "")
        }
    }

    private static func indexes(_ name: String, on connection: SQLiteConnection) throws(ImportFailure)
        -> [DatabaseIndex]
    {
        var indexes: [DatabaseIndex] = []
        for row in try connection.rows("PRAGMA main.index_list(\(SQLText.name(name)))").reversed() {
            guard let index = row[1].text else { continue }
            let sql = try connection.rows(
                "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = \(SQLText.literal(index))")
            let terms = try connection.rows("PRAGMA main.index_xinfo(\(SQLText.name(index)))")
            indexes.append(
                DatabaseIndex(
                    name: index, isUnique: row[2].integer == 1, isPartial: row[4].integer == 1,
                    isKey: row[3].text == "pk",
                    terms: terms.filter { $0[5].integer == 1 }.map { term in
                        DatabaseIndex.Term(
                            column: term[1].integer == -2 ? nil : term[2].text, isDescending: term[3].integer == 1,
                            collation: term[4].text ?? "BINARY")
                    },
                    sql: sql.first?.first?.text))
        }
        return indexes
    }
}
