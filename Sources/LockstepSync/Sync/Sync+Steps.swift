public import LockstepStore

extension Sync {
    /// Sends one saved record completely, whether it was changed or not, so that the server has the local state.
    ///
    /// Records that it depends on, such as a new parent, are sent before it.
    ///
    /// ```swift
    /// try context.save()
    /// try await sync.put(entry)
    /// ```
    ///
    /// - Throws: As ``push()``; ``/LockstepHTTP/SyncError`` with the code `nothingToSend` if the record is not saved.
    @discardableResult
    public func put<Object: Model>(
        _ object: Object, isolation: isolated (any Actor)? = #isolation
    ) async throws -> PushSummary {
        try await step(Object.self, key: object.recordKey, isForced: true, kind: nil, remedy: "Save its context first.")
    }

    /// Sends a new record that the server does not have yet.
    ///
    /// - Throws: As ``push()``; ``/LockstepHTTP/SyncError`` with the code `nothingToSend` if the record was sent
    ///   already, or is not saved.
    @discardableResult
    public func sendNew<Object: Model>(
        _ object: Object, isolation: isolated (any Actor)? = #isolation
    ) async throws -> PushSummary {
        try await step(
            Object.self, key: object.recordKey, isForced: false, kind: .create,
            remedy: "The server has it already, or it is not saved. Use `sendUpdated` to send changes.")
    }

    /// Sends the changes of a record that the server has.
    ///
    /// - Throws: As ``push()``; ``/LockstepHTTP/SyncError`` with the code `nothingToSend` if nothing was changed.
    @discardableResult
    public func sendUpdated<Object: Model>(
        _ object: Object, isolation: isolated (any Actor)? = #isolation
    ) async throws -> PushSummary {
        try await step(
            Object.self, key: object.recordKey, isForced: false, kind: .update,
            remedy: "It was not changed since it was last sent, or it is not saved.")
    }

    /// Deletes a record locally, if it still exists, and on the server.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - identity: The local identity of the record.
    /// - Returns: The sent changes; nothing if the server never had the record.
    /// - Throws: As ``push()``; ``/LockstepHTTP/SyncError`` with the code `nothingToSend` if there was no such record;
    ///   `StoreError` if it cannot be deleted locally.
    @discardableResult
    public func delete<Object: Model>(_ type: Object.Type, id identity: Object.Identity) async throws -> PushSummary {
        let key = identity.recordKey
        let wasHere = try await store.perform { context in
            guard let object = try Object.find(identity, in: context) else { return false }
            context.delete(object)
            try context.save()
            return true
        }
        // The server never had it, or accepts no deletes (Rules.md, P3).
        if wasHere, try await pending(type.entity.plan, key: key) == nil { return PushSummary() }
        return try await step(
            type, key: key, isForced: false, kind: .delete,
            remedy: "There is no such record, and no delete of it is pending.")
    }

    /// Fetches a record again from the server, and merges it.
    ///
    /// - Throws: As ``pull(_:id:options:)``; ``/LockstepHTTP/SyncError`` with the code `nothingToSend` if the record
    ///   has no identity on the server yet.
    @discardableResult
    public func fetch<Object: Model>(
        _ object: Object, options: MergeOptions = MergeOptions(), isolation: isolated (any Actor)? = #isolation
    ) async throws -> PullSummary {
        guard let identity = object.wireIdentity else {
            throw nothing(
                Object.entity.name, key: object.recordKey,
                remedy: "It has no identity on the server yet. Push it first.")
        }
        return try await pull(Object.self, id: identity, options: options)
    }

    // MARK: One record

    private func step<Object: Model>(
        _ type: Object.Type, key: RecordKey, isForced: Bool, kind: OutgoingChange.Kind?, remedy: String
    ) async throws -> PushSummary {
        let plan = type.entity.plan
        if let kind, try await pending(plan, key: key)?.kind != kind {
            throw nothing(plan.name, key: key, remedy: remedy)
        }
        return try await send(attempts: retries.attemptsPerPush) {
            if isForced, try await !touch(plan, key: key) { throw nothing(plan.name, key: key, remedy: remedy) }
            let (root, rootKey) = try await release(plan, key: key)
            // In the same turn: another push settles a record of which nothing was changed.
            let marking: @Sendable () async throws -> Void = {
                if isForced { _ = try await self.touch(plan, key: key) }
            }
            return PushSession(environment, isForced: isForced && root === plan, marking: marking) { plan, key in
                plan.name == root.name && key == rootKey
            }
        }
    }

    /// Makes the changes of a record due: the app requests them, so they do not wait any longer, and a rejected one is
    /// retried.
    ///
    /// - Returns: The record that they are sent with.
    private func release(_ plan: EntityPlan, key: RecordKey) async throws -> (EntityPlan, RecordKey) {
        let (root, rootKey) = try await root(of: plan, key: key)
        let waiting = [try await pending(plan, key: key), try await pending(root, key: rootKey)].compactMap(\.self)
        for change in waiting where change.parked != nil || change.retryAt != nil {
            try await store.outbox.retry(change)
        }
        return (root, rootKey)
    }

    /// The record inside which a record is sent to the server, or itself.
    private func root(of plan: EntityPlan, key: RecordKey) async throws -> (EntityPlan, RecordKey) {
        guard plan.travelsInside else { return (plan, key) }
        return try await store.reading("reading the outbox") { database in
            let owners = InsideOwners(database)
            if let root = try owners.root(of: plan, key: key) { return (root.plan, root.key) }
            // For a deleted record, it is its former owner.
            let base = try OutboxWriter(database, plan: plan).base(of: key)
            guard let root = try base.flatMap({ try owners.root(of: plan, in: $0) }) else {
                throw self.nothing(
                    plan.name, key: key, remedy: "It is sent inside another record, but has no owner. Set one.")
            }
            return (root.plan, root.key)
        }
    }

    private func pending(_ plan: EntityPlan, key: RecordKey) async throws -> PendingChange? {
        try await store.reading("reading the outbox") { try PendingChange.fetch($0, of: key, plan: plan) }
    }

    /// Marks a record as changed even if it is not.
    ///
    /// - Returns: Whether it exists locally.
    private func touch(_ plan: EntityPlan, key: RecordKey) async throws -> Bool {
        try await store.writeRaw("marking a record to be sent") { database, _ in
            let writer = OutboxWriter(database, plan: plan)
            guard try writer.touch(key) else { return false }
            guard plan.travelsInside, let change = try writer.change(of: key) else { return true }
            // Everything is sent with the record that contains it.
            try writer.mark(change, marks: .embedded)
            try InsideOwners(database).touchOwner(of: plan, key: key)
            return true
        }
    }

    private func nothing(_ entity: String, key: RecordKey, remedy: String) -> SyncError {
        SyncError(
            .nothingToSend, entity: entity, record: key.text, reason: "there is nothing to send", remedy: remedy)
    }
}
