import GRDB

/// The function of a store's connection that records a changed row, so that contexts read it again.
enum NoteFunction {
    static let name = "lockstep_note"

    /// Records that what the store knows of a row has changed, such as whether it is synced.
    static func noteUpdate(of key: RecordKey, plan: EntityPlan, in database: Database) throws {
        let marks = Array(repeating: "?", count: key.values.count + 2).joined(separator: ", ")
        let arguments = [plan.table.databaseValue, false.databaseValue] + key.values
        _ = try RawStatement(kept: "SELECT \(name)(\(marks))", in: database).firstValue(arguments)
    }
}
