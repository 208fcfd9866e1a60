import Foundation
import LockstepStore
import LockstepSystem
import TestSupport
import Testing

@Suite("Work for which the system is asked for time")
struct ExpiringActivityTests {
    /// A system that calls the activity on threads, and says when it has returned.
    private struct System {
        let returned = TestSignal()
        let expired = TestSignal()
        var isRefusing = false
        private let activity = Locked<(@Sendable (Bool) -> Void)?>(nil)
        private let isAsked = DispatchSemaphore(value: 0)

        var asked: ExpiringActivity {
            var asked = ExpiringActivity()
            asked.ask = { [isRefusing, activity, isAsked, returned] reason, function in
                #expect(reason == "Sending changes")
                activity.withLock { $0 = function }
                isAsked.signal()
                Thread {
                    function(isRefusing)
                    returned.fire()
                }.start()
            }
            return asked
        }

        /// The time is over: the process is suspended when the call returns. The work may begin before the system is
        /// asked.
        func expire() {
            Thread { [activity, isAsked, expired] in
                isAsked.wait()
                activity.withLock(\.self)?(true)
                expired.fire()
            }.start()
        }
    }

    @Test("It is not suspended before the work has ended")
    func ends() async throws {
        let system = System()
        let isDone = Locked(false)
        let value = try await system.asked.run("Sending changes") {
            isDone.withLock { $0 = true }
            return 7
        }
        await system.returned.fired()
        #expect(value == 7 && isDone.withLock(\.self))
    }

    @Test("When the time is over, the work is cancelled, and the system is told when it has ended")
    func expires() async throws {
        let system = System()
        await #expect(throws: CancellationError.self) {
            try await system.asked.run("Sending changes") {
                system.expire()
                #expect((try? await soon { Task.isCancelled }) == true, "waited for the cancellation")
                try Task.checkCancellation()
            }
        }
        await system.returned.fired()
        await system.expired.fired()
    }

    @Test("When the time is over, the system's call returns only when the cancelled work has ended")
    func endsBeforeSuspension() async throws {
        let system = System()
        let holdsLock = Locked(true)
        var asked = system.asked
        asked.wait = { end, _ in end.wait() }
        let task = Task { [asked] in
            try await asked.run("Sending changes") {
                system.expire()
                #expect((try? await soon { Task.isCancelled }) == true, "waited for the cancellation")
                for _ in 0..<1000 { await Task.yield() }  // rolls back
                holdsLock.withLock { $0 = false }
            }
        }
        await system.expired.fired()
        let isHeld = holdsLock.withLock(\.self)
        #expect(!isHeld)
        try await task.value
    }

    @Test("Work that does not end is waited for, but not longer than the system allows")
    func bounded() async throws {
        let system = System()
        var asked = system.asked
        let seconds = Locked(0.0)
        asked.wait = { _, bound in seconds.withLock { $0 = bound } }  // that time passes
        try await asked.run("Sending changes") {
            system.expire()
            await system.expired.fired()
            #expect(Task.isCancelled)
        }
        #expect(seconds.withLock { $0 } == ExpiringActivity.cancelledSeconds)
        await system.returned.fired()
    }

    @Test("Errors of the work, and a cancellation from outside, pass through")
    func errors() async throws {
        struct Failure: Error {}
        let system = System()
        await #expect(throws: Failure.self) { try await system.asked.run("Sending changes") { throw Failure() } }
        await system.returned.fired()

        let other = System()
        let began = TestSignal()
        let task = Task {
            try await other.asked.run("Sending changes") {
                began.fire()
                #expect((try? await soon { Task.isCancelled }) == true, "waited for the cancellation")
                try Task.checkCancellation()
            }
        }
        await began.fired()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await other.returned.fired()
    }

    @Test("Without any time, the work is cancelled")
    func refused() async throws {
        var system = System()
        system.isRefusing = true
        let asked = system.asked
        await #expect(throws: CancellationError.self) {
            try await asked.run("Sending changes") {
                #expect((try? await soon { Task.isCancelled }) == true, "waited for the cancellation")
                try Task.checkCancellation()
            }
        }
        await system.returned.fired()
    }

    @Test("Where processes are not suspended, the work just runs")
    func elsewhere() async throws {
        #expect(try await withExpiringActivity("Sending changes") { 7 } == 7)
    }
}
