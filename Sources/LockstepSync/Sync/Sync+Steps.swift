public import LockstepStore

extension Sync {
    /// Sends one record as it is saved, whole, whether it was changed or not: it is on the server then as it is here.
    ///
    /// What it needs on the server, as a new parent, goes before it.
    ///
    /// ```swift
    /// try context.save()
    /// try await sync.put(entry)
    /// ```
    ///
    /// - Throws: As ``push()``; ``/LockstepHTTP/SyncError`` with the code `nothingToSend` where the record is not
    ///   saved.
    @discardableResult
    public func put<Object: Model>(
        _ object: Object, isolation: isolated (any Actor)? = #isolation
    ) async throws -> PushSummary {
        try await step(Object.self, object.recordKey, isForced: true, nil, "It is not saved: save its context first.")
    }

    /// Sends a new record that the server has not got yet.
    ///
    /// - Throws: As ``push()``; ``/LockstepHTTP/SyncError`` with the code `nothingToSend` where the record was sent
    ///   already, or is not saved.
    @discardableResult
    public func sendNew<Object: Model>(
        _ object: Object, isolation: isolated (any Actor)? = #isolation
    ) async throws -> PushSummary {
        try await step(
            Object.self, object.recordKey, isForced: false, .create,
            "The server has it already, or it is not saved: `sendUpdated` sends what was changed.")
    }

    /// Sends what was changed of a record that the server has.
    ///
    /// - Throws: As ``push()``; ``/LockstepHTTP/SyncError`` with the code `nothingToSend` where nothing was changed.
    @discardableResult
    public func sendUpdated<Object: Model>(
        _ object: Object, isolation: isolated (any Actor)? = #isolation
    ) async throws -> PushSummary {
        try await step(
            Object.self, object.recordKey, isForced: false, .update,
            "Nothing of it was changed since the server had it last, or it is not saved.")
    }

    /// Deletes a record here, if it is still here, and on the server.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - identity: The record's identity here.
    /// - Returns: What was sent: nothing where the server never had the record.
    /// - Throws: As ``push()``; ``/LockstepHTTP/SyncError`` with the code `nothingToSend` where there was no such
    ///   record; `StoreError` where it cannot be deleted here.
    @discardableResult
    public func delete<Object: Model>(_ type: Object.Type, id identity: Object.Identity) async throws -> PushSummary {
        let key = identity.recordKey
        let wasHere = try await store.perform { context in
            guard let object = try Object.find(identity, in: context) else { return false }
            context.delete(object)
            try context.save()
            return true
        }
        // The server never had it, or takes no deletes (Rules.md, P3).
        if wasHere, try await pending(type.entity.plan, key) == nil { return PushSummary() }
        return try await step(type, key, isForced: false, .delete, "No such record was here since it was deleted last.")
    }

    /// Fetches a record anew from the server, and merges it.
    ///
    /// - Throws: As ``pull(_:id:options:)``; ``/LockstepHTTP/SyncError`` with the code `nothingToSend` where the record
    ///   has no identity on the server yet.
    @discardableResult
    public func fetch<Object: Model>(
        _ object: Object, options: MergeOptions = MergeOptions(), isolation: isolated (any Actor)? = #isolation
    ) async throws -> PullSummary {
        guard let identity = object.wireIdentity else {
            throw nothing(
                Object.entity.name, object.recordKey, "The server has given it no identity yet: push it first.")
        }
        return try await pull(Object.self, id: identity, options: options)
    }

    // MARK: One record

    private func step<Object: Model>(
        _ type: Object.Type, _ key: RecordKey, isForced: Bool, _ kind: OutgoingChange.Kind?, _ remedy: String
    ) async throws -> PushSummary {
        let plan = type.entity.plan
        if let kind, try await pending(plan, key)?.kind != kind { throw nothing(plan.name, key, remedy) }
        return try await exclusively {
            defer { board.show(.idle) }
            if isForced, try await !touch(plan, key) { throw nothing(plan.name, key, remedy) }
            let (root, rootKey) = try await root(of: plan, key)
            // The app asks for this one: it waits no longer, and one that was refused is tried again.
            let waiting = [try await pending(plan, key), try await pending(root, rootKey)].compactMap(\.self)
            for change in waiting where change.parked != nil || change.retryAt != nil {
                try await store.outbox.retry(change)
            }
            let drain = PushDrain(environment, isForced: isForced && root === plan) {
                $0.name == root.name && $1 == rootKey
            }
            return try await drain.run(attempts: retries.attemptsPerPush)
        }
    }

    /// The record that a record reaches the server inside of, or itself.
    private func root(of plan: EntityPlan, _ key: RecordKey) async throws -> (EntityPlan, RecordKey) {
        guard plan.travelsInside else { return (plan, key) }
        return try await store.reading("reading the outbox") { [plans = store.plans] database in
            let owners = InsideOwners(database, plans)
            if let root = try owners.root(of: plan, key) { return (root.plan, root.key) }
            // Of one that is deleted it is where it was.
            let base = try OutboxWriter(database, plan).base(of: key)
            guard let root = try base.flatMap({ try owners.root(of: plan, $0) }) else {
                throw self.nothing(
                    plan.name, key, "It reaches the server inside of another record, and is in none: give it one.")
            }
            return (root.plan, root.key)
        }
    }

    private func pending(_ plan: EntityPlan, _ key: RecordKey) async throws -> PendingChange? {
        try await store.reading("reading the outbox") { try PendingChange.fetch($0, of: key, plan) }
    }

    /// Notes a record as changed, though it may not be.
    ///
    /// - Returns: Whether it is here.
    private func touch(_ plan: EntityPlan, _ key: RecordKey) async throws -> Bool {
        try await store.writeRaw("noting what is sent") { [plans = store.plans] database, _ in
            let writer = OutboxWriter(database, plan)
            guard try writer.touch(key) else { return false }
            guard plan.travelsInside, let change = try writer.change(of: key) else { return true }
            // All of it goes with the record that it is in.
            try writer.mark(change, .embedded)
            try InsideOwners(database, plans).tell(of: plan, key)
            return true
        }
    }

    private func nothing(_ entity: String, _ key: RecordKey, _ remedy: String) -> SyncError {
        SyncError(
            .nothingToSend, entity: entity, record: key.text, reason: "there is nothing to send", remedy: remedy)
    }
}
