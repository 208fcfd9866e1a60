import Foundation
import Journal
import LockstepStore
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

@testable import LockstepSync

/// How long changes wait after any failure, under any clock, and what ends the wait.
@Suite("P7 Waits of any length")
struct WaitingPropertyTests {
    private let remote = MemoryRemote(traits: RemoteTraits())
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func store() async throws -> Store {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            Entry(title: "mine", context: context)
            try context.save()
        }
        return store
    }

    private func sync(_ store: Store, _ clock: ManualClock, _ retries: RetrySchedule) -> Sync {
        Sync(store: store, remote: remote, retries: retries, clock: clock, random: { 0.5 })
    }

    private var isSent: Bool { !remote.records(of: "/entries").isEmpty }

    @Test(
        "P7.1 A delay is a random part of a limit that doubles up to the maximum; Retry-After takes precedence",
        arguments: Seeds.some(20, of: UInt64(0)...999))
    func delays(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let base = random.element(of: [0.1, 1, 7, 300])
        let (most, longest) = (random.element(of: [0, 1, 60, 300, 100_000.0]), random.element(of: [10, 86_400.0]))
        let schedule = RetrySchedule(baseSeconds: base, maximumSeconds: most, maximumRetryAfterSeconds: longest)
        let attempts = random.element(of: [1, 2, 3, 10, 64, 10_000, .max])
        let part = Double.random(in: 0..<1, using: &random)
        var limit = base
        for _ in 1..<min(attempts, 100) { limit = min(limit * 2, 1e30) }
        #expect(abs(schedule.delaySeconds(after: attempts, random: part) - min(limit, most) * part) < 0.001)
        let said = random.element(of: [-5, 0, 9, 11, 86_401, 1e9, .infinity])
        let expected = min(max(said, 0), longest)
        #expect(schedule.delaySeconds(after: attempts, retryAfter: said, random: part) == expected)
    }

    @Test(
        "P7.8 A stored time is kept as long as it can be right, whatever the clock showed when it was stored",
        arguments: Seeds.some(20, of: UInt64(0)...999))
    func wrongClocks(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let years = 4 * 365 * 86_400.0
        let seconds = random.element(of: [2.0, 60, 3_600, 86_400])
        let status = random.element(of: [429, 500, 503])
        let began = now + random.element(of: [-years, -60, 0, 60, years])
        let later = random.element(of: [-years, -3_600, -1.5, -0.5, 0.5, seconds - 0.5, seconds + 0.5])
        let (store, retries) = (try await store(), RetrySchedule(attemptsPerPush: 1))
        remote.respondNext(.unavailable(status: status, retryAfter: seconds), to: .changes)
        _ = try? await sync(store, ManualClock(now: began), retries).push()
        _ = try? await sync(store, ManualClock(now: began + later), retries).push()
        #expect(isSent == (later < -1 || later >= seconds), "\(status), \(seconds) s, \(later) s later")
    }

    @Test(
        "P7.10 One push waits as long as it may, and what remains is due at the server's time",
        arguments: Seeds.some(10, of: UInt64(0)...499))
    func longestWait(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let (most, seconds) = (random.element(of: [0.5, 10, 250, 600]), random.element(of: [1.0, 200, 400, 3_600]))
        let (status, clock, store) = (random.element(of: [429, 500, 503]), ManualClock(now: now), try await store())
        remote.respondNext(.unavailable(status: status, retryAfter: seconds), to: .changes)
        let sync = sync(store, clock, RetrySchedule(maximumPushWaitSeconds: most))
        _ = try? await clock.whilePassing { try await sync.push() }
        #expect(isSent == (seconds <= most), "\(status), \(seconds) s of \(most) s")
        #expect(clock.now == (isSent ? now + seconds : now))
        clock.advance(by: seconds)
        _ = try await sync.push()
        #expect(isSent)
    }

    @Test(
        "P7.11 A count of attempts stays at its limit, and the delay at the longest one",
        arguments: Seeds.some(10, of: UInt64(0)...499))
    func counts(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let count = random.element(of: [
            Int.random(in: 0...2_000, using: &random),
            random.element(of: [254, 255, 256, 65_535, 999_999, 1_000_000, .max]),
        ])
        let (store, clock) = (try await store(), ManualClock(now: now))
        let retries = RetrySchedule(attemptsPerPush: 1)
        let isAlone = random.isOne(in: 2)
        func setCounts() async throws {
            try await store.writer.write { database in
                try database.execute(sql: "UPDATE lockstep_outbox SET attempts = \(count)")
                try database.execute(
                    sql: "UPDATE lockstep_metadata SET value = '\(count)' WHERE key = 'sync_pause_attempts'")
            }
        }
        let failure: ScriptedResponse = isAlone ? .unavailable(status: 500) : .connectionFails
        remote.respondNext(failure, to: .changes, times: 2)
        _ = try? await sync(store, clock, retries).push()
        try await setCounts()
        clock.advance(by: 60)
        _ = try? await sync(store, clock, retries).push()
        let expected = min(count, 999_999) + 1
        let delay = retries.delaySeconds(after: expected, random: 0.5)
        if isAlone {
            let change = try #require(try await store.outbox.pending().first)
            #expect(change.attempts == expected && change.retryAt == clock.now + delay, "\(count)")
        } else {
            let pause = try #require(try await store.writer.read { try SyncPause.read($0) })
            #expect(pause.attempts == expected && pause.wait.end == clock.now + delay, "\(count)")
        }
    }

    @Test(
        "P7.2 P7.4 A push that waits does not keep others from pulling; a response ends its wait unless the server has set it",
        arguments: Seeds.some(4, of: UInt64(0)...199))
    func pulls(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let (store, clock) = (try await store(), ManualClock(now: now))
        let status = random.element(of: [nil, 429, 503] as [Int?])
        let sync = sync(store, clock, RetrySchedule(baseSeconds: 200))
        remote.respondNext(status.map { .unavailable(status: $0, retryAfter: 100) } ?? .connectionFails, to: .changes)
        let push = _Concurrency.Task { try await sync.push() }
        try await clock.waitForSleepers(1)
        let responds = !random.isOne(in: 3)
        if !responds { remote.respondNext(.connectionFails, to: .fetches) }
        let hasPulled = Locked(false)
        let pull = _Concurrency.Task {
            defer { hasPulled.withLock { $0 = true } }
            _ = try? await sync.pull(Entry.self)
        }
        #expect(try await soon { hasPulled.withLock { $0 } }, "a pull waits for the push")
        let isEnded = status == nil && responds
        if isEnded { #expect(try await soon { isSent }, "the push still waits") }
        #expect(isSent == isEnded)
        clock.advance(by: 100)
        #expect(try await push.value.created == 1)
        await pull.value
    }

    @Test(
        "P2 P7.6 P8 A change is sent when all that it depends on was, and only then",
        arguments: Seeds.some(20, of: UInt64(0)...999))
    func plans(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let places = Array(0..<Int.random(in: 1...12, using: &random)).shuffled(using: &random)
        let items = places.indices.map { index -> PushPlan.Item in
            let others = places.indices.filter { places[$0] < places[index] && random.isOne(in: 4) }
            return PushPlan.Item(id: Int64(index), requires: others)
        }
        var plan = PushPlan(items)
        var (done, travelling, failed): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
        while true {
            if let index = plan.next(at: now) {
                #expect(done.isSuperset(of: items[index].requires), "\(items): \(index) after \(done)")
                travelling.insert(index)
            } else if travelling.isEmpty {
                break
            }
            guard let index = travelling.randomElement(using: &random), random.isOne(in: 2) else { continue }
            travelling.remove(index)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                plan.delay(index, until: now + 60)
                failed.insert(index)
            case 1:
                plan.hold(index)
                failed.insert(index)
            default:
                plan.finish(index)
                done.insert(index)
            }
        }
        let left = items.indices.filter { !done.contains($0) && !failed.contains($0) }
        #expect(left.allSatisfy { !done.isSuperset(of: items[$0].requires) }, "\(items): \(left) after \(done)")
    }
}
