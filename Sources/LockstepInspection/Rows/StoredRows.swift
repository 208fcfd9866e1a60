import GRDB
import LockstepStore

/// The tables of a file that may be of any version of the library, or damaged: a table that it does not have has no
/// rows, and a column that it does not have is NULL.
struct StoredRows {
    let database: Database

    /// The names of a table's columns; empty if there is no such table.
    func columns(of table: String) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
    }

    /// The values of these columns.
    ///
    /// - Parameter rest: The SQL after the table's name.
    func rows(
        of table: String, names: [String], rest: String = "", with arguments: [DatabaseValue] = []
    ) throws -> [[DatabaseValue]] {
        let known = Set(try columns(of: table))
        if known.isEmpty { return [] }
        let list = names.map { known.contains($0) ? SQLName.quoted($0) : "NULL" }
        return try database.valueRows(
            "SELECT \(list.joined(separator: ", ")) FROM \(SQLName.quoted(table)) \(rest)", with: arguments)
    }

    /// The values of a column, each with the number of rows that have it.
    func counts(of table: String, by column: String) throws -> [[DatabaseValue]] {
        guard try columns(of: table).contains(column) else { return [] }
        return try database.valueRows(
            "SELECT \(SQLName.quoted(column)), COUNT(*) FROM \(SQLName.quoted(table)) GROUP BY 1")
    }

    /// The number of rows; `nil` if there is no such table.
    func count(_ table: String) throws -> Int? {
        guard try !columns(of: table).isEmpty else { return nil }
        return try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(SQLName.quoted(table))")
    }
}
