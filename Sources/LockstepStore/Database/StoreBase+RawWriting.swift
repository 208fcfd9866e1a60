import GRDB
import LockstepSystem

extension StoreBase {
    /// Runs `body` in one write transaction. See ``Store/writeRaw(_:suppressesOutbox:body:)``.
    func writeRaw<Value: Sendable>(
        _ operation: String, suppressesOutbox: Bool, body: @escaping @Sendable (Database, RawChanges) throws -> Value
    ) async throws -> Value {
        do {
            return try await backgroundWrites.with {
                try await writer.writeWithoutTransaction { [tracker, schemaWatch] database in
                    while true {
                        do {
                            return try database.writeRaw(
                                RawChanges(tracker, suppressesOutbox: suppressesOutbox), schemaWatch: schemaWatch,
                                body: body)
                        } catch is BeginAgain { continue }
                    }
                }
            }
        } catch let error as DatabaseError {
            throw StoreError.thrown(for: error, doing: operation)
        }
    }

    /// Waits until nothing writes the file, then runs `body`, which writes, in the isolation domain of the caller.
    ///
    /// The library's own writes, such as merges, begin only after it. Others, by the app or by another process, can
    /// begin between the wait and `body`, which then waits for them as usual: the writer is not locked meanwhile, since
    /// whatever the caller's actor does first may need it.
    nonisolated(nonsending) func whenNothingIsWritten<Value>(
        _ operation: String, body: () throws -> Value
    ) async throws -> Value {
        try await backgroundWrites.with {
            do {
                // A write transaction, in order to wait for other processes, too.
                try await writer.writeWithoutTransaction { database in
                    try database.inTransaction(.immediate) { .rollback }
                }
            } catch let error as DatabaseError {
                throw StoreError.thrown(for: error, doing: operation)
            }
            return try body()
        }
    }
}

extension Database {
    fileprivate func writeRaw<Value>(
        _ changes: RawChanges, schemaWatch: SchemaWatch, body: (Database, RawChanges) throws -> Value
    ) throws -> Value {
        var value: Value?
        try inTransaction {
            try schemaWatch.check(self)
            value = try body(self, changes)
            try changes.resumeOutbox(self)
            try changes.notify(self)
            return .commit
        }
        guard let value else { preconditionFailure("The value was set in the committed transaction.") }
        return value
    }
}
