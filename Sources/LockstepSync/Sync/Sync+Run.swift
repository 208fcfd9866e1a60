public import Foundation
import GRDB
package import LockstepStore

/// Options of ``Sync/run(_:)``.
public struct RunOptions: Sendable {
    /// The number of seconds between two pulls of a collection without a live stream.
    package var pollSeconds: TimeInterval
    /// How responses are merged. By default, records that were deleted on the server are deleted locally.
    package var merge: MergeOptions
    /// The number of seconds after which a whole collection is read again, if the remote can list what has changed
    /// (rule H2). This finds what such a list may lack: deleted records, if the remote does not list them, and changes
    /// that became visible later than the overlap allows for.
    package var wholePullSeconds: TimeInterval
    /// Reports when the network becomes available again, so that nothing has to wait for its next attempt; `nil` for no
    /// such hint. Requests are sent in any case, because the system may be wrong about the network.
    package var network: (any NetworkPath)?
    /// The number of seconds between two checks for what other processes, such as an app extension, have saved; `nil`
    /// if no other process saves. These changes are sent, and become visible as with
    /// ``/LockstepStore/Store/refreshFromOtherProcesses()``.
    package var otherProcessesSeconds: TimeInterval?

    /// One day.
    @usableFromInline package static let defaultWholePullSeconds: TimeInterval = 86_400

    public init(
        pollSeconds: TimeInterval = 60, merge: MergeOptions = MergeOptions(records: .all),
        wholePullSeconds: TimeInterval = RunOptions.defaultWholePullSeconds, network: (any NetworkPath)? = nil,
        otherProcessesSeconds: TimeInterval? = nil
    ) {
        self.pollSeconds = pollSeconds
        self.merge = merge
        self.wholePullSeconds = wholePullSeconds
        self.network = network
        self.otherProcessesSeconds = otherProcessesSeconds
    }
}

