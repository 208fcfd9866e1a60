import Foundation
import GRDB

/// The values that one side has lost in conflicts (rule C6).
///
/// A merge that lets one side win keeps the other value here, in its transaction. An entry is listed until the record
/// has the value again, the app discards the entry, or the store no longer keeps it.
///
/// ```swift
/// for entry in try await store.conflicts.entries() where entry.lost == .local {
///     print(entry.entity, entry.record, entry.member, entry.lostValue)
/// }
/// ```
public struct ConflictJournal: Sendable {
    let store: Store

    /// The entries in the order in which they were written.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public func entries() async throws -> [ConflictEntry] {
        try await store.reading("reading the journal of conflicts") { [plans = store.plans] in
            try ConflictTable.entries(plans, in: $0)
        }
    }

    /// The entries, followed by those after each commit of this store that changes them.
    ///
    /// The sequence ends if the store is closed or cannot be read, or the task is cancelled. A slow reader receives the
    /// latest entries only.
    public var updates: AsyncStream<[ConflictEntry]> {
        let (writer, plans) = (store.writer, store.plans)
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // Whether an entry is listed depends on its record.
            let regions = [ConflictTable.region] + plans.map { Table(SQLName.forGRDB($0.table)) }
            let observation = ValueObservation.tracking(regions: regions) {
                // An error would end the observation. The entries after the next change follow.
                try? ConflictTable.entries(plans, in: $0)
            }
            let cancellable = observation.removeDuplicates().start(
                in: writer, scheduling: .async(onQueue: DispatchQueue(label: "lockstep.conflicts")),
                onError: { _ in continuation.finish() },
                onChange: { if let entries = $0 { continuation.yield(entries) } })
            continuation.onTermination = { _ in cancellable.cancel() }
        }
    }

    /// Deletes entries, such as those that the user has seen.
    ///
    /// - Throws: `StoreError` if the store cannot be written.
    public func discard(_ entries: [ConflictEntry]) async throws {
        do { try await store.writer.write { try ConflictTable.delete(entries, in: $0) } } catch let error
            as DatabaseError
        {
            throw StoreError.thrown(for: error, doing: "discarding entries of the journal of conflicts")
        }
    }

    /// Sets the value that was lost in its record, as an unsaved edit of a context: it can be undone, and is sent after
    /// it was saved. An attribute that was edited since has that value then.
    ///
    /// ```swift
    /// try store.conflicts.restore(entry, in: context)
    /// try context.save()
    /// ```
    ///
    /// - Parameters:
    ///   - entry: An entry of this store.
    ///   - context: A context of this store, in its isolation domain.
    /// - Throws: `StoreError`: `recordGone` if the record, or the one that a relationship leads to, does not exist on
    ///   this device; `missingValue`, `limit` or `unreadableValue` if the schema does not allow the value any more;
    ///   `notDownloaded` if it is an attachment whose bytes only this device had; `wrongColumns` if the schema has no
    ///   such member. The context is then unchanged.
    public func restore(_ entry: ConflictEntry, in context: ManagedObjectContext) throws {
        try ConflictRestoration(entry, store: store, context: context).run()
    }
}

extension Store {
    /// The values that one side has lost in conflicts.
    public var conflicts: ConflictJournal { ConflictJournal(store: self) }
}

/// The restoration of one value in a context.
private struct ConflictRestoration {
    let entry: ConflictEntry
    let context: ManagedObjectContext
    let files: AttachmentFiles
    let model: any Model.Type

    init(_ entry: ConflictEntry, store: Store, context: ManagedObjectContext) throws {
        (self.entry, self.context, files) = (entry, context, context.base.files)
        guard let model = store.model(named: entry.entity) else {
            throw Self.error(.wrongColumns, of: entry, reason: "the schema has no entity “\(entry.entity)”")
        }
        self.model = model
    }

    func run() throws {
        let plan = model.entity.plan
        let values: [Int: DatabaseValue]
        if let column = plan.column(ofAttribute: entry.member) {
            values = [column: try value(of: plan.columns[column])]
        } else if let relationship = plan.relationship(named: entry.member), !plan.foreignKeys[relationship].isEmpty {
            values = try keys(of: plan.relationships[relationship], columns: plan.foreignKeys[relationship], plan: plan)
        } else {
            throw error(
                .wrongColumns, reason: "the schema has no attribute or to-one relationship “\(entry.member)” of it")
        }
        guard let object = try object(model, key: entry.key) else {
            throw error(.recordGone, reason: "the record does not exist on this device any more")
        }
        context.beginChange()
        defer { context.endChange() }
        let row = ValueRow(values, files: files)
        for column in row.columns { object.load(column, from: row.reader) }
    }

    private func object<Object: Model>(_ type: Object.Type, key: RecordKey) throws -> ManagedObject? {
        guard key.values.count == Object.entity.plan.keyColumns.count else { return nil }
        return try context.first(Object.request(of: key))
    }

    // MARK: Values

    private func value(of column: ColumnDescription) throws -> DatabaseValue {
        let stored = entry.storedLoss
        guard !stored.isNull else {
            guard column.isOptional else {
                throw error(.missingValue, reason: "it has no value, and the schema requires one")
            }
            return stored
        }
        switch column.type.keep(stored, in: column.limits) {
        case nil: throw error(.unreadableValue, reason: "its value is not one of the type that the schema has now")
        case .failure(let violation): throw error(.limit, reason: "its value \(violation)")
        case .success(let value):
            if column.type == .attachment, entry.lost == .local, !isPresent(value) {
                throw error(.notDownloaded, reason: "the bytes of the attachment are not on this device any more")
            }
            return value
        }
    }

    private func isPresent(_ attachment: DatabaseValue) -> Bool {
        String.fromDatabaseValue(attachment).flatMap { AttachmentReference($0) }.map(files.has) ?? false
    }

    private func keys(
        of relationship: RelationshipDescription, columns: [Int], plan: EntityPlan
    ) throws -> [Int: DatabaseValue] {
        guard !entry.storedLoss.isNull else {
            guard columns.contains(where: { plan.isOptional[$0] }) else {
                throw error(.missingValue, reason: "it has no record, and the schema requires one")
            }
            return Dictionary(uniqueKeysWithValues: columns.map { ($0, .null) })
        }
        guard let model = relationship.destinationModel as? any Model.Type,
            let key = OutboxRecord.key(entry.storedLoss, of: relationship.destination),
            try object(model, key: key) != nil
        else { throw error(.recordGone, reason: "the record that it led to does not exist on this device any more") }
        return Dictionary(uniqueKeysWithValues: zip(columns, key.values))
    }

    // MARK: Errors

    private func error(_ code: StoreError.Code, reason: String) -> StoreError {
        Self.error(code, of: entry, reason: reason)
    }

    private static func error(_ code: StoreError.Code, of entry: ConflictEntry, reason: String) -> StoreError {
        StoreError(
            code, doing: "restoring a value of a conflict", entity: entry.entity, record: entry.record,
            attribute: entry.member, reason: reason,
            remedy: "Write the value to a record, or discard it with `store.conflicts.discard(_:)`.")
    }
}
