import Foundation
import LockstepMerge
import LockstepStore
import LockstepSystem

/// The dependencies of a sync's operations.
struct SyncEnvironment: Sendable {
    let store: Store
    let remote: RemoteBoundary
    let retries: RetrySchedule
    let limits: PullLimits
    /// How many requests with changes are sent at the same time at most, at least 1.
    let maximumConcurrentPushes: Int
    /// How many are sent at the same time now.
    let window: Locked<PushWindow>
    /// How many changes a request contains at most.
    let batchCount: Int
    /// Transfers the attachments' bytes; `nil` if no server stores them.
    let attachments: AttachmentTransfer?
    let clock: any SyncClock
    /// Numbers from 0 up to 1, for the jitter of retries.
    let random: @Sendable () -> Double
    /// Which end of a link is sent, depending on what the remote can send.
    let ownership: WireOwnership
    let board = SyncStatusBoard()
    /// The diagnostics that are reported.
    let diagnostics: Diagnostics
    /// Ends the waits of everything that is retried later.
    let wakeups = Wakeups()
    /// Ends the waits of `run` for the next pull.
    let pulls = Wakeups()
    /// The merges of `run`.
    let merges = MergeReports()
    /// The waits until it is known how the server spells UUIDs.
    let spellings = Locked(SpellingWaits())
    /// The entities of which it was reported that their records have no version.
    private let unversioned = Locked<Set<String>>([])
    /// The entities of a feed of which it was reported that the schema does not have them.
    private let unknownEntities = Locked<Set<String>>([])
    /// Locked by one operation of the store's syncs at a time.
    let mutex: AsyncMutex
    /// The calls of `run` of all syncs of the store.
    let runs: SyncRuns

    init(
        store: Store, remote: any Remote, retries: RetrySchedule, limits: PullLimits, maximumConcurrentPushes: Int,
        attachments: AttachmentTransfer?, diagnostics: Diagnostics, clock: any SyncClock,
        random: @escaping @Sendable () -> Double
    ) {
        self.store = store
        self.diagnostics = diagnostics
        self.remote = RemoteBoundary(remote, diagnostics: diagnostics)
        self.retries = retries
        self.limits = limits
        self.maximumConcurrentPushes = max(
            1, min(maximumConcurrentPushes, remote.traits.maximumConcurrentChanges ?? .max))
        window = Locked(PushWindow(maximum: self.maximumConcurrentPushes))
        // One at a time means that each change has its response before the next one is sent.
        let isSerial = maximumConcurrentPushes <= 1
        batchCount = if !isSerial, case .batches(let count) = remote.traits.sends { max(1, count) } else { 1 }
        self.attachments = attachments
        self.clock = clock
        self.random = random
        ownership = WireOwnership(store.plans, sendsEmbedded: remote.traits.sendsEmbedded)
        mutex = AsyncMutex.of(store)
        runs = SyncRuns.of(store)
    }

    /// Whether each change has its response before the next one is sent.
    var isSerial: Bool { maximumConcurrentPushes * batchCount == 1 }

    /// The time, if the server has a feed, which is yet to say which scope the record of a response belongs to now.
    var feedNow: Date? { remote.traits.hasFeed ? clock.now : nil }

    /// The options of a merge, with what the sync decides: what the remote's responses mean, and the time.
    func options(_ options: MergeOptions = MergeOptions()) -> MergeOptions {
        var options = options
        options.missingKeys = remote.traits.missingKeys
        options.ownership = ownership
        // What is kept of a response, such as its `ETag`, is about all of it.
        options.commits = .once
        options.now = options.now ?? { [clock] in clock.now }
        return options
    }

    /// A wait that begins now.
    func wait(seconds: TimeInterval) -> StoredWait {
        let now = clock.now
        return StoredWait(start: now, end: now.addingTimeInterval(seconds))
    }

    /// When a stored wait is over; `nil` if it is.
    func due(_ wait: StoredWait?) -> Date? { wait?.end(at: clock.now, longest: retries.longestSeconds) }

    /// The server has responded to a request to read, so changes that wait because it could not be reached are due now.
    /// The commit wakes the task that sends them.
    func noteResponse() async throws {
        let now = clock.now
        try await notePause { $0.afterResponse(at: now) }
    }

    /// Merges have ended.
    func note(_ summaries: [MergeSummary]) { summaries.forEach(diagnostics.note) }

    /// A record has come without a version that could be a condition. This is reported once for each entity.
    func noteMissingVersion(of plan: EntityPlan) {
        guard unversioned.withLock({ $0.insert(plan.name).inserted }) else { return }
        diagnostics.send(
            .merge(
                MergeNote(
                    .remark, entity: plan.name,
                    text: """
                        the server returns no strong ETag (a weak one begins with W/), so no write is conditional, and each \
                        update is preceded by a request; return strong ones, or do not set `usesVersions`
                        """)))
    }

    /// A feed has an entity that the schema does not have. This is reported once for each.
    func noteUnknownEntity(_ name: String) {
        guard unknownEntities.withLock({ $0.count < 100 && $0.insert(name).inserted }) else { return }
        diagnostics.send(
            .merge(
                MergeNote(
                    .remark, entity: name,
                    text: "the feed has records of this entity, which the schema does not have; they were left out")))
    }

    /// The server could not be reached.
    func noteFailure() async throws { try await notePause { $0.afterFailure() } }

    private func notePause(_ change: @escaping @Sendable (SyncPause) -> SyncPause?) async throws {
        let isChanged = try await store.reading("reading the store") { try SyncPause.read($0).flatMap(change) != nil }
        guard isChanged else { return }
        try await store.writeRaw("changing a pause") { database, _ in
            try SyncPause.read(database).flatMap(change)?.write(database)
        }
    }
}

extension AsyncMutex {
    /// The mutex of a store.
    static func of(_ store: Store) -> AsyncMutex { store.storeExtension { AsyncMutex() } }
}
