/// A table as its database describes it.
struct DatabaseTable {
    let name: String
    /// How the names of its columns are compared.
    var spelling = DatabaseSpelling.ignoringCase
    /// The statement that has created it, of SQLite.
    var sql = ""
    var isWithoutRowID = false
    var isStrict = false
    /// The comment of the database.
    var documentation: String?
    /// The line of the source, from 1; `nil` for a database itself.
    var line: Int?
    var columns: [DatabaseColumn] = []
    var foreignKeys: [DatabaseForeignKey] = []
    /// The columns of foreign keys to tables that are not imported.
    var foreignColumns: [String] = []
    var indexes: [DatabaseIndex] = []
    /// The CHECK constraints.
    var checks: [DatabaseCheck] = []

    /// The columns of the primary key in its order.
    var key: [DatabaseColumn] { columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition } }

    func column(_ name: String) -> DatabaseColumn? { columns.first { $0.isNamed(name) } }

    /// A name of the row's number that no column hides; `nil` without one.
    var rowName: String? {
        isWithoutRowID ? nil : ["rowid", "_rowid_", "oid"].first { column($0) == nil }
    }

    /// The columns that rows are known by where they have no number.
    var rowColumns: [DatabaseColumn] { key.isEmpty ? columns.filter { !$0.isGenerated } : key }

    /// Whether no two rows have the same values in these columns.
    func isUnique(_ names: [String]) -> Bool {
        let (wanted, key) = (Set(names.map(spelling.key)), key)
        if !key.isEmpty, Set(key.map { spelling.key($0.name) }) == wanted { return true }
        return indexes.contains { index in
            index.isUnique && !index.isPartial && index.terms.allSatisfy { $0.column != nil }
                && Set(index.terms.compactMap { $0.column.map(spelling.key) }) == wanted
        }
    }
}

struct DatabaseColumn {
    let name: String
    var spelling = DatabaseSpelling.ignoringCase
    /// As it was written; empty without one.
    let declaredType: String
    let isRequired: Bool
    /// The expression after DEFAULT, and its meaning.
    var defaultText: String?
    var defaultValue = DatabaseLiteral.Default.null
    /// From 1; 0 if it is not in the primary key.
    let keyPosition: Int
    /// Whether only the database writes it.
    var isGenerated = false
    /// Whether a server gives its values to new rows, so that devices have a key of their own until then.
    var isAssigned = false
    var collation = "BINARY"
    var isAutoincrement = false
    /// The name of an enum of the database, whose values it has.
    var enumeration: String?
    /// The comment of the database.
    var documentation: String?
    var line: Int?

    func isNamed(_ other: String) -> Bool { spelling.key(name) == spelling.key(other) }
}

struct DatabaseForeignKey {
    let table: String
    let columns: [String]
    /// Empty for the primary key of the table.
    let references: [String]
    var onUpdate = ""
    /// `nil` if something else decides it, such as an app on the server.
    let onDelete: String?
    var line: Int?
}

/// A condition that each row of a table fulfils.
struct DatabaseCheck {
    /// As it was written.
    let text: String
    let tokens: [SQLTokens.Token]
    var line: Int?
}

/// A type of the database with a list of values.
struct DatabaseEnumeration {
    /// As it is in the types of columns.
    let type: String
    let name: String
    let values: [String]
    var line: Int?
}

struct DatabaseIndex {
    struct Term {
        /// `nil` for an expression.
        let column: String?
        var isDescending = false
        var collation = "BINARY"
    }

    let name: String
    let isUnique: Bool
    let isPartial: Bool
    /// Whether it belongs to the primary key.
    let isKey: Bool
    let terms: [Term]
    /// `nil` if a constraint has made it.
    let sql: String?
    var line: Int?
}
