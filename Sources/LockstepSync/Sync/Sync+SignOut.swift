import LockstepStore

/// The treatment of changes that the server does not have when an account is signed out.
public enum PendingChangesAtSignOut: Sendable, Hashable, CaseIterable {
    /// If there are any, signing out fails, and nothing changes.
    case refuse
    /// They are sent first. If some cannot be sent, signing out fails, and these are kept.
    case push
    /// They are lost.
    case discard
}

extension Sync {
    /// Signs out of the account: ends each call of ``run(_:)``, closes the store, and deletes it with everything that
    /// belongs to it (`Store.wipe`). No data of the account stays on the device.
    ///
    /// Changes that are saved while this function is running are included. Afterwards, the store and its contexts can
    /// no longer be used; create a store for the next account. All syncs of the store end.
    ///
    /// ```swift
    /// do {
    ///     try await sync.signOut(pending: .push)
    /// } catch let error as SyncError where error.code.isPendingChanges {
    ///     // Ask the user, then: try await sync.signOut(pending: .discard)
    /// }
    /// ```
    ///
    /// - Parameter pending: The treatment of changes that the server does not have, including parked ones and
    ///   leftovers.
    /// - Throws: ``/LockstepHTTP/SyncError`` with the code `pendingChanges` if there are pending changes that must not
    ///   be lost; with `push`, the errors of ``push()``. In both cases, the account stays signed in, and nothing is
    ///   lost. `StoreError` with the code `.busy` if another process has the store open. The store is then closed, but
    ///   complete; wipe it with `Store.wipe(at:)` when the process has ended. If another process saves a change in the
    ///   last moment, the code is `pendingChanges`, and the store is closed, too: open it again.
    public func signOut(pending: PendingChangesAtSignOut = .refuse) async throws {
        if pending == .push, !store.hasEndedWriting { try await push() }
        let condition: @Sendable (OutboxStatus) throws -> Void = { outbox in
            let count = outbox.count + outbox.leftoverCount
            if count > 0, pending != .discard { throw SyncError.pendingChanges(count) }
        }
        // An operation that has begun ends first; later ones see that writing has ended.
        try await environment.mutex.acquire()
        do { try await store.endWriting(if: condition) } catch {
            await environment.mutex.release()
            throw error
        }
        await environment.mutex.release()
        await environment.runs.endAll()
        // Another process may have saved something until now.
        try store.wipe(if: condition)
    }
}

extension SyncError {
    fileprivate static func pendingChanges(_ count: Int) -> SyncError {
        SyncError(
            .pendingChanges(count: count),
            reason: count == 1 ? "a local change has not been sent" : "\(count) local changes have not been sent",
            remedy: """
                Push them, and retry or discard the parked ones. To discard all of them, sign out with \
                `pending: .discard`.
                """)
    }

    static let signedOut = SyncError(
        .signedOut, reason: "the account was signed out, and its store was closed",
        remedy: "Create a store and a sync for the next account.")
}
