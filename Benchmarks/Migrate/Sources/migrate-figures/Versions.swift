import LedgerConvert
import LedgerFill
import LedgerFirst
import LedgerInstant
import LedgerRebuild
import LedgerTen
import LockstepStore

/// A later version of the schema, and the SQL that makes its tables from those of the first.
struct Version: Sendable {
    let schema: any StoreSchema.Type
    /// What the floor runs.
    let statements: String
    /// Whether triggers are dropped before, and created afterwards. SQLite renames columns in them, but drops no column
    /// that one of them names.
    var hasTriggers = true
    /// The rows that are written, for each entry.
    var writes = 1

    static let first = Version(schema: LedgerFirst.LedgerSchema.self, statements: "", hasTriggers: false, writes: 0)

    static let instant = Version(
        schema: LedgerInstant.LedgerSchema.self,
        statements: """
            ALTER TABLE entry RENAME COLUMN note TO text;
            ALTER TABLE entry ADD COLUMN place TEXT;
            ALTER TABLE entry ADD COLUMN cleared INTEGER NOT NULL DEFAULT 0;
            """, hasTriggers: false, writes: 0)

    static let fill = Version(
        schema: LedgerFill.LedgerSchema.self,
        statements: """
            ALTER TABLE entry ADD COLUMN new_quantity INTEGER NOT NULL DEFAULT 0;
            UPDATE entry SET new_quantity = coalesce(quantity, 0);
            ALTER TABLE entry DROP COLUMN quantity;
            ALTER TABLE entry RENAME COLUMN new_quantity TO quantity;
            """)

    static let convert = Version(
        schema: LedgerConvert.LedgerSchema.self,
        statements: "UPDATE entry SET amount = coalesce(floor_decimal(amount), '0');")

    static let rebuild = Version(
        schema: LedgerRebuild.LedgerSchema.self,
        statements: rebuild(
            title: "TEXT", amount: "TEXT NOT NULL", quantity: "INTEGER NOT NULL", date: "REAL NOT NULL",
            values: "title, note, amount, coalesce(quantity, 0)"))

    static let ten = Version(
        schema: LedgerTen.LedgerSchema.self,
        statements: rebuild(
            title: "TEXT NOT NULL", amount: "REAL NOT NULL", quantity: "REAL", date: "REAL",
            values: "coalesce(title, ''), coalesce(note, ''), CAST(amount AS REAL), CAST(coalesce(quantity, 0) AS REAL)"
        ))

    private static func rebuild(title: String, amount: String, quantity: String, date: String, values: String) -> String
    {
        """
        CREATE TABLE new_entry (
            identifier TEXT PRIMARY KEY NOT NULL, title \(title), note TEXT NOT NULL, amount \(amount),
            quantity \(quantity), date \(date), account_id TEXT
        );
        INSERT INTO new_entry (identifier, title, note, amount, quantity, date, account_id)
        SELECT identifier, \(values), date, account_id FROM entry;
        DROP TABLE entry;
        ALTER TABLE new_entry RENAME TO entry;
        CREATE INDEX entry_account_id ON entry (account_id);
        """
    }
}