extension Sync {
    /// Pushes, pulls, and follows the server until the task is cancelled.
    ///
    /// Local changes are sent as soon as they are saved. Changes on the server are received through its live stream or,
    /// if it has none, by regular pulls. Temporary failures are retried automatically, by the sync's ``RetrySchedule``;
    /// missed changes are fetched after a reconnection. An entity that the server rejects, or whose records cannot be
    /// merged, is retried in the same way, and ``status`` reports it; the others continue.
    ///
    /// ```swift
    /// let task = Task { try await sync.run() }
    /// // … the app works with its models …
    /// task.cancel()
    /// ```
    ///
    /// - Throws: ``/LockstepHTTP/SyncError`` that retrying cannot fix: `unauthorized`, `updateNeeded`,
    ///   `insecureAddress`, `unsupported`; `StoreError`. If the task is cancelled, or the account is signed out, the
    ///   function returns normally. Errors of other types that are thrown by a remote, or by what it uses, are
    ///   temporary (rule P20).
    public func run(_ options: RunOptions = RunOptions()) async throws {
        let (commits, downloads) = (AsyncSignal(), AsyncSignal())
        let observer = CommitSignal(commits)
        var problem: SyncError?
        store.writer.add(transactionObserver: observer, extent: .observerLifetime)
        board.beginRun(following: remote.traits.hasFeed ? [FeedPull.name] : syncedTypes.map { $0.entity.name })
        environment.merges.beginRun()
        let (number, ending) = environment.runs.begin()
        defer {
            store.writer.remove(transactionObserver: observer)
            board.endRun(because: problem)
            environment.runs.end(number)
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await ending.wait()
                    throw SigningOut()
                }
                if attachments != nil { group.addTask { try await self.keepTransferring(downloads) } }
                if let seconds = options.otherProcessesSeconds {
                    group.addTask { try await self.keepLooking(every: seconds, commits: commits) }
                }
                if let network = options.network { group.addTask { try await self.keepWatching(network) } }
                // Pending changes are sent first: events that a stream sends before would be outdated already.
                let first = try await pushDue(after: Due())
                group.addTask { try await self.keepPushing(commits, after: first) }
                if remote.traits.hasFeed {
                    group.addTask { try await self.keepFollowingFeed(options, downloads: downloads) }
                } else {
                    for type in syncedTypes {
                        group.addTask { try await self.keepFollowing(type, options: options, downloads: downloads) }
                    }
                }
                try await group.next()
                group.cancelAll()
            }
        } catch is CancellationError where Task.isCancelled {
            return
        } catch _ where store.hasEndedWriting {
            // The account was signed out.
            return
        } catch let error as SyncError where error.stopsSync {
            problem = error
            throw error
        }
    }

    // MARK: Pushing

    /// When to send again.
    private struct Due {
        var date: Date?
        /// The error because of which nothing is sent until then: what is stored of it lacks its cause.
        var problem: SyncError?
    }

    private func keepPushing(_ commits: AsyncSignal, after first: Due) async throws {
        try await environment.wakeups.withSignal(commits) { commits in
            var due = first
            while true {
                try await environment.clock.wait(for: commits, until: due.date)
                try Task.checkCancellation()
                due = try await pushDue(after: due)
            }
        }
    }

    /// Sends what can be sent now.
    ///
    /// - Parameter last: The result of the last time.
    /// - Returns: When there is something to send again; no date for after the next change.
    private func pushDue(after last: Due) async throws -> Due {
        let pause = try await store.reading("reading the store") { try SyncPause.read($0) }
        if let pause, let end = pause.end(at: environment.clock.now, retries: retries) {
            let problem = last.problem.flatMap { $0.reason == pause.error.reason ? $0 : nil }
            board.waitToPush(until: end, because: problem ?? pause.error)
            return Due(date: end, problem: problem)
        }
        let wait = try await send(attempts: 0, beginning: { PushSession(environment) }).wait
        board.notePushed(try await store.outbox.status(), at: environment.clock.now)
        guard let (date, problem) = wait else {
            board.stopWaitingToPush()
            return Due()
        }
        board.waitToPush(until: date, because: problem)
        return Due(date: date, problem: problem)
    }

    /// Sends what other processes have saved.
    private func keepLooking(every seconds: TimeInterval, commits: AsyncSignal) async throws {
        while true {
            try await environment.clock.sleep(until: environment.clock.now.addingTimeInterval(max(seconds, 0.1)))
            do {
                if try await store.refreshFromOtherProcesses() { await commits.signal() }
            } catch let error as StoreError where error.code == .busy {
                // The other one is still saving.
            }
        }
    }

    // MARK: Following

    private func keepFollowing(_ type: any Model.Type, options: RunOptions, downloads: AsyncSignal) async throws {
        try await keepFollowing(type.entity.name, pollSeconds: options.pollSeconds) { isRoutine, didMerge in
            try await self.follow(
                type, options: options, downloads: downloads, isRoutine: isRoutine, didMerge: didMerge)
        }
    }

    private func keepFollowingFeed(_ options: RunOptions, downloads: AsyncSignal) async throws {
        try await keepFollowing(FeedPull.name, pollSeconds: options.pollSeconds) { isRoutine, didMerge in
            try await self.exclusively(isRoutine: isRoutine) {
                let summary = try await self.pullFeed(options.merge, everything: false, isRoutine: isRoutine)
                summary.merges.forEach(self.environment.merges.report)
                if !summary.merges.isEmpty {
                    self.board.noteSkipped(summary.skipped, of: FeedPull.name, isAll: false)
                }
            }
            didMerge()
            await downloads.signal()
            return false
        }
    }

    /// Listens to a live stream or pulls, again and again. Returns whether there was a stream.
    private typealias Following = (_ isRoutine: Bool, _ didMerge: () -> Void) async throws -> Bool

    private func keepFollowing(_ name: String, pollSeconds: TimeInterval, follow: Following) async throws {
        try await environment.wakeups.withSignal { wakeup in
            try await self.environment.pulls.withSignal(wakeup) { wakeup in
                try await self.keepFollowing(name, pollSeconds: pollSeconds, wakeup: wakeup, follow: follow)
            }
        }
    }

    /// - Parameters:
    ///   - name: The entity on the status board.
    ///   - wakeup: Ends a wait.
    private func keepFollowing(
        _ name: String, pollSeconds: TimeInterval, wakeup: AsyncSignal, follow: Following
    ) async throws {
        var failures = 0
        var isRoutine = false
        while true {
            try Task.checkCancellation()
            var problem: SyncError?
            do {
                let isFirst = !isRoutine
                isRoutine = true
                let isStream = try await follow(!isFirst) {
                    failures = 0
                    board.recover(name, at: environment.clock.now)
                }
                if !isStream {
                    try await environment.clock.wait(
                        for: wakeup, until: environment.clock.now.addingTimeInterval(pollSeconds))
                    continue
                }
            } catch let error as SyncError where error.concernsOneCollection {
                problem = error
                if error.isUnreachable { try await environment.noteFailure() }
            } catch let error as MergeError {
                // An event of a stream cannot be merged; a snapshot or the next event may succeed.
                problem = .cannotMerge(error, of: name)
            }
            failures += 1
            // That a server, or a proxy, ends a stream after a while is no problem.
            if problem == nil, failures > 1 { problem = .streamsEnd(name, count: failures) }
            let seconds = retries.delaySeconds(
                after: failures, retryAfter: problem?.retryAfter, random: environment.random())
            let deadline = environment.clock.now.addingTimeInterval(seconds)
            if let problem {
                board.wait(name, until: deadline, because: problem)
                environment.diagnostics.send(.retry(entity: name, record: nil, at: deadline, because: problem))
            }
            // A time that the server has set applies in any case.
            if problem?.retryAfter != nil {
                try await environment.clock.sleep(until: deadline)
            } else {
                try await environment.clock.wait(for: wakeup, until: deadline)
            }
        }
    }

    /// Listens to a collection until the connection is lost, or pulls it once if there is no live stream.
    ///
    /// Nothing waits for a server that is silent: the stream is opened and read while others push and pull.
    ///
    /// - Parameters:
    ///   - isRoutine: Whether the status does not report a pull, unless it takes long.
    ///   - didMerge: Called whenever something was merged.
    /// - Returns: Whether there was a live stream.
    private func follow(
        _ type: any Model.Type, options: RunOptions, downloads: AsyncSignal, isRoutine: Bool, didMerge: () -> Void
    ) async throws -> Bool {
        let exchangeCount = await environment.mutex.exchangeCount
        guard let events = try await environment.remote.events(of: RemoteEntity(type.entity.plan)) else {
            try await exclusively(isRoutine: isRoutine) {
                try await self.pullOnce(type, options: options, isRoutine: isRoutine)
            }
            didMerge()
            await downloads.signal()
            return false
        }
        for try await event in events {
            try await exclusively {
                // What was created or received since the stream was opened may be missing in a snapshot and be taken
                // for deleted, or be older there, so the current state is fetched from the server. Other events arrive
                // in order, together with what was sent since.
                if case .snapshot = event, await self.environment.mutex.exchangeCount != exchangeCount {
                    try await self.pullOnce(type, options: options, isRoutine: isRoutine)
                } else {
                    try await self.environment.noteResponse()
                    try await self.apply(event, to: type, options: options.merge)
                }
            }
            didMerge()
            await downloads.signal()
        }
        return true
    }

    private func pullOnce<Object: Model>(_ type: Object.Type, options: RunOptions, isRoutine: Bool) async throws {
        let extent = PullExtent.changesUnlessDue(seconds: options.wholePullSeconds)
        let summary = try await pull(
            type, scope: .all, target: .collection, query: [], options: options.merge, extent: extent,
            isRoutine: isRoutine)
        summary.merges.forEach(environment.merges.report)
        // After “not modified”, what was skipped before is still skipped.
        if !summary.merges.isEmpty {
            let isAll = !summary.isOfChanges && summary.notModified == 0
            board.noteSkipped(summary.skipped, of: type.entity.name, isAll: isAll)
        }
    }

    // MARK: Attachments

    /// Downloads the attachments that records refer to, whenever something was received, and uploads those again that
    /// the server may have deleted with a record.
    private func keepTransferring(_ downloads: AsyncSignal) async throws {
        guard let attachments else { return }
        try await environment.wakeups.withSignal(downloads) { downloads in
            var failures = 0
            while true {
                let lost = try await attachments.uploadLost()
                let report = try await attachments.downloadMissing()
                // Bytes that the server refuses wait until something else is received.
                let isDone = report.failures.isEmpty && !lost.contains(where: \.error.isTransient)
                failures = isDone ? 0 : failures + 1
                let seconds = retries.delaySeconds(after: failures, random: environment.random())
                let deadline = failures > 0 ? environment.clock.now.addingTimeInterval(seconds) : nil
                try await environment.clock.wait(for: downloads, until: deadline)
            }
        }
    }

    // MARK: Events

    /// Applies an event of a live stream when its turn has come.
    package func handle<Object: Model>(_ event: RemoteEvent, of type: Object.Type, options: MergeOptions) async throws {
        try await exclusively { try await self.apply(event, to: type, options: options) }
    }

    private func apply<Object: Model>(_ event: RemoteEvent, to type: Object.Type, options: MergeOptions) async throws {
        var options = environment.options(options)
        options.payload = remote.traits.payload
        options.listsIdentities = false
        func report(_ summary: MergeSummary) {
            environment.merges.report(summary)
            environment.note([summary])
            if case .snapshot = event {
                board.noteSkipped(summary.skipped, of: type.entity.name, isAll: true)
            } else if !summary.skipped.isEmpty {
                board.noteSkipped(summary.skipped, of: type.entity.name, isAll: false)
            }
        }
        switch event {
        case .snapshot(let json):
            let merged = options
            options.confirmedAt = environment.clock.now
            options.unlisted = .unlessDoubtful(
                ListDoubt(
                    hasShiftingPages: false, shareLimit: options.unlistedShareLimit, now: environment.clock.now))
            do { report(try await store.merge(json, into: type, options: options)) } catch is UnlistedRecords {
                // The pull asks for the records that its list lacks.
                try await pull(type, scope: .all, target: .collection, query: [], options: merged).merges.forEach(
                    report)
            }
        case .changed(let json):
            options.completeness = .partial
            options.confirmedAt = environment.clock.now
            report(try await store.merge(json, into: type, options: options))
        case .patched(let json):
            options.completeness = .partial
            options.missingKeys = .keep
            report(try await store.merge(json, into: type, options: options))
        case .deleted(let identities):
            report(try await store.applyServerDeletes(of: type, identities: identities, options: options))
        }
    }
}

extension SyncError {
    static func cannotMerge(_ error: MergeError, of entity: String) -> SyncError {
        SyncError(
            .malformed, entity: entity, reason: "the server's data cannot be merged: \(error.reason)",
            remedy: "It is fetched again automatically. See `underlyingError`.", underlyingError: error)
    }

    fileprivate static func streamsEnd(_ entity: String, count: Int) -> SyncError {
        SyncError(
            .network, entity: entity,
            reason: "the server has ended the live stream \(count) times in a row, and has sent nothing",
            remedy: "It is opened again automatically. Check that no proxy ends it.")
    }

    /// Whether it concerns one collection and may be temporary, so that the others are still followed.
    var concernsOneCollection: Bool {
        switch code {
        case .refused, .notFound, .malformed: true
        default: isTransient
        }
    }
}
