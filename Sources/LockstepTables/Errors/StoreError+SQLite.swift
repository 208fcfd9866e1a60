import Foundation
package import GRDB

extension StoreError {
    /// Runs `body`, and throws SQLite's errors as `StoreError`.
    package static func wrapping<Value>(
        _ operation: String, at record: String? = nil, body: () throws -> Value
    ) throws -> Value {
        do { return try body() } catch let error as DatabaseError {
            throw StoreError(error, doing: operation, record: record)
        }
    }

    /// The error that an asynchronous operation throws for an error of SQLite.
    ///
    /// Cancelling a task interrupts its statement. SQLite only reports that it was interrupted, which becomes a
    /// `CancellationError`.
    package static func thrown(for error: DatabaseError, doing operation: String) -> any Error {
        let isCancelled = error.resultCode == .SQLITE_INTERRUPT && Task.isCancelled
        return isCancelled ? CancellationError() : StoreError(error, doing: operation)
    }

    /// An error of SQLite that is not about a particular record.
    package init(_ error: DatabaseError, doing operation: String, record: String? = nil) {
        let (code, reason, remedy) = Self.general(error)
        self.init(code, doing: operation, record: record, reason: reason, remedy: remedy, underlyingError: error)
    }

    /// An error of SQLite while writing the record of a key.
    package init(_ error: DatabaseError, doing operation: String, plan: EntityPlan, record: RecordKey) {
        self.init(error, doing: operation, isDelete: false, plan: plan, record: record)
    }

    /// An error of SQLite while a save writes the record of a key.
    package init(_ error: DatabaseError, during write: RecordWrite, plan: EntityPlan, record: RecordKey) {
        self.init(error, doing: write.operation, isDelete: write == .delete, plan: plan, record: record)
    }

    private init(_ error: DatabaseError, doing operation: String, isDelete: Bool, plan: EntityPlan, record: RecordKey) {
        let columns = Self.columns(in: error, of: plan)
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
        case .SQLITE_CONSTRAINT_TRIGGER where isDelete:
            (code, reason, remedy) = (
                .deleteDenied, "a delete rule denies it: \(error.message ?? "")",
                "Delete what depends on it too, or link that elsewhere, or roll back."
            )
        default: (code, reason, remedy) = Self.general(error)
        }
        let names = columns.map { plan.columns[$0].memberName }
        self.init(
            code, doing: operation, entity: plan.name, record: record.text,
            attribute: names.isEmpty ? nil : names.joined(separator: ", "), reason: reason, remedy: remedy,
            underlyingError: error)
    }

    private static let duplicateIdentity: (Code, String, String) = (
        .duplicateIdentity, "another record has this identity",
        "Find that one and change it (`findOrInsert`), or give the new one another identity."
    )

    /// The columns that SQLite named as the reason.
    package func columns(of plan: EntityPlan) -> [Int] {
        (underlyingError as? DatabaseError).map { Self.columns(in: $0, of: plan) } ?? []
    }

    /// The columns that SQLite's message names: `UNIQUE constraint failed: product.sku, product.size`.
    private static func columns(in error: DatabaseError, of plan: EntityPlan) -> [Int] {
        guard let message = error.message, let colon = message.range(of: "failed: ") else { return [] }
        return message[colon.upperBound...].split(separator: ",").compactMap { part in
            let name = part.drop { $0 == " " }
            let prefix = plan.table + "."
            guard name.hasPrefix(prefix) else { return nil }
            return plan.columns.firstIndex { $0.name == name.dropFirst(prefix.count) }
        }
    }

    private static func general(_ error: DatabaseError) -> (Code, String, String) {
        let message = error.message ?? "SQLite reports no reason"
        switch error.resultCode {
        case .SQLITE_NOTADB:
            return (
                .notADatabase, "the file is not a database, or it is encrypted with another key",
                "Use a separate file for the store, and check what this file is."
            )
        case .SQLITE_CORRUPT, .SQLITE_FORMAT: return damage(message)
        case .SQLITE_ERROR where message == "unsupported file format": return damage(message)
        case .SQLITE_CANTOPEN:
            return (
                .cannotOpen, "the file cannot be opened: \(message)",
                "Check that its folder exists and is writable, and that not too many files are open."
            )
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: return denied(error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return (
                .busy, "something else is using the store: \(message)",
                "Try again; set a longer `busyMode` in the configuration. Nothing was changed."
            )
        case .SQLITE_FULL: return (.diskFull, "the disk is full", "Free some space and try again. Nothing was changed.")
        case .SQLITE_IOERR:
            return (
                .inputOutput,
                "the disk reports an error: \(message) (SQLite's code \(error.extendedResultCode.rawValue))",
                "Try again. Nothing was changed."
            )
        case .SQLITE_INTERRUPT, .SQLITE_ABORT:
            return (
                .interrupted, "it was interrupted, or the store is suspended: \(message)",
                "Try again; after a suspension, when the app is active. Nothing was changed."
            )
        case .SQLITE_MISUSE where messagesOfClosedConnections.contains(message):
            return (.closed, "the store is closed", "Open it again, and release the contexts of the closed one.")
        case .SQLITE_CONSTRAINT where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY:
            return (
                .missingReference, "a link points at a record that does not exist",
                "Insert that record too, or clear the link, or roll back."
            )
        default: return (.database, message, "See SQLite's result code \(error.extendedResultCode.rawValue).")
        }
    }

    /// GRDB's own messages, and those that SQLite has for an invalid connection.
    private static let messagesOfClosedConnections: Set<String> = [
        "Connection is closed", "out of memory", "bad parameter or other API misuse",
    ]

    private static func damage(_ message: String) -> (Code, String, String) {
        (
            .damaged, "the database is damaged: \(message)",
            "Keep a copy of the file with its -wal, then restore it from a backup, or delete both."
        )
    }

    private static func denied(_ error: DatabaseError) -> (Code, String, String) {
        switch error.extendedResultCode {
        case .SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY, .SQLITE_READONLY_CANTINIT:
            return (
                .readOnly, "it was left by a crash and must be written to before it can be read",
                "Open it once with a configuration that allows writing."
            )
        case .SQLITE_READONLY_DBMOVED:
            return (
                .inputOutput, "the file was moved, replaced or deleted while it was open",
                "Close the store, then open the current file."
            )
        default:
            return (
                .readOnly, "the store is not writable",
                "Check `readonly` in its configuration and the permissions of the file and its folder."
            )
        }
    }
}
