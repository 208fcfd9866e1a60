import Foundation
import Testing

@testable import LockstepSync
@testable import LockstepUI

@Suite("A calm status")
struct CalmStatusTests {
    private let start = Date(timeIntervalSince1970: 1000)
    private let syncing = SyncStatus.syncing(SyncProgress())

    @Test("does not show a short transfer")
    func short() {
        var calm = CalmStatus()
        for second in 0..<10 {
            let now = start + Double(second)
            calm.receive(syncing, at: now)
            #expect(!calm.shown.isSyncing)
            calm.receive(.upToDate(since: now), at: now + 0.49)
            #expect(calm.shown.isUpToDate)
            #expect(calm.dueDate(at: now + 0.49) == nil)
        }
    }

    @Test("shows a long transfer after half a second, and for at least one second")
    func long() {
        var calm = CalmStatus()
        calm.receive(syncing, at: start)
        #expect(calm.dueDate(at: start) == start + 0.5)
        calm.pass(to: start + 0.5)
        #expect(calm.shown.isSyncing)
        calm.receive(.idle, at: start + 0.6)
        #expect(calm.shown.isSyncing)
        #expect(calm.dueDate(at: start + 0.6) == start + 1.5)
        calm.pass(to: start + 1.5)
        #expect(!calm.shown.isSyncing)
        #expect(calm.dueDate(at: start + 1.5) == nil)
    }

    @Test("shows a problem at once")
    func problems() {
        var calm = CalmStatus(.upToDate(since: start))
        calm.receive(syncing, at: start)
        calm.receive(.stopped(because: SyncError(.unauthorized, reason: "", remedy: "")), at: start + 0.1)
        #expect(calm.shown.error?.code == .unauthorized)
        #expect(calm.dueDate(at: start + 0.1) == nil)
    }

    @Test("does not wait for a clock that was set back or forward", arguments: [-3600.0, 3600])
    func wrongClock(_ seconds: Double) {
        var calm = CalmStatus()
        calm.receive(syncing, at: start)
        calm.pass(to: start + seconds)
        #expect(calm.shown.isSyncing)
        calm.receive(.idle, at: start)
        calm.pass(to: start + 2 * seconds)
        #expect(!calm.shown.isSyncing)
    }
}
