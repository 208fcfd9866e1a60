/// A table as SQLite describes it.
struct SQLiteTable {
    let name: String
    /// The statement that has created it.
    let sql: String
    let isWithoutRowID: Bool
    let isStrict: Bool
    var columns: [SQLiteColumn] = []
    var foreignKeys: [SQLiteForeignKey] = []
    var indexes: [SQLiteIndex] = []

    /// The columns of the primary key in its order.
    var key: [SQLiteColumn] { columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition } }

    func column(_ name: String) -> SQLiteColumn? { columns.first { $0.isNamed(name) } }

    /// A name of the row's number that no column hides; `nil` without one.
    var rowName: String? {
        isWithoutRowID ? nil : ["rowid", "_rowid_", "oid"].first { column($0) == nil }
    }

    /// The columns that rows are known by where they have no number.
    var rowColumns: [SQLiteColumn] { key.isEmpty ? columns.filter { !$0.isGenerated } : key }

    /// Whether no two rows have the same values in these columns.
    func isUnique(_ names: [String]) -> Bool {
        let wanted = Set(names.map { $0.lowercased() })
        if !key.isEmpty, Set(key.map { $0.name.lowercased() }) == wanted { return true }
        return indexes.contains { index in
            index.isUnique && !index.isPartial && index.terms.allSatisfy { $0.column != nil }
                && Set(index.terms.compactMap { $0.column?.lowercased() }) == wanted
        }
    }
}

struct SQLiteColumn {
    let name: String
    /// As it was written; empty without one.
    let declaredType: String
    let isRequired: Bool
    /// The expression after DEFAULT.
    let defaultText: String?
    /// From 1; 0 if it is not in the primary key.
    let keyPosition: Int
    let isGenerated: Bool
    let collation: String
    let isAutoincrement: Bool

    func isNamed(_ other: String) -> Bool { name == other || name.lowercased() == other.lowercased() }
}

struct SQLiteForeignKey {
    let table: String
    let columns: [String]
    /// Empty for the primary key of the table.
    let references: [String]
    let onUpdate: String
    let onDelete: String
}

struct SQLiteIndex {
    struct Term {
        /// `nil` for an expression.
        let column: String?
        let isDescending: Bool
        let collation: String
    }

    let name: String
    let isUnique: Bool
    let isPartial: Bool
    /// Whether it belongs to the primary key.
    let isKey: Bool
    let terms: [Term]
    /// `nil` if a constraint has made it.
    let sql: String?
}
