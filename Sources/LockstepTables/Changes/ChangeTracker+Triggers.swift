import Foundation
import GRDB
internal import GRDBSQLite

extension ChangeTracker {
    /// Makes SQLite know the function when it reads the tables of a file, which it refuses if a check calls it. If a
    /// check calls a function that is made later, SQLite does not look at its flags.
    package static func reserveFunction(in database: Database) {
        SQLiteFunction.add(NoteFunction.name, to: database) { _ in .null }
    }

    /// Creates the triggers, for this connection only.
    package func install(in database: Database) throws {
        guard !database.configuration.readonly else { return }
        try makeFunction(in: database)
        for (index, plan) in plans.enumerated() {
            for sql in Self.triggers(index, of: plan) { try database.execute(sql: sql) }
        }
    }

    /// Creates missing triggers again.
    ///
    /// - Returns: The indexes of the entities whose triggers were missing.
    func reinstall(in database: Database) -> [Int] {
        let sql = "SELECT name FROM sqlite_temp_master WHERE type = 'trigger'"
        guard let names = try? String.fetchSet(database, sql: sql) else { return [] }
        return plans.indices.filter { index in
            let isThere = Self.events.allSatisfy { names.contains(Self.triggerName($0, at: index)) }
            if isThere { return false }
            // A table that does not exist (any more) has nothing to track.
            for sql in Self.triggers(index, of: plans[index]) { try? database.execute(sql: sql) }
            return true
        }
    }

    private static let events = ["UPDATE", "DELETE"]

    private static func triggerName(_ event: String, at index: Int) -> String {
        "lockstep_note_\(event.lowercased())_\(index)"
    }

    private static func triggers(_ index: Int, of plan: EntityPlan) -> [String] {
        let keys = plan.keyColumns.map { SQLName.quoted(plan.columns[$0].name) }
        func call(_ row: String, isDeleted: Bool) -> String {
            let arguments = [String(index), isDeleted ? "1" : "0"] + keys.map { "\(row).\($0)" }
            return "SELECT \(NoteFunction.name)(\(arguments.joined(separator: ", ")))"
        }
        let isMoved = keys.map { "NEW.\($0) IS NOT OLD.\($0)" }.joined(separator: " OR ")
        func trigger(_ event: String, statements: [String]) -> String {
            """
            CREATE TEMP TRIGGER IF NOT EXISTS \(SQLName.quoted(triggerName(event, at: index))) \
            AFTER \(event) ON main.\(SQLName.quoted(plan.table)) BEGIN \
            \(statements.map { $0 + ";" }.joined(separator: " ")) END
            """
        }
        return [
            trigger(
                "UPDATE",
                statements: [call("NEW", isDeleted: false), "\(call("OLD", isDeleted: true)) WHERE \(isMoved)"]),
            trigger("DELETE", statements: [call("OLD", isDeleted: true)]),
        ]
    }

    /// A C function instead of GRDB's, because it is called for every row. The connection keeps the tracker alive.
    private func makeFunction(in database: Database) throws {
        let tracker = Unmanaged.passRetained(self).toOpaque()
        let code = sqlite3_create_function_v2(
            database.sqliteConnection, NoteFunction.name, -1, SQLiteFunction.flags, tracker,
            { context, count, arguments in
                guard let context, let arguments, count > 2, let pointer = sqlite3_user_data(context) else { return }
                let key = (2..<Int(count)).map { databaseValue(arguments[$0]) }
                let tracker = Unmanaged<ChangeTracker>.fromOpaque(pointer).takeUnretainedValue()
                guard let table = tracker.index(of: databaseValue(arguments[0])) else { return }
                tracker.note(table, key: RecordKey(key), isDeleted: sqlite3_value_int64(arguments[1]) != 0)
            }, nil, nil, { Unmanaged<ChangeTracker>.fromOpaque($0!).release() })
        guard code == SQLITE_OK else { throw database.lastError(code) }
    }
}

/// A way in which rows of a table are written.
package struct RowWrite: Hashable {
    package enum Event { case insert, update, delete }

    package let table: String
    package let event: Event

    package init(table: String, event: Event) { (self.table, self.event) = (table, event) }

    /// A statement that writes no row. As far as SQLite knows before running it, it fires the same triggers.
    func statementWithoutEffect(_ columns: [String]) -> String {
        let columns = columns.map(SQLName.quoted)
        let table = SQLName.quoted(table)
        let list = columns.joined(separator: ", ")
        return switch event {
        case .insert: "INSERT INTO \(table) (\(list)) SELECT \(list) FROM \(table) WHERE 0"
        case .update: "UPDATE \(table) SET \(columns.map { "\($0) = \($0)" }.joined(separator: ", ")) WHERE 0"
        case .delete: "DELETE FROM \(table) WHERE 0"
        }
    }
}

/// A value that SQLite passes to a function, including text with NUL in it.
private func databaseValue(_ value: OpaquePointer?) -> DatabaseValue {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return sqlite3_value_int64(value).databaseValue
    case SQLITE_FLOAT: return sqlite3_value_double(value).databaseValue
    case SQLITE_TEXT:
        guard let start = sqlite3_value_text(value) else { return "".databaseValue }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        return String(decoding: bytes, as: UTF8.self).databaseValue
    case SQLITE_BLOB:
        guard let start = sqlite3_value_blob(value) else { return Data().databaseValue }
        return Data(bytes: start, count: Int(sqlite3_value_bytes(value))).databaseValue
    default: return .null
    }
}

extension RecordWrite {
    /// The event for the row of the written table.
    package var event: RowWrite.Event {
        switch self {
        case .insert, .link: .insert
        case .update, .reorder: .update
        case .delete, .unlink: .delete
        }
    }
}
