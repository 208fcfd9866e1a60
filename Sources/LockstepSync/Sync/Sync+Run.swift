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
    /// ``retries``; what was broken off is made up for.
    ///
    /// ```swift
    /// let task = Task { try await sync.run() }
    /// // … the app works with its models …
    /// task.cancel()
    /// ```
    ///
    /// - Throws: ``SyncError`` that no trying again helps against: `unauthorized`, `insecureAddress`, `unsupported`;
    ///   `StoreError`. Where it is cancelled, it just ends.
    public func run(_ options: RunOptions = RunOptions()) async throws {
        let (bell, downloads) = (Doorbell(), Doorbell())
        let observer = CommitBell(bell)
        store.writer.add(transactionObserver: observer, extent: .observerLifetime)
        defer {
            store.writer.remove(transactionObserver: observer)
            board.show(.idle)
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.keepPushing(bell) }
                if attachments != nil { group.addTask { try await self.keepDownloading(downloads) } }
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

    private func keepPushing(_ bell: Doorbell) async throws {
        while true {
            try Task.checkCancellation()
            let deadline = try await pushDue()
            if deadline == nil { board.show(.following) }
            try await clock.wait(for: bell, until: deadline)
        }
    }

    /// Sends what can go now.
    ///
    /// - Returns: When there is something to send again; `nil` for when something is changed.
    private func pushDue() async throws -> Date? {
        let pause = try await store.reading("reading the store") { try SyncPause.read($0) }
        if let pause, pause.until > clock.now {
            board.show(.waiting(until: pause.until, because: pause.error))
            return pause.until
        }
        let summary = try await exclusively { try await PushDrain(self).run(attempts: 0) }
        let later = try await store.reading("reading the store") { try SyncPause.read($0) }
        if let later, later.until > clock.now {
            board.show(.waiting(until: later.until, because: later.error))
            return later.until
        }
        return summary.nextAttempt
    }

    // MARK: Following

    private func keepFollowing(
        _ type: any Model.Type, _ options: RunOptions, _ downloads: Doorbell
    ) async throws {
        var failures = 0
        while true {
            try Task.checkCancellation()
            var retryAfter: TimeInterval?
            do {
                let isStream = try await follow(type, options, downloads) { failures = 0 }
                if !isStream {
                    failures = 0
                    try await clock.sleep(until: clock.now.addingTimeInterval(options.pollSeconds))
                    continue
                }
            } catch let error as SyncError where error.isTransient || error.code == .malformed {
                retryAfter = error.retryAfter
                board.show(.waiting(until: clock.now.addingTimeInterval(retryAfter ?? 0), because: error))
            } catch is MergeError {
                // What the stream told cannot be merged: a snapshot may.
            }
            failures += 1
            let seconds = retries.delaySeconds(after: failures, retryAfter: retryAfter, random: random())
            try await clock.sleep(until: clock.now.addingTimeInterval(seconds))
        }
    }

    /// Listens to a collection until the connection breaks, or pulls it once where there is nothing to listen to.
    ///
    /// - Returns: Whether there was.
    private func follow(
        _ type: any Model.Type, _ options: RunOptions, _ downloads: Doorbell, didHear: () -> Void
    ) async throws -> Bool {
        // Nothing is sent between what the server has told first and its merge: what was made meanwhile would be missing
        // there, and be taken for deleted.
        let events = try await exclusively { () -> AsyncThrowingStream<RemoteEvent, any Error>? in
            guard let events = try await remote.events(of: RemoteEntity(type.entity.plan)) else { return nil }
            var iterator = events.makeAsyncIterator()
            if let first = try await iterator.next() {
                didHear()
                try await apply(first, to: type, options.merge)
            }
            return events
        }
        guard let events else {
            try await pullOnce(type, options.merge)
            if case .pulling = board.status { board.show(.following) }
            await downloads.ring()
            return false
        }
        await downloads.ring()
        for try await event in events {
            didHear()
            try await exclusively { try await self.apply(event, to: type, options.merge) }
            await downloads.ring()
        }
        return true
    }

    private func pullOnce<Object: Model>(_ type: Object.Type, _ options: MergeOptions) async throws {
        try await exclusively { _ = try await self.pull(type, .all, .collection, [], options) }
    }

    // MARK: Attachments

    /// Downloads what records refer to, whenever something has come.
    private func keepDownloading(_ downloads: Doorbell) async throws {
        guard let attachments else { return }
        var failures = 0
        while true {
            let report = try await attachments.downloadMissing()
            failures = report.failures.isEmpty ? 0 : failures + 1
            let seconds = retries.delaySeconds(after: failures, random: random())
            let deadline = failures > 0 ? clock.now.addingTimeInterval(seconds) : nil
            try await clock.wait(for: downloads, until: deadline)
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
