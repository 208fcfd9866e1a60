import Foundation
public import LockstepStore

/// Keeps a store and a server in step: pulls what the server has, pushes what was changed here, and follows what
/// happens there.
///
/// Nothing travels except when the app says so: each call of ``pull(_:scope:path:query:options:)`` and ``push()`` is
/// one exchange, and ``run(_:)`` goes on until it is cancelled. Operations of one store run one after another.
///
/// ```swift
/// let sync = Sync(store: store, remote: FirebaseRemote(url))
/// try await sync.pull(Entry.self)
/// try await sync.push()
/// ```
public final class Sync: Sendable {
    /// The store that it keeps in step.
    public let store: Store
    /// The server.
    public let remote: any Remote
    /// When what failed is tried again.
    public let retries: RetrySchedule
    /// How much a pull may bring.
    public let limits: PullLimits

    /// Carries the attachments' bytes; `nil` where no server keeps them.
    public let attachments: AttachmentTransfer?

    let environment: SyncEnvironment
    /// Why it cannot be used: a conflict policy that cannot decide. Each operation throws it.
    private let problem: (any Error)?
    var board: SyncStatusBoard { environment.board }

    /// A sync of a store with a server. All merges of the store go by its conflict policies from now on.
    ///
    /// - Parameters:
    ///   - store: The store; it may have several syncs, whose operations never run at once.
    ///   - remote: The server.
    ///   - attachments: The server that keeps the attachments' bytes; `nil` where `remote` does, or nobody.
    ///   - conflicts: Who counts where a record was changed on both sides. Where a policy names an attribute that the
    ///     entity has not got, each operation throws a `MergeError` that says so.
    ///   - retries: When what failed is tried again.
    ///   - limits: How much a pull may bring.
    ///   - clock: The time.
    ///   - random: Numbers from 0 up to 1, for the jitter of retries.
    public init(
        store: Store, remote: any Remote, attachments: (any AttachmentRemote)? = nil,
        conflicts: ConflictPolicies = ConflictPolicies(.localChangesWin), retries: RetrySchedule = RetrySchedule(),
        limits: PullLimits = PullLimits(), clock: any SyncClock = SystemClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.store = store
        self.remote = remote
        self.retries = retries
        self.limits = limits
        let attachments = (attachments ?? remote as? any AttachmentRemote).map {
            AttachmentTransfer(store: store, remote: $0, clock: clock, schedule: retries, random: random)
        }
        do {
            try store.useConflictPolicies(conflicts)
            problem = nil
        } catch {
            problem = error
        }
        self.attachments = attachments
        environment = SyncEnvironment(
            store: store, remote: remote, retries: retries, limits: limits, attachments: attachments, clock: clock,
            random: random)
    }

    /// What it is doing: now, and whenever that changes.
    public var status: AsyncStream<SyncStatus> { board.updates() }

    /// Runs an operation when its turn has come, and shows that nothing travels any more when it ends.
    func exclusively<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        if let problem { throw problem }
        try await environment.mutex.acquire()
        do {
            let value = try await body()
            await environment.mutex.release()
            return value
        } catch {
            await environment.mutex.release()
            throw error
        }
    }
}
