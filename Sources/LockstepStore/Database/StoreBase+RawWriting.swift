import GRDB

extension StoreBase {
    /// Runs `body` in one write transaction. See ``Store/writeRaw(_:suppressesOutbox:_:)``.
    func writeRaw<Value: Sendable>(
        _ operation: String, suppressesOutbox: Bool, _ body: @escaping @Sendable (Database, RawChanges) throws -> Value
    ) async throws -> Value {
        do {
            return try await writer.writeWithoutTransaction { [tracker, schemaWatch] database in
                while true {
                    do {
                        return try database.writeRaw(
                            RawChanges(tracker, suppressesOutbox: suppressesOutbox), schemaWatch, body)
                    } catch is BeginAgain { continue }
                }
            }
        } catch let error as DatabaseError {
            throw StoreError.thrown(for: error, doing: operation)
        }
    }
}

/// Something turned out to be needed that must be known before the transaction: the transaction is rolled back and
/// begun again before anything else in this process writes.
package struct BeginAgain: Error {
    package init() {}
}

extension Database {
    fileprivate func writeRaw<Value>(
        _ changes: RawChanges, _ schemaWatch: SchemaWatch, _ body: (Database, RawChanges) throws -> Value
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
