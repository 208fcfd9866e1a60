import Foundation
import Journal
import LockstepStore
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

@testable import LockstepSync

/// What `run` reports.
@Suite("The status while keeping in sync")
struct StatusStories {
    private let clock = ManualClock()

    private func sync(_ store: Store, _ remote: any Remote) -> Sync {
        Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
    }

    /// The values of a status, without the pace of its subscribers: they receive these, or fewer.
    private final class Seen: Sendable {
        private let values = Locked<[SyncStatus]>([])
        private let reader: _Concurrency.Task<Void, Never>

        init(_ sync: Sync) {
            reader = _Concurrency.Task { [values] in
                for await status in sync.board.updates() { values.withLock { $0.append(status) } }
            }
        }

        var all: [SyncStatus] { values.withLock { $0 } }
        func end() { reader.cancel() }
    }

    /// What a subscriber receives in a minute of pulls each second, from a certain status on, and the number of fetches.
    private func minute(
        of sync: Sync, _ remote: MemoryRemote, after isSettled: (SyncStatus?) -> Bool
    ) async throws -> (values: [SyncStatus], polls: Int) {
        let seen = Seen(sync)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 1)) }
        let followers = sync.syncedTypes.count
        try await clock.waitForSleepers(followers)
        try await wait { isSettled(seen.all.last) }
        let start = seen.all.count
        for _ in 0..<60 {
            clock.advance(by: 1)
            try await clock.waitForSleepers(followers)
        }
        let polls = remote.log.count
        run.cancel()
        try await run.value
        try await wait { if case .idle = seen.all.last { true } else { false } }
        seen.end()
        return (Array(seen.all[start...].dropLast()), polls)
    }

    @Test("In a minute of pulls each second, the status has at most 130 values, none of them between two collections")
    func calm() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        remote.respondNext(.refused(status: 403), to: .kind(.fetch, path: "/articles"), times: 1_000)
        remote.respondNext(.unavailable(status: 500), to: .kind(.fetch, path: "/tags"), times: 1_000)
        let (values, polls) = try await minute(of: sync, remote) {
            if case .waiting = $0 { true } else { false }
        }
        #expect(polls > 60 * (sync.syncedTypes.count - 2))
        // The two that fail are requested about seven times each; the first one is reported.
        let failures = Set(values.map { status in status.error.map { "\($0.code)" } ?? "\(status)" })
        #expect(failures.count <= 1 && values.count < 12, "\(values)")
    }

    @Test("If everything succeeds, the status is up to date, and says so at most once a second")
    func calmSuccess() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let sync = sync(try Store(ShopSchema.self, at: .inMemory), remote)
        let (values, _) = try await minute(of: sync, remote) { $0?.isUpToDate == true }
        #expect(values.count <= 61 && values.allSatisfy(\.isUpToDate), "\(values)")
    }

    @Test("A status that changes all the time has at most 130 values in a minute, and the last one is the latest")
    func pace() async throws {
        let board = SyncStatusBoard()
        var values = StatusPace(board, clock: clock).values().makeAsyncIterator()
        board.beginRun(following: [])
        let start = clock.now
        var count = 0
        for number in 0..<1_000 {
            board.show(.pushing(done: number, count: 1_000))
            // The reader sleeps until it may have another value.
            let reader = _Concurrency.Task { [clock] in
                while !_Concurrency.Task.isCancelled {
                    try await clock.waitForSleepers(1)
                    clock.advanceToNextSleeper()
                }
            }
            guard case .syncing(let progress)? = await values.next() else { break }
            reader.cancel()
            _ = await reader.result
            #expect(progress.sentChanges == number)
            count += 1
            if clock.now.timeIntervalSince(start) >= 60 { break }
        }
        #expect((120...130).contains(count))
        board.stopWaitingToPush()
        board.endRun()
        board.end()
    }

    @Test("No status is sent twice in a row")
    func noRepetition() async throws {
        let board = SyncStatusBoard()
        let error = SyncError(.refused(status: 403), reason: "not for you", remedy: "Ask.")
        let date = clock.now
        let outbox = try await Store(JournalSchema.self, at: .inMemory).outbox.status()
        var updates = board.updates().makeAsyncIterator()
        func next() async -> String { await updates.next().map { "\($0)" } ?? "" }
        #expect(await next() == "idle")
        board.beginRun(following: ["Entry", "Tag"])
        #expect(await next().hasPrefix("syncing"))
        board.notePushed(outbox, at: date)
        board.recover("Entry", at: date)
        board.recover("Tag", at: date + 1)
        #expect(await next() == "upToDate(since: \(date))")
        board.stopWaitingToPush()
        board.wait("Entry", until: date, because: error)
        #expect(await next().hasPrefix("waiting"))
        // Another one that fails later changes nothing, and the same again neither.
        board.wait("Tag", until: date - 1, because: error)
        board.wait("Entry", until: date, because: error)
        board.begin()
        board.end()
        board.recover("Tag", at: date + 2)
        board.recover("Entry", at: date + 2)
        #expect(await next() == "upToDate(since: \(date + 2))")
        board.endRun()
        #expect(await next() == "idle")
    }

    @Test("Parked changes and skipped records need attention, with their numbers, until somebody has decided")
    func attention() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        remote.set(["identifier": "not a UUID", "title": "theirs"], id: "1", in: "/entries")
        try await store.perform { context in
            Entry(title: "mine", context: context)
            try context.save()
        }
        remote.respondNext(.refused(status: 422), to: .changes, times: 1)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 60)) }
        try await clock.waitForSleepers(1)
        try await wait {
            guard case .needsAttention(let attention) = sync.currentStatus else { return false }
            return attention.parkedCount == 1 && attention.skippedCount == 1
        }
        // The app retries it, and the server has repaired its record.
        try await store.outbox.retryAll()
        remote.set(
            ["identifier": "6f1b8f0a-1111-4222-8333-444455556666", "title": "theirs"], id: "1", in: "/entries")
        try await wait { try await store.outbox.pending().isEmpty }
        clock.advanceToNextSleeper()
        try await wait { sync.currentStatus.isUpToDate }
        run.cancel()
        try await run.value
    }

    @Test("The progress counts changes while they are sent, and collections while they are fetched")
    func progress() {
        var progress = SyncProgress()
        #expect(progress.fraction == nil)
        (progress.fetchedCollections, progress.collectionCount) = (1, 4)
        #expect(progress.fraction == 0.25)
        (progress.sentChanges, progress.changeCount) = (1, 2)
        #expect(progress.fraction == 0.5)
    }

    @Test(
        "P12 After a relaunch, the status has the error that was received, and no status that no server sent",
        arguments: Seeds.some(4, of: UInt64(0)...99))
    func relaunched(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "journal.sqlite")
            let status = random.element(of: [408, 425, 429] + Array(500...511))
            let retryAfter = random.element(of: [nil, 500.0])
            let all: [(ScriptedResponse, SyncError.Code)] = [
                (.connectionFails, .network),
                (.unavailable(status: status, retryAfter: retryAfter), .unavailable(status: status)),
                (.fails(SyncError(.timeout, reason: "no response", remedy: "Wait.")), .timeout),
                (
                    .fails(SyncError(.unexpectedResponse(status: 302), reason: "a redirect", remedy: "Wait.")),
                    .unexpectedResponse(status: 302)
                ),
            ]
            for (response, code) in all.shuffled(using: &random).prefix(2) {
                let remote = MemoryRemote(traits: RemoteTraits())
                let retries = RetrySchedule(baseSeconds: 300, attemptsPerPush: 1)
                do {
                    let store = try Store(JournalSchema.self, at: .file(file))
                    try await store.perform { context in
                        Entry(title: "mine", context: context)
                        try context.save()
                    }
                    remote.respondNext(response, to: .changes)
                    let sync = Sync(store: store, remote: remote, retries: retries, clock: clock, random: { 0.5 })
                    _ = try? await sync.push()
                }
                let store = try Store(JournalSchema.self, at: .file(file))
                let reason = try #require(try await store.outbox.pending().first?.lastError)
                let sync = Sync(store: store, remote: remote, retries: retries, clock: clock, random: { 0.5 })
                remote.respondNext(.connectionFails, to: .fetches)
                let run = _Concurrency.Task { try await sync.run() }
                try await clock.waitForSleepers(2)
                try await wait { sync.board.status.error != nil }
                if let error = sync.board.status.error {
                    #expect(error.code == code && error.reason == reason)
                }
                run.cancel()
                try await run.value
                clock.advance(by: 1_000)
                try await sync.push()
                #expect(try await store.outbox.pending().isEmpty)
            }
        }
    }

    @Test("C4 A record that always changes on the server is reported with the status that the server sent")
    func unsettled() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await store.perform { context in
            Entry(title: "mine", context: context)
            try context.save()
        }
        try await sync.push()
        try await store.perform { context in
            try context.fetch(Entry.all()).first?.title = "changed"
            try context.save()
        }
        let current = try #require(remote.records(of: "/entries").first).json()
        for number in 1...100 {
            remote.respondNext(.response(.outdated(current: current, version: "other \(number)")), to: .changes)
        }
        _ = try await sync.push()
        remote.clearScripts()
        let error = try #require(try await store.outbox.pending().first?.lastError)
        #expect(error.contains("has changed again and again while its change was being sent"))
    }

    @Test("Records that a pull skips are reported while keeping in sync, with the reason")
    func skipped() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        remote.set(["identifier": "not a UUID", "title": "theirs"], id: "1", in: "/entries")
        remote.set(
            ["identifier": "6f1b8f0a-1111-4222-8333-444455556666", "title": "theirs"], id: "2", in: "/entries")
        let sync = sync(store, remote)
        var merges = sync.merges.makeAsyncIterator()
        let run = _Concurrency.Task { try await sync.run() }
        let summary = try #require(await merges.next())
        #expect(summary.inserted == 1)
        #expect(summary.skipped.count == 1 && summary.skipped.first?.entity == "Entry")
        run.cancel()
        try await run.value
    }

    @Test("A call of push that ends its wait does not end that of run")
    func twoPushes() {
        let board = SyncStatusBoard()
        let error = SyncError(.unavailable(status: 500), reason: "broken", remedy: "Wait.")
        board.beginRun(following: [])
        board.waitToPush(until: clock.now + 60, because: error)
        let push = board.makePush()
        board.waitToPush(push, until: clock.now + 5, because: error)
        #expect(board.status.retryDate == clock.now + 60)
        board.stopWaitingToPush(push)
        #expect(board.status.retryDate == clock.now + 60)
        board.stopWaitingToPush()
        #expect(board.status.retryDate == nil)
    }

    @Test("What needs attention is reported when everything else was transferred")
    func attentionLast() async throws {
        let remote = MemoryRemote()
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await store.perform { context in
            Entry(title: "mine", context: context)
            try context.save()
        }
        remote.respondNext(.refused(status: 422), to: .changes)
        let gate = Gate()
        remote.respondNext(.held(gate), to: .events)
        let seen = Seen(sync)
        let run = _Concurrency.Task { try await sync.run() }
        try await gate.reached()
        try await wait { try await store.outbox.status().parkedCount == 1 }
        gate.open()
        try await wait { if case .needsAttention = sync.currentStatus { true } else { false } }
        try await wait { if case .needsAttention = seen.all.last { true } else { false } }
        for status in seen.all.dropLast().dropFirst() {
            guard case .syncing = status else {
                Issue.record("\(status)")
                continue
            }
        }
        run.cancel()
        try await run.value
        seen.end()
    }

    /// A server whose live streams end at once.
    private struct ShortStreams: Remote {
        let remote = MemoryRemote()
        func fetch(_ request: RemoteRequest) async throws -> FetchResponse { try await remote.fetch(request) }
        func send(_ change: OutgoingChange) async throws -> SendResponse { try await remote.send(change) }
        func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>? {
            AsyncThrowingStream { $0.finish() }
        }
    }

    @Test("A live stream that ends again and again without an event is a status")
    func shortStreams() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, ShortStreams())
        let run = _Concurrency.Task { try await sync.run() }
        try await clock.waitForSleepers(1)
        #expect(sync.currentStatus.error == nil)
        clock.advanceToNextSleeper()
        try await wait { sync.currentStatus.error != nil }
        #expect(sync.currentStatus.error?.reason.contains("2 times in a row") == true)
        run.cancel()
        try await run.value
    }
}
