public import LockstepStore

/// The local changes of a store that the server has not confirmed yet.
public struct Outbox: Sendable {
    let store: Store

    /// The changes, in the order in which the records were changed first.
    ///
    /// - Throws: `StoreError` where the store cannot be read.
    public func pending() async throws -> [PendingChange] {
        try await store.reading("reading the outbox") { [store] in try OutboxReader(store.plans, $0).pending() }
    }
}

extension Store {
    /// The local changes that the server has not confirmed yet.
    public var outbox: Outbox { Outbox(store: self) }
}
