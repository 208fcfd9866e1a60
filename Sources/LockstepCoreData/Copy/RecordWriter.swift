import GRDB
import LockstepStore

/// Writes records in the transaction of a copy, pending or not.
final class RecordWriter {
    let database: Database
    private let changes: RawChanges
    private let state: CoreDataRowState
    private var statements: [String: RawStatement] = [:]
    /// With a choice, the rows that are pending, by the number of the entity.
    private var unsent: [Int64: Set<Int64>] = [:]

    init(_ database: Database, changes: RawChanges, state: CoreDataRowState) {
        (self.database, self.changes, self.state) = (database, changes, state)
    }

    func insert(_ entity: CopiedEntity, number: Int64, row: RawRow, values: [DatabaseValue]) throws {
        var isUnsent = false
        if case .chosen(let choose) = state {
            let row = CoreDataRow(entity: entity.name, row: row, columns: entity.columns, properties: entity.properties)
            isUnsent = choose(row) == .unsent
            if isUnsent { unsent[entity.number, default: []].insert(number) }
        }
        try write(entity.plan.insertSQL, values: values, event: .insert, in: entity.plan.table, isUnsent: isUnsent)
    }

    /// Notes the inserts that `body` makes, and disables triggers that would do nothing if the rows are many.
    func insertRows(_ count: Int, of entity: CopiedEntity, body: () throws -> Void) throws {
        guard case .received = state, count > 0 else { return try body() }
        try changes.note(.insert, in: entity.plan.table, database: database)
        try database.insertRows(count, firing: InsertTriggers(of: entity.plan, in: database), body: body)
    }

    /// Whether a row is pending because of a choice.
    func isChosen(_ entity: CopiedEntity, number: Int64) -> Bool {
        unsent[entity.number]?.contains(number) ?? false
    }

    /// - Parameter isUnsent: With a choice, whether the change is pending.
    @discardableResult
    func write(
        _ sql: String, values: [DatabaseValue], event: RowWrite.Event, in table: String, isUnsent: Bool
    ) throws -> Int {
        let statement: RawStatement
        if let known = statements[sql] {
            statement = known
        } else {
            statement = try RawStatement(sql, in: database)
            statements[sql] = statement
        }
        var count = 0
        func run() throws {
            try changes.note(event, in: table, database: database)
            count = try statement.run(values)
        }
        if isUnsent {
            try changes.recordingChanges(database, body: run)
        } else {
            // It does nothing if all rows are pending.
            try changes.suppressOutbox(database)
            try run()
        }
        return count
    }
}
