public import Foundation
public import LockstepSync
public import Observation

/// The state of a sync for a screen: whether it is working, when it was last up to date, what is pending, and what the
/// user has to do.
///
/// It does not flicker: a transfer is shown only if it takes half a second or longer, and then for at least one second.
///
/// ```swift
/// if indicator.needsSignIn { SignInButton() }
/// if indicator.isSyncing { ProgressView(value: indicator.fraction) }
/// ```
@MainActor @Observable
public final class SyncIndicator {
    /// The status, without flicker.
    public private(set) var status: SyncStatus

    /// The number of records with changes that the server has not confirmed.
    public private(set) var pendingCount = 0

    /// When everything was last sent and fetched; `nil` if that has not happened since the indicator began to follow
    /// the sync. It is updated only while ``/LockstepSync/Sync/run(_:)`` is running.
    public private(set) var lastSuccess: Date?

    @ObservationIgnored private var calm: CalmStatus
    @ObservationIgnored private let clock: any SyncClock
    @ObservationIgnored private var sync: Sync?
    @ObservationIgnored private let statusTask = CancelledTask()
    @ObservationIgnored private let pendingTask = CancelledTask()
    @ObservationIgnored private let timer = CancelledTask()

    /// Creates an indicator.
    ///
    /// - Parameters:
    ///   - sync: The sync; `nil` for one that is idle.
    ///   - clock: The clock that measures how long transfers take.
    public init(_ sync: Sync? = nil, clock: any SyncClock = SystemClock()) {
        let status = sync?.currentStatus ?? .idle
        self.clock = clock
        self.status = status
        calm = CalmStatus(status)
        follow(sync)
    }

    /// Follows another sync, and shows nothing of the previous one, which may be that of another account.
    func follow(_ sync: Sync?) {
        guard sync !== self.sync else { return }
        self.sync = sync
        (statusTask.task, pendingTask.task, timer.task) = (nil, nil, nil)
        calm = CalmStatus(sync?.currentStatus ?? .idle)
        (status, pendingCount, lastSuccess) = (calm.shown, 0, nil)
        if let sync { follow(sync.status, outbox: sync.store.outbox.updates) }
    }

    /// Follows the statuses of a sync and of an outbox.
    func follow(_ statuses: AsyncStream<SyncStatus>, outbox: AsyncStream<OutboxStatus>) {
        statusTask.task = Task { [weak self] in
            for await status in statuses where !Task.isCancelled { self?.receive(status) }
        }
        pendingTask.task = Task { [weak self] in
            for await status in outbox where !Task.isCancelled { self?.pendingCount = status.count }
        }
    }

    private func receive(_ status: SyncStatus) {
        if case .upToDate(let date) = status { lastSuccess = date }
        calm.receive(status, at: clock.now)
        show()
    }

    private func show() {
        if !status.isSame(as: calm.shown) { status = calm.shown }
        guard let due = calm.dueDate(at: clock.now) else { return timer.task = nil }
        let clock = clock
        timer.task = Task { [weak self] in
            guard (try? await clock.sleep(until: due)) != nil, !Task.isCancelled else { return }
            self?.passTime()
        }
    }

    private func passTime() {
        calm.pass(to: clock.now)
        show()
    }
}

extension SyncIndicator {
    /// Whether to show that records are being sent or fetched. Short transfers are not shown.
    public var isSyncing: Bool { status.isSyncing }

    /// The completed fraction of a transfer, from 0 to 1; `nil` if it is not known, or there is none.
    public var fraction: Double? { if case .syncing(let progress) = status { progress.fraction } else { nil } }

    /// Whether the server rejects the credentials: the user has to sign in again. Local changes stay pending.
    public var needsSignIn: Bool { if case .stopped(let error) = status { error.code == .unauthorized } else { false } }

    /// Whether the server requires a newer version of the app.
    public var needsUpdate: Bool {
        if case .stopped(let error) = status, case .updateNeeded = error.code { true } else { false }
    }

    /// The records that require a decision; `nil` if there are none.
    private var attention: SyncAttention? { if case .needsAttention(let attention) = status { attention } else { nil } }

    /// The number of records, changes and leftovers that require a decision.
    public var attentionCount: Int {
        attention.map { $0.parkedCount + $0.leftoverCount + $0.skippedCount } ?? 0
    }

    /// Why nothing is transferred, or something is waiting; `nil` if neither is the case.
    public var error: SyncError? { status.error }
}
