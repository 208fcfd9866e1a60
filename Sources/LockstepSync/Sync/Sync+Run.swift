public import Foundation
import GRDB
package import LockstepStore

/// What ``Sync/run(_:)`` does.
public struct RunOptions: Sendable {
    /// How long it waits between two pulls of what the server does not tell by itself, in seconds.
    public var pollSeconds: TimeInterval
    /// How answers are merged. What is gone on the server is deleted here.
    public var merge: MergeOptions

    public init(pollSeconds: TimeInterval = 60, merge: MergeOptions = MergeOptions(records: .all)) {
        self.pollSeconds = pollSeconds
        self.merge = merge
    }
}

extension Sync {
    /// Pushes, pulls and follows the server until it is cancelled.
    ///
    /// Local changes go out as soon as they are saved. What happens on the server comes in through its live stream, and
    /// where it has none, by a pull now and then. What fails for now is tried again by itself, by the schedule of
    /// ``retries``; what was broken off is made up for. An entity that the server refuses, or whose records cannot be
    /// merged, waits in the same way, and ``status`` says so; the others go on.
    ///
    /// ```swift
    /// let task = Task { try await sync.run() }
    /// // … the app works with its models …
    /// task.cancel()
    /// ```
    ///
    /// - Throws: ``/LockstepHTTP/SyncError`` that no trying again helps against: `unauthorized`, `insecureAddress`,
    ///   `unsupported`; `StoreError`. Where it is cancelled, it just ends.
    public func run(_ options: RunOptions = RunOptions()) async throws {
        let (commits, downloads) = (AsyncSignal(), AsyncSignal())
        let observer = CommitSignal(commits)
        store.writer.add(transactionObserver: observer, extent: .observerLifetime)
        defer {
            store.writer.remove(transactionObserver: observer)
            board.end()
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                if attachments != nil { group.addTask { try await self.keepDownloading(downloads) } }
                // What waits goes out first: what a stream tells before that would be old already.
                let deadline = try await pushDue()
                group.addTask { try await self.keepPushing(commits, after: deadline) }
                for type in followedTypes {
                    group.addTask { try await self.keepFollowing(type, options, downloads) }
                }
                try await group.next()
                group.cancelAll()
            }
        } catch is CancellationError {
            return
        }
    }

    // MARK: Pushing

    private func keepPushing(_ commits: AsyncSignal, after deadline: Date?) async throws {
        var deadline = deadline
        while true {
            if deadline == nil { board.show(.following) }
            try await environment.clock.wait(for: commits, until: deadline)
            try Task.checkCancellation()
            deadline = try await pushDue()
        }
    }

    /// Sends what can go now.
    ///
    /// - Returns: When there is something to send again; `nil` for when something is changed.
    private func pushDue() async throws -> Date? {
        let pause = try await store.reading("reading the store") { try SyncPause.read($0) }
        if let pause, pause.until > environment.clock.now {
            board.show(.waiting(until: pause.until, because: pause.error))
            return pause.until
        }
        let summary = try await exclusively { try await PushDrain(environment).run(attempts: 0) }
        let later = try await store.reading("reading the store") { try SyncPause.read($0) }
        if let later, later.until > environment.clock.now {
            board.show(.waiting(until: later.until, because: summary.nextProblem ?? later.error))
            return later.until
        }
        return summary.nextAttempt
    }

    // MARK: Following

    private func keepFollowing(
        _ type: any Model.Type, _ options: RunOptions, _ downloads: AsyncSignal
    ) async throws {
        var failures = 0
        while true {
            try Task.checkCancellation()
            var problem: SyncError?
            do {
                let isStream = try await follow(type, options, downloads) {
                    failures = 0
                    board.recover(type.entity.name)
                }
                if !isStream {
                    try await environment.clock.sleep(
                        until: environment.clock.now.addingTimeInterval(options.pollSeconds))
                    continue
                }
            } catch let error as SyncError where error.concernsOneCollection {
                problem = error
            } catch let error as MergeError {
                // What a stream told cannot be merged: a snapshot may, or the next one.
                problem = SyncError(
                    .malformed, entity: type.entity.name,
                    reason: "what the server has cannot be merged: \(error.reason)",
                    remedy: "It is asked for again by itself; the error below says what is wrong.",
                    underlyingError: error)
            }
            failures += 1
            let seconds = retries.delaySeconds(
                after: failures, retryAfter: problem?.retryAfter, random: environment.random())
            let deadline = environment.clock.now.addingTimeInterval(seconds)
            if let problem { board.wait(type.entity.name, until: deadline, because: problem) }
            try await environment.clock.sleep(until: deadline)
        }
    }

    /// Listens to a collection until the connection breaks, or pulls it once where there is nothing to listen to.
    ///
    /// Nothing waits for a server that says nothing yet: the stream is opened and listened to while others push and
    /// pull.
    ///
    /// - Parameter didMerge: Is called whenever something was merged.
    /// - Returns: Whether there was.
    private func follow(
        _ type: any Model.Type, _ options: RunOptions, _ downloads: AsyncSignal, didMerge: () -> Void
    ) async throws -> Bool {
        let exchangeCount = await environment.mutex.exchangeCount
        guard let events = try await remote.events(of: RemoteEntity(type.entity.plan)) else {
            try await exclusively { try await self.pullOnce(type, options.merge) }
            didMerge()
            if case .pulling = board.status { board.show(.following) }
            await downloads.signal()
            return false
        }
        for try await event in events {
            try await exclusively {
                // What was made or brought since the stream was opened may be missing in a snapshot, and be taken for
                // deleted, or be older there: the server is asked what it has now. Other events come in their order,
                // with what was sent since.
                if case .snapshot = event, await self.environment.mutex.exchangeCount != exchangeCount {
                    try await self.pullOnce(type, options.merge)
                } else {
                    try await self.apply(event, to: type, options.merge)
                }
            }
            didMerge()
            if case .pulling = board.status { board.show(.following) }
            await downloads.signal()
        }
        return true
    }

    private func pullOnce<Object: Model>(_ type: Object.Type, _ options: MergeOptions) async throws {
        _ = try await pull(type, .all, .collection, [], options)
    }

    // MARK: Attachments

    /// Downloads what records refer to, whenever something has come.
    private func keepDownloading(_ downloads: AsyncSignal) async throws {
        guard let attachments else { return }
        var failures = 0
        while true {
            let report = try await attachments.downloadMissing()
            failures = report.failures.isEmpty ? 0 : failures + 1
            let seconds = retries.delaySeconds(after: failures, random: environment.random())
            let deadline = failures > 0 ? environment.clock.now.addingTimeInterval(seconds) : nil
            try await environment.clock.wait(for: downloads, until: deadline)
        }
    }

    /// Applies what a live stream has told, when its turn has come.
    package func hear<Object: Model>(
        _ event: RemoteEvent, of type: Object.Type, _ options: MergeOptions
    ) async throws {
        try await exclusively { try await self.apply(event, to: type, options) }
    }

    private func apply<Object: Model>(
        _ event: RemoteEvent, to type: Object.Type, _ options: MergeOptions
    ) async throws {
        var options = options
        options.payload = remote.traits.payload
        options.missingKeys = remote.traits.missingKeys
        options.ownership = environment.ownership
        options.listsIdentities = false
        switch event {
        case .snapshot(let json): try await store.merge(json, into: type, options: options)
        case .changed(let json):
            options.completeness = .partial
            try await store.merge(json, into: type, options: options)
        case .patched(let json):
            options.completeness = .partial
            options.missingKeys = .keep
            try await store.merge(json, into: type, options: options)
        case .deleted(let identities):
            try await store.applyServerDeletes(of: type, identities: identities, options: options)
        }
    }
}

extension SyncError {
    /// Whether it is about one collection, and may be over later: the others are followed meanwhile.
    fileprivate var concernsOneCollection: Bool {
        switch code {
        case .refused, .notFound, .malformed: true
        default: isTransient
        }
    }
}
