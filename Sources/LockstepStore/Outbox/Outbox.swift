import GRDB

/// The local changes that the server has not confirmed yet (Rules.md, P12).
///
/// Every change of a record that is sent to the server is in it from the moment it is committed, whether it was made by
/// a model, a statement of SQL or a cascade. Several changes of one record are combined into one.
///
/// ```swift
/// for change in try await store.outbox.pending() {
///     print(change.kind, change.entity, change.record, change.lastError ?? "")
/// }
/// ```
public struct Outbox: Sendable {
    let store: Store

    /// The changes in the order in which their records were first changed.
    ///
    /// A change of a record that is sent to the server inside another record is reported as a change of that one.
    /// Changes that do not belong to any entity of the schema are included: ``PendingChange/isUnclaimed``.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public func pending() async throws -> [PendingChange] {
        try await read { [plans = store.plans] in try PendingChange.fetchReported($0, plans: plans) }
    }

    /// The number of changes.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public func count() async throws -> Int { try await status().count }

    /// The number of changes, how many of them are parked, and the date of the oldest.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public func status() async throws -> OutboxStatus {
        try await read { [plans = store.plans] in try OutboxStatus($0, plans: plans) }
    }

    /// The changes of an entity's records, in order.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public func changes<Object: Model>(of type: Object.Type) async throws -> [PendingChange] {
        let plan = type.entity.plan
        if plan.travelsInside { return [] }
        return try await read { try PendingChange.fetch($0, of: plan) }
    }

    /// The last saved change of one record; `nil` if the server has confirmed everything.
    ///
    /// It reads synchronously, in the isolation domain of the object.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public func change(of object: some Model) throws -> PendingChange? {
        try Self.change(of: object)
    }

    /// - Parameter isReported: Whether the change of an embedded record is reported as that of its owner.
    static func change<Object: Model>(of object: Object, isReported: Bool = true) throws -> PendingChange? {
        let (key, plan) = (object.identity.recordKey, Object.entity.plan)
        return try object.context.readStore { database in
            try (plan.travelsInside && isReported ? nil : PendingChange.fetch(database, of: key, plan: plan))
                ?? PendingChange.fetchUnclaimed(database, of: key, plan: plan, plans: object.context.plans)
        }
    }

    private func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await store.reading("reading the outbox", body: body)
    }
}

extension Store {
    /// The local changes that the server has not confirmed yet.
    public var outbox: Outbox { Outbox(store: self) }
}

extension Model {
    /// Whether the server has all values of the record: it has no unsaved changes, and no change of it is in the
    /// outbox.
    ///
    /// It queries the store each time. A record that cannot be read, or that is not sent to the server, counts as
    /// synced if it has no unsaved change.
    public var isSynced: Bool {
        didRead(.synced)
        guard recordState == .stored else { return false }
        return (try? Outbox.change(of: self, isReported: false)) == nil
    }

    /// Whether the record was deleted locally, and the server has not confirmed that yet.
    public var isDeletedLocally: Bool {
        guard recordState == .deleted else { return false }
        return (try? Outbox.change(of: self, isReported: false))?.kind == .delete
    }
}
