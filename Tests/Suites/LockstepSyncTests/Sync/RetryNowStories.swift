import Foundation
import Journal
import LockstepStore
import LockstepSystem
import LockstepTesting
import SchematicCapture
import TestSupport
import Testing

@testable import LockstepSync

/// What ends a wait before its time: the app, the network, a response.
@Suite("Retrying now")
struct RetryNowStories {
    private let clock = ManualClock()
    private let remote = MemoryRemote(traits: RemoteTraits())

    private func sync(_ store: Store) -> Sync {
        Sync(
            store: store, remote: remote, retries: RetrySchedule(baseSeconds: 300), clock: clock, random: { 0.5 })
    }

    private func make(_ store: Store, _ title: String) async throws {
        try await store.perform { context in
            Entry(title: title, context: context)
            try context.save()
        }
    }

    private func creations() -> Int { remote.log.count { $0.kind == .create } }

    @Test("P7 The app retries what waits because there was no response, and because a change has failed")
    func app() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 3_600)) }
        try await clock.waitForSleepers(1)
        let start = clock.now
        for response in [ScriptedResponse.connectionFails, .unavailable(status: 500)] {
            remote.respondNext(response, to: .changes)
            let sent = creations()
            try await make(store, "mine")
            try await wait { sync.currentStatus.retryDate != nil && creations() == sent + 1 }
            try await sync.retryNow()
            try await wait { sync.currentStatus.isUpToDate && creations() == sent + 2 }
            #expect(try await store.outbox.pending().isEmpty)
        }
        #expect(clock.now == start)
        run.cancel()
        try await run.value
    }

    @Test("A collection that waits to be fetched again, and one whose pull is not due yet, are fetched at once")
    func collections() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store)
        remote.respondNext(.refused(status: 403), to: .fetches)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 3_600)) }
        try await wait { sync.currentStatus.error?.code == .refused(status: 403) }
        try await clock.waitForSleepers(1)
        for count in 2...3 {
            try await sync.retryNow()
            try await wait { sync.currentStatus.isUpToDate && remote.log.count { $0.kind == .fetch } == count }
            try await clock.waitForSleepers(1)
        }
        run.cancel()
        try await run.value
    }

    @Test("P7.3 A time that the server has set still applies")
    func serversTime() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store)
        remote.respondNext(.unavailable(status: 429, retryAfter: 500), to: .changes)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 3_600)) }
        try await clock.waitForSleepers(1)
        try await make(store, "mine")
        try await wait { sync.currentStatus.retryDate == clock.now + 500 }
        try await sync.retryNow()
        // The pull that it starts has ended, and nothing was sent.
        try await wait { remote.log.count { $0.kind == .fetch } == 2 }
        try await clock.waitForSleepers(2)
        #expect(creations() == 1)
        clock.advance(by: 500)
        try await wait { creations() == 2 }
        run.cancel()
        try await run.value
    }

    @Test("P7 A parked change stays parked")
    func parked() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store)
        try await make(store, "mine")
        remote.respondNext(.refused(status: 422), to: .changes)
        _ = try await sync.push()
        try await sync.retryNow()
        #expect(try await store.outbox.pending().map(\.parked?.status) == [422])
    }

    @Test("A push that waits goes on")
    func push() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store)
        for response in [ScriptedResponse.connectionFails, .unavailable(status: 500)] {
            try await make(store, "mine")
            remote.respondNext(response, to: .changes)
            let push = _Concurrency.Task { try await sync.push() }
            try await clock.waitForSleepers(1)
            try await sync.retryNow()
            #expect(try await push.value.created == 1)
        }
    }

    @Test("Without a network the status is offline, and when it is back, everything is retried")
    func network() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store)
        let network = ManualNetworkPath()
        let run = _Concurrency.Task {
            try await sync.run(RunOptions(pollSeconds: 3_600, network: network))
        }
        try await wait { sync.currentStatus.isUpToDate }
        network.isAvailable = false
        try await wait {
            guard case .offline(until: nil, let error) = sync.currentStatus else { return false }
            return error.reason == "the device has no network"
        }
        // Requests are sent nevertheless.
        remote.respondNext(.connectionFails, to: .changes)
        try await make(store, "mine")
        try await wait { sync.currentStatus.retryDate != nil }
        let start = clock.now
        network.isAvailable = true
        try await wait { try await store.outbox.pending().isEmpty && sync.currentStatus.isUpToDate }
        #expect(creations() == 2 && clock.now == start)
        run.cancel()
        try await run.value
    }

    @Test("P7.2 A pull that succeeds lifts the wait of pushes, and the status with it")
    func pull() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 3_600)) }
        try await clock.waitForSleepers(1)
        remote.respondNext(.connectionFails, to: .changes)
        try await make(store, "mine")
        try await wait { if case .offline = sync.currentStatus { true } else { false } }
        try await sync.pull(Entry.self)
        try await wait { try await store.outbox.pending().isEmpty && sync.currentStatus.isUpToDate }
        run.cancel()
        try await run.value
    }

    @Test("An attachment whose download waits to be retried is downloaded at once")
    func attachments() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store(
                SchematicCaptureSchema.self, at: .file(folder.appending(path: "capture.sqlite")))
            let bytes = Data("photo".utf8)
            let attachment = try await store.mergePhoto(of: bytes)
            let files = MemoryAttachments()
            files.stored = [attachment.contentHash: bytes]
            files.fail(SyncError(.unavailable(status: 500), reason: "broken", remedy: "Wait."))
            let sync = Sync(
                store: store, remote: remote, attachments: files, retries: RetrySchedule(baseSeconds: 300),
                clock: clock, random: { 0.5 })
            let start = clock.now
            let run = _Concurrency.Task {
                try await sync.run(RunOptions(pollSeconds: 3_600, merge: MergeOptions()))
            }
            try await clock.waitForSleepers(1)
            try await wait { !files.log.isEmpty }
            let count = files.log.count
            try await wait {
                try await sync.retryNow()
                return files.log.count > count
            }
            try await wait { try await sync.attachments?.missingAttachments().isEmpty == true }
            #expect(clock.now == start)
            run.cancel()
            try await run.value
            try store.close()
        }
    }

    @Test("P7.3 A time that the server has set for a collection still applies")
    func serversTimeForCollection() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store)
        remote.respondNext(.unavailable(status: 503, retryAfter: 500), to: .fetches)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 3_600)) }
        try await wait { sync.currentStatus.retryDate == clock.now + 500 }
        try await clock.waitForSleepers(1)
        try await sync.retryNow()
        // What the push does shows that the others are awake.
        try await make(store, "mine")
        try await wait { creations() == 1 }
        #expect(remote.log.count { $0.kind == .fetch } == 1)
        clock.advance(by: 500)
        try await wait { remote.log.count { $0.kind == .fetch } == 2 }
        run.cancel()
        try await run.value
    }
}
