import Foundation
public import LockstepStore

/// Synchronizes a store with a server: pulls the server's records, pushes local changes, and follows changes on the
/// server.
///
/// Nothing is transferred unless the app requests it: each call of ``pull(_:scope:path:query:everything:options:)`` and
/// ``push()`` is one exchange, and ``run(_:)`` continues until it is cancelled. Operations of one store are serialized.
///
/// ```swift
/// let sync = Sync(store: store, remote: FirebaseRemote(url))
/// try await sync.pull(Entry.self)
/// try await sync.push()
/// ```
public final class Sync: Sendable {
    /// The synchronized store.
    public let store: Store
    /// The server.
    public let remote: any Remote
    /// When failed attempts are retried.
    package let retries: RetrySchedule
    /// The limits of a pull.
    package let limits: PullLimits
    /// How many changes a push sends at the same time at most.
    package var maximumConcurrentPushes: Int { environment.maximumConcurrentPushes }

    /// Transfers the attachments' bytes; `nil` if no server stores them.
    public let attachments: AttachmentTransfer?

    let environment: SyncEnvironment
    /// Why the sync cannot be used: an invalid conflict policy. Each operation throws it.
    private let problem: (any Error)?
    var board: SyncStatusBoard { environment.board }

    /// Creates a sync of a store with a server. All merges of the store use its conflict policies from now on.
    ///
    /// - Parameters:
    ///   - store: The store. It may have several syncs, whose operations never run at the same time.
    ///   - remote: The server.
    ///   - attachments: The server that stores the attachments' bytes; `nil` if `remote` does, or none.
    ///   - conflicts: Which side wins if a record was changed on both. If a policy names an attribute that the entity
    ///     does not have, each operation throws a `MergeError`.
    ///   - retries: When failed attempts are retried.
    ///   - limits: The limits of a pull.
    ///   - maximumConcurrentPushes: How many changes a push sends at the same time at most: those that do not depend on
    ///     each other (rule P18). With 1, or less, each is sent after the response to the previous one. A remote may
    ///     take fewer (``RemoteTraits/maximumConcurrentChanges``), and an overloaded server gets fewer.
    ///   - clock: The clock.
    ///   - random: Numbers from 0 up to 1, for the jitter of retries.
    public init(
        store: Store, remote: any Remote, attachments: (any AttachmentRemote)? = nil,
        conflicts: ConflictPolicies = ConflictPolicies(.localChangesWin), retries: RetrySchedule = RetrySchedule(),
        limits: PullLimits = PullLimits(), maximumConcurrentPushes: Int = 4, clock: any SyncClock = SystemClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.store = store
        self.remote = remote
        self.retries = retries
        self.limits = limits
        let diagnostics = Diagnostics(clock, identities: store.disclosedIdentities)
        let attachments = (attachments ?? remote as? any AttachmentRemote).map {
            AttachmentTransfer(
                store: store, remote: AttachmentBoundary($0, diagnostics: diagnostics), clock: clock, schedule: retries,
                random: random)
        }
        do {
            try store.useConflictPolicies(conflicts)
            problem = nil
        } catch {
            problem = error
        }
        self.attachments = attachments
        environment = SyncEnvironment(
            store: store, remote: remote, retries: retries, limits: limits,
            maximumConcurrentPushes: maximumConcurrentPushes, attachments: attachments, diagnostics: diagnostics,
            clock: clock, random: random)
    }

    /// The current status, followed by each new one, for a user interface.
    ///
    /// The same status is not sent twice in a row. Up to four values may follow each other immediately, such as those
    /// of a short push; after that, there are at most two per second. The latest value is always sent. This
    /// uses the system's clock, not that of the sync, so that a test whose clock stands still receives each status.
    public var status: AsyncStream<SyncStatus> { StatusPace(board, clock: SystemClock()).values() }

    /// The current status.
    public var currentStatus: SyncStatus { board.status }

    /// The events from now on: every request, retry, conflict, skipped record and parked change, for a log or a
    /// debugging view. A slow subscriber receives only the last 100.
    public var diagnostics: AsyncStream<SyncDiagnostic> { environment.diagnostics.values() }

    /// The last events, the oldest first.
    package var recentDiagnostics: [SyncDiagnostic] { environment.diagnostics.recent }

    /// The result of each merge of ``run(_:)`` that changed something, skipped records or has a new note: what was
    /// inserted, updated and deleted, and which records were skipped, and why.
    ///
    /// A slow subscriber receives only the last 100. A record that is skipped is reported by each pull that skips it. A
    /// merge that has only notes that were reported before in the same run is not reported.
    ///
    /// ```swift
    /// for await summary in sync.merges {
    ///     for record in summary.skipped { log(record) }
    /// }
    /// ```
    public var merges: AsyncStream<MergeSummary> { environment.merges.values() }

    /// Runs an operation when its turn has come.
    ///
    /// - Parameter isRoutine: Whether it usually has nothing to report.
    func exclusively<Value: Sendable>(
        isRoutine: Bool = false, _ body: () async throws -> Value
    ) async throws -> Value {
        if let problem { throw problem }
        board.begin(isRoutine: isRoutine)
        do {
            try await environment.mutex.acquire()
        } catch {
            board.end(isRoutine: isRoutine)
            throw error
        }
        do {
            if store.hasEndedWriting { throw SyncError.signedOut }
            let held = AsyncMutex.held + [environment.mutex]
            let value = try await AsyncMutex.$held.withValue(held) { try await body() }
            board.end(isRoutine: isRoutine)
            await environment.mutex.release()
            return value
        } catch {
            let problem = (error as? SyncError).flatMap { $0.stopsSync ? $0 : nil }
            board.end(isRoutine: isRoutine, because: problem)
            await environment.mutex.release()
            throw error
        }
    }
}
