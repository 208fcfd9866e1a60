import LockstepStore

/// The dependencies of a sync's operations.
struct SyncEnvironment: Sendable {
    let store: Store
    let remote: any Remote
    let retries: RetrySchedule
    let limits: PullLimits
    /// Transfers the attachments' bytes; `nil` if no server stores them.
    let attachments: AttachmentTransfer?
    let clock: any SyncClock
    /// Numbers from 0 up to 1, for the jitter of retries.
    let random: @Sendable () -> Double
    /// Which end of a link is sent, depending on what the remote can send.
    let ownership: WireOwnership
    let board = SyncStatusBoard()
    /// Locked by one operation of the store's syncs at a time.
    let mutex: AsyncMutex

    init(
        store: Store, remote: any Remote, retries: RetrySchedule, limits: PullLimits,
        attachments: AttachmentTransfer?, clock: any SyncClock, random: @escaping @Sendable () -> Double
    ) {
        self.store = store
        self.remote = remote
        self.retries = retries
        self.limits = limits
        self.attachments = attachments
        self.clock = clock
        self.random = random
        ownership = WireOwnership(store.plans, sendsEmbedded: remote.traits.sendsEmbedded)
        mutex = AsyncMutex.of(store)
    }
}

extension AsyncMutex {
    /// The mutex of a store.
    static func of(_ store: Store) -> AsyncMutex {
        var found: AsyncMutex?
        store.updateExtension(AsyncMutex.self) { mutex in
            if mutex == nil { mutex = AsyncMutex() }
            found = mutex
        }
        return found ?? AsyncMutex()
    }
}
