import Foundation
import Journal
import LockstepStore
import LockstepTesting
import Observation
import Testing

@testable import LockstepSync
@testable import LockstepUI

@MainActor
@Suite("The indicator of a sync")
struct SyncIndicatorTests {
    private let clock = ManualClock()
    private let indicator: SyncIndicator
    private let statuses: AsyncStream<SyncStatus>.Continuation

    init() {
        indicator = SyncIndicator(clock: clock)
        let (stream, continuation) = AsyncStream<SyncStatus>.makeStream()
        statuses = continuation
        indicator.follow(stream, outbox: AsyncStream { nil })
    }

    /// Waits until something that a view reads has changed.
    private func changed<Value>(_ read: () -> Value, _ change: () -> Void = {}) async {
        await withCheckedContinuation { continuation in
            withObservationTracking {
                _ = read()
            } onChange: {
                continuation.resume()
            }
            change()
        }
        await Task.yield()
    }

    @Test("shows a transfer when it takes longer, and hides it later")
    func long() async throws {
        statuses.yield(.syncing(SyncProgress()))
        try await clock.waitForSleepers(1)
        #expect(!indicator.isSyncing)
        await changed({ indicator.status }) { clock.advance(by: 0.5) }
        #expect(indicator.isSyncing)
        statuses.yield(.idle)
        try await clock.waitForSleepers(1)
        #expect(indicator.isSyncing)
        await changed({ indicator.status }) { clock.advance(by: 1) }
        #expect(!indicator.isSyncing)
    }

    @Test("does not redraw for short transfers")
    func short() async throws {
        let frames = Frames { indicator.isSyncing }
        statuses.yield(.syncing(SyncProgress()))
        try await clock.waitForSleepers(1)
        await changed({ indicator.lastSuccess }) { statuses.yield(.upToDate(since: clock.now)) }
        #expect(indicator.lastSuccess == clock.now)
        // One for the status that follows, none for the transfer.
        #expect(frames.invalidationCount == 1)
        frames.draw()
        statuses.yield(.syncing(SyncProgress()))
        try await clock.waitForSleepers(1)
        #expect(frames.invalidationCount == 1)
        #expect(frames.values == [false, false])
    }

    @Test("says that the user has to sign in again, and counts what waits")
    func signIn() async throws {
        let store = try journal("A", "b")
        let remote = MemoryRemote()
        remote.respondNext(.unauthorized)
        let sync = Sync(store: store, remote: remote)
        let indicator = SyncIndicator(sync)
        if indicator.pendingCount == 0 { await changed { indicator.pendingCount } }
        #expect(indicator.pendingCount == 2)
        #expect(!indicator.needsSignIn)
        await #expect(throws: SyncError.self) { try await sync.push() }
        if !indicator.needsSignIn { await changed { indicator.status } }
        #expect(indicator.needsSignIn)
        #expect(indicator.error?.code == .unauthorized)
        #expect(indicator.pendingCount == 2)
    }

    @Test("shows nothing of the former sync when it follows another one")
    func otherSync() async throws {
        let pending = try journal("A", "b")
        let (stream, continuation) = AsyncStream<SyncStatus>.makeStream()
        indicator.follow(stream, outbox: pending.outbox.updates)
        if indicator.pendingCount == 0 { await changed { indicator.pendingCount } }
        await changed({ indicator.lastSuccess }) { continuation.yield(.upToDate(since: clock.now)) }
        continuation.yield(.syncing(SyncProgress()))
        try await clock.waitForSleepers(1)
        await changed({ indicator.status }) { clock.advance(by: 0.5) }
        #expect(indicator.isSyncing)
        #expect(indicator.pendingCount == 2)

        let empty = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: empty, remote: MemoryRemote(), clock: clock)
        indicator.follow(sync)
        #expect(!indicator.isSyncing)
        #expect(indicator.lastSuccess == nil)
        #expect(indicator.pendingCount == 0)
        continuation.yield(.upToDate(since: clock.now))
        clock.advance(by: 10)
        for _ in 0..<100 { await Task.yield() }
        #expect(indicator.lastSuccess == nil)
        #expect(!indicator.isSyncing)
    }

    @Test("counts everything that requires a decision, not only what the server has rejected")
    func attention() async throws {
        var attention = SyncAttention()
        attention.skippedCount = 2
        attention.leftoverCount = 1
        await changed({ indicator.status }) { statuses.yield(.needsAttention(attention)) }
        #expect(indicator.attentionCount == 3)
        attention.parkedCount = 4
        await changed({ indicator.status }) { statuses.yield(.needsAttention(attention)) }
        #expect(indicator.attentionCount == 7)
        await changed({ indicator.status }) { statuses.yield(.idle) }
        #expect(indicator.attentionCount == 0)
    }

    @Test("is idle without a sync")
    func noSync() async throws {
        let indicator = SyncIndicator(Sync(store: try journal("A"), remote: MemoryRemote()))
        if indicator.pendingCount == 0 { await changed { indicator.pendingCount } }
        indicator.follow(nil)
        #expect(indicator.pendingCount == 0)
        #expect(!indicator.isSyncing)
        #expect(indicator.error == nil)
    }
}
