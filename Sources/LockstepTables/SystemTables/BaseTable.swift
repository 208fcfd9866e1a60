package import GRDB

/// The table with the values of an entity's records before their first unconfirmed change. It has the entity's own
/// columns. Whatever moves a record in the entity's table also moves it here.
package struct BaseTable {
    private let plan: EntityPlan
    private let database: Database

    package init(_ plan: EntityPlan, in database: Database) {
        self.plan = plan
        self.database = database
    }

    /// The table's name, for statements that run on the entity's table and on this one.
    package var name: String { OutboxTables.base(of: plan) }

    /// Sets a column of the record with a key of one column.
    package func set(_ column: Int, to value: DatabaseValue, of key: RecordKey) throws {
        try database.change(
            """
            UPDATE \(SQLName.quoted(name)) SET \(SQLName.quoted(plan.columns[column].name)) = ? \
            WHERE \(SQLName.quoted(plan.columns[plan.keyColumns[0]].name)) = ?
            """, with: [value, key.values[0]])
    }

    /// Deletes a record's base.
    package func delete(_ key: RecordKey) throws {
        let names = plan.keyColumns.map { plan.columns[$0].name }
        try database.change(
            "DELETE FROM \(SQLName.quoted(name)) WHERE \(SQLName.condition(names))", with: key.values)
    }
}
