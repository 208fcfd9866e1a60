import LockstepStore
import LockstepSystem

extension Sync {
    /// Immediately retries everything that is waiting to be retried: changes, collections, live streams and
    /// attachments.
    ///
    /// Call it when the user requests it, or when something shows that the server can be reached again. Collections
    /// that ``run(_:)`` polls are pulled immediately. A time that the server has set (`Retry-After`) still applies, and
    /// changes that the server has rejected stay parked. Nothing is transferred unless a call of ``run(_:)`` or
    /// ``push()`` is waiting.
    ///
    /// ```swift
    /// Button("Retry") { Task { try await sync.retryNow() } }
    /// ```
    ///
    /// - Throws: `StoreError` if the store cannot be written.
    public func retryNow() async throws {
        let now = environment.clock.now
        try await store.writeRaw("retrying") { database, _ in
            try OutboxTable.makeDue(database)
            try AttachmentTable.makeDue(database)
            try SyncPause.read(database)?.ended(at: now)?.write(database)
        }
        environment.spellings.withLock { $0.waits = [:] }
        await environment.wakeups.wakeAll()
    }

    /// Makes ``run(_:)`` pull now instead of at its next regular time, because something shows that the server has
    /// changes: a push notification, or a message of a live connection that the app has.
    ///
    /// What follows a live stream is not pulled. If a pull is running, another one follows. Local changes keep their
    /// times, unlike with ``retryNow()``.
    ///
    /// ```swift
    /// func application(didReceiveRemoteNotification: [AnyHashable: Any]) async { await sync.wake() }
    /// ```
    public func wake() async { await environment.pulls.wakeAll() }

    /// Retries everything when the network is available again.
    func keepWatching(_ network: any NetworkPath) async throws {
        var wasAvailable = true
        for await isAvailable in network.availability {
            board.note(disconnection: isAvailable ? nil : .noNetwork)
            if isAvailable, !wasAvailable { try await retryNow() }
            wasAvailable = isAvailable
        }
        board.note(disconnection: nil)
        // The others go on without the hint.
        try await AsyncSignal().wait()
    }
}
