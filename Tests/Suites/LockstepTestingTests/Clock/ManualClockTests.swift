import Foundation
import LockstepStore
import LockstepSystem
import LockstepTesting
import Testing

@Suite("A clock controlled by tests") struct ManualClockTests {
    private let start = Date(timeIntervalSince1970: 1000)

    @Test("Sleepers wake in the order of their deadlines, not of their arrival")
    func order() async throws {
        let clock = ManualClock(now: start)
        let woken = Locked<[Int]>([])
        let gates = (0..<4).map { _ in Gate() }
        let tasks = [30, 10, 20].map { seconds in
            Task {
                try await clock.sleep(until: start + TimeInterval(seconds))
                woken.withLock { $0.append(seconds) }
                gates[seconds / 10].open()
            }
        }
        try await clock.waitForSleepers(3)
        #expect(clock.deadlines == [start + 10, start + 20, start + 30])
        for seconds in [10, 20, 30] {
            #expect(clock.advanceToNextSleeper())
            try await gates[seconds / 10].pass()
            #expect(clock.now == start + TimeInterval(seconds))
        }
        for task in tasks { try await task.value }
        #expect(woken.withLock { $0 } == [10, 20, 30])
        #expect(!clock.advanceToNextSleeper())
    }

    @Test("A sleeper wakes at its deadline, and not a second earlier")
    func exactly() async throws {
        let clock = ManualClock(now: start)
        let task = Task { try await clock.sleep(until: start + 30) }
        try await clock.waitForSleepers(1)
        clock.advance(by: 29.5)
        #expect(clock.deadlines.count == 1)
        clock.advance(by: 0.5)
        #expect(clock.deadlines.isEmpty)
        try await task.value
        #expect(clock.now == start + 30)
    }

    @Test("Past deadlines do not sleep, and a clock can be set back")
    func past() async throws {
        let clock = ManualClock(now: start)
        try await clock.sleep(until: start)
        clock.advance(by: -100)
        #expect(clock.now == start - 100)
        clock.advance(to: start + 5)
        try await clock.sleep(until: start + 5)
    }

    @Test("A cancelled sleeper wakes at once, whether it was sleeping already or not")
    func cancellation() async throws {
        let clock = ManualClock(now: start)
        let sleeping = Task { try await clock.sleep(until: start + 10) }
        try await clock.waitForSleepers(1)
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        #expect(clock.deadlines.isEmpty)
        let gate = Gate()
        let late = Task {
            try? await gate.pass()
            try await clock.sleep(until: start + 10)
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        let watching = Task { try await clock.waitForSleepers(1) }
        watching.cancel()
        await #expect(throws: CancellationError.self) { try await watching.value }
    }

    @Test("A thousand tasks sleep and wake at once, half of them cancelled, and none is left")
    func crowd() async throws {
        let clock = ManualClock(now: start)
        let sleeping = (0..<1000).map { number in
            Task { try await clock.sleep(until: start + TimeInterval(1 + number % 7)) }
        }
        try await clock.waitForSleepers(1000)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for task in sleeping.prefix(500) { task.cancel() } }
            group.addTask { clock.advance(by: 3) }
            group.addTask { clock.advance(to: start + 7) }
        }
        clock.advance(to: start + 7)
        var awake = 0
        for task in sleeping {
            if case .success = await task.result { awake += 1 }
        }
        #expect(awake >= 500)
        #expect(clock.deadlines.isEmpty)
    }

    @Test("Time passes automatically while a sleeping operation runs")
    func passing() async throws {
        let clock = ManualClock(now: start)
        let count = try await clock.whilePassing {
            for _ in 0..<100 { try await clock.sleep(until: clock.now + 60) }
            return 100
        }
        #expect(count == 100)
        #expect(clock.now == start + 6000)
    }
}
