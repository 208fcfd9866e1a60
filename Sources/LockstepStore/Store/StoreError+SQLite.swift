import Foundation
import GRDB

extension StoreError {
    /// Runs `body`; an error of SQLite becomes a store's.
    static func wrapping<Value>(_ operation: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError {
            throw StoreError(error, doing: operation)
        }
    }

    /// An error of SQLite about no record in particular.
    init(_ error: DatabaseError, doing operation: String) {
        let (code, reason, remedy) = Self.general(error)
        self.init(code, doing: operation, reason: reason, remedy: remedy, underlyingError: error)
    }

    /// An error of SQLite while writing a record.
    init(_ error: DatabaseError, doing operation: String, object: ManagedObject) {
        let plan = object.plan
        let columns = Self.columns(in: error, plan)
        let code: Code
        let reason: String
        let remedy: String
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
            (code, reason, remedy) = Self.duplicateIdentity
        case .SQLITE_CONSTRAINT_UNIQUE where Set(columns) == Set(plan.keyColumns):
            (code, reason, remedy) = Self.duplicateIdentity
        case .SQLITE_CONSTRAINT_UNIQUE:
            (code, reason, remedy) = (
                .notUnique, "another record has the same value", "Set another value, or roll back."
            )
        case .SQLITE_CONSTRAINT_NOTNULL:
            (code, reason, remedy) = (.missingValue, "it is required", "Set a value, or roll back.")
        case .SQLITE_CONSTRAINT_CHECK:
            (code, reason, remedy) = (
                .limit, "a check of the table does not hold: \(error.message ?? "")", "Set another value, or roll back."
            )
        case .SQLITE_CONSTRAINT_TRIGGER where operation == "deleting":
            (code, reason, remedy) = (
                .deleteDenied, "a delete rule denies it: \(error.message ?? "")",
                "Delete what depends on it too, or link that elsewhere, or roll back."
            )
        default: (code, reason, remedy) = Self.general(error)
        }
        let names = columns.map { plan.columns[$0].memberName }
        self.init(
            code, doing: operation, entity: plan.name, record: object.recordKey.text,
            attribute: names.isEmpty ? nil : names.joined(separator: ", "), reason: reason, remedy: remedy,
            underlyingError: error)
    }

    private static let duplicateIdentity: (Code, String, String) = (
        .duplicateIdentity, "another record has this identity",
        "Find that one and change it (`findOrInsert`), or give the new one another identity."
    )

    /// The columns that SQLite named as the reason.
    func columns(of plan: EntityPlan) -> [Int] {
        (underlyingError as? DatabaseError).map { Self.columns(in: $0, plan) } ?? []
    }

    /// The columns that SQLite's message names: `UNIQUE constraint failed: product.sku, product.size`.
    private static func columns(in error: DatabaseError, _ plan: EntityPlan) -> [Int] {
        guard let message = error.message, let colon = message.range(of: "failed: ") else { return [] }
        return message[colon.upperBound...].split(separator: ",").compactMap { part in
            let name = part.drop { $0 == " " }
            let prefix = plan.table + "."
            guard name.hasPrefix(prefix) else { return nil }
            return plan.columns.firstIndex { $0.name == name.dropFirst(prefix.count) }
        }
    }

    /// Whether this is what GRDB says of a connection that is closed, or SQLite of one that is not there.
    private static func isOfClosedConnection(_ message: String) -> Bool {
        message == "Connection is closed" || message == "out of memory"
    }

    private static func general(_ error: DatabaseError) -> (Code, String, String) {
        let message = error.message ?? "SQLite gives no reason"
        switch error.resultCode {
        case .SQLITE_NOTADB:
            return (
                .notADatabase, "the file is not a database",
                "Give the store a file of its own; look at what this one is."
            )
        case .SQLITE_CORRUPT:
            return (.damaged, "the database is damaged: \(message)", "Restore it from a backup, or delete it.")
        case .SQLITE_CANTOPEN:
            return (
                .cannotOpen, "the file cannot be opened: \(message)",
                "See that its folder is there and may be written to."
            )
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            return (.readOnly, "the file may not be written to", "See to the permissions of the file and its folder.")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return (.busy, "something else is writing to the store", "Try again; set a busy mode in the configuration.")
        case .SQLITE_FULL: return (.diskFull, "the disk is full", "Make room and try again; nothing was changed.")
        case .SQLITE_IOERR: return (.inputOutput, "the disk fails: \(message)", "Try again; nothing was changed.")
        case .SQLITE_MISUSE where isOfClosedConnection(message):
            return (.database, "the store is closed", "Open it again, and use the new one's contexts.")
        case .SQLITE_CONSTRAINT where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY:
            return (
                .missingReference, "a link points at a record that is not there",
                "Insert that record too, or clear the link, or roll back."
            )
        default: return (.database, message, "See SQLite's result code \(error.extendedResultCode.rawValue).")
        }
    }
}
