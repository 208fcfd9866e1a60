public import Foundation
public import GRDB
import LockstepEvolution
import LockstepSystem

extension Store {
    /// Finds out what opening a file as a store would do, without changing it.
    ///
    /// This reads the file's metadata and, if a migration is needed, counts the rows of the tables that it writes.
    ///
    /// ```swift
    /// let plan = try Store.inspect(JournalSchema.self, at: url)
    /// if plan.cost > .instant { showProgress() }
    /// let store = try await Store.open(JournalSchema.self, at: .file(url))
    /// ```
    ///
    /// - Parameters:
    ///   - schema: The generated schema.
    ///   - url: The file.
    ///   - configuration: Options of the SQLite connections.
    /// - Throws: `StoreError` if the file is not a store of this schema, or cannot be read. A file of a newer version
    ///   is not an error.
    public static func inspect<Schema: StoreSchema>(
        _ schema: Schema.Type, at url: URL, configuration: Configuration = Configuration()
    ) throws -> StoreInspection {
        let opening = StoreOpening(
            schema: SchemaDescription(schema), location: .file(url), configuration: configuration,
            options: MigrationOptions())
        return try opening.inspect(url)
    }

    /// Opens the store off the caller's actor, migrating it if needed.
    ///
    /// If the task is cancelled during a migration, the file stays as it was.
    ///
    /// - Parameters:
    ///   - schema: The generated schema.
    ///   - location: Where the data is stored.
    ///   - configuration: Options of the SQLite connections.
    ///   - mergePolicy: What contexts do if another one has saved the same attribute.
    ///   - migration: What to do with a file of an earlier version of the schema.
    ///   - progress: Called during a migration, with the completed fraction, from 0 to 1, on any thread.
    /// - Throws: `StoreError` as ``Store/init(_:at:configuration:mergePolicy:migration:account:)`` does;
    ///   `CancellationError`.
    public static func open<Schema: StoreSchema>(
        _ schema: Schema.Type, at location: StoreLocation, configuration: Configuration = Configuration(),
        mergePolicy: MergePolicy = .contextWins, migration: MigrationMode = .automatic,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> Store {
        let isCancelled = Locked(false)
        var options = MigrationOptions(mode: migration)
        options.progress = progress
        options.isCancelled = { isCancelled.withLock { $0 } }
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global(qos: .userInitiated).async { [options] in
                    continuation.resume(
                        with: Result {
                            try Store(
                                schema, at: location, configuration: configuration, mergePolicy: mergePolicy,
                                options: options)
                        })
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    /// The parts of unpushed edits that the schema no longer has a place for, and the rows that a conversion of the app
    /// could not convert, in the order in which they were kept.
    ///
    /// If a migration removes an attribute, a relationship or an entity, or deletes a record because a value becomes
    /// unique, the pending values are kept here until the app sends or discards them.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public func leftovers() throws -> [Leftover] {
        try StoreError.wrapping("reading the leftovers", at: location.text) {
            try writer.read { try LeftoverTable.rows($0).map(Leftover.init) }
        }
    }

    /// Makes the change of a leftover again, as a local change that is sent with the next push.
    ///
    /// The value of an attribute or of a to-one relationship is set in its record, if the schema has a place for it
    /// again. A whole record is created or changed, with the members that the schema still has. If the leftover is a
    /// delete, the record is deleted. The leftover is then deleted, in the same transaction.
    ///
    /// ```swift
    /// for leftover in try store.leftovers() {
    ///     do { try store.send(leftover) } catch let error as StoreError where error.code == .unsuitableLeftover {
    ///         print(error.reason)
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: `StoreError` with the code `unsuitableLeftover` if the schema has no place for the value, or does not
    ///   send it, or if the leftover is a row that the app's conversion could not convert; `missingValue` if the schema
    ///   requires a value that the leftover lacks; `recordGone` if the record does not exist on this device; the codes
    ///   of a save, such as `notUnique`. The leftover then stays. If it was already discarded or sent, nothing happens.
    public func send(_ leftover: Leftover) throws {
        try StoreError.wrapping(LeftoverChange.operation, at: location.text) {
            try writer.write { database in
                guard let row = try LeftoverTable.row(leftover.id, in: database) else { return }
                try LeftoverChange(row, plans: plans, in: database).make()
                try LeftoverTable.delete(row.id, in: database)
            }
        }
    }

    /// Deletes leftovers.
    ///
    /// - Throws: `StoreError` if the store cannot be written.
    public func discard(_ leftovers: [Leftover]) throws {
        try StoreError.wrapping("discarding leftovers", at: location.text) {
            try writer.write { database in
                for leftover in leftovers { try LeftoverTable.delete(leftover.id, in: database) }
            }
        }
    }
}

/// A part of an unpushed edit that a later version of the schema has no place for.
public struct Leftover: Sendable, Hashable, Identifiable {
    public let id: Int64
    /// The entity's name; its former name if it was removed.
    public let entity: String
    /// The record's key on the device, as readable text.
    public let record: String
    /// The former name of the removed attribute or relationship; `nil` for a whole record.
    public let member: String?
    /// The value as JSON, or the whole record as an object with its members; `nil` for a record that was deleted.
    public let value: JSONValue?
    /// The version of the schema whose form the value has.
    public let version: Int
    /// The time of the migration that kept it.
    public let date: Date
    /// Why a conversion of the app, or a copy from another store, could not convert it; `nil` for what the schema no
    /// longer has a place for.
    public let reason: String?

    init(_ row: LeftoverTable.Row) {
        id = row.id
        entity = row.entity
        record = row.record
        member = row.member
        value = row.value.flatMap { try? JSONValue(parsing: $0) }
        version = row.version
        date = row.at
        reason = row.reason
    }
}
