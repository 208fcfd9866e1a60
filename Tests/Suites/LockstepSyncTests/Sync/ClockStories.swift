import Foundation
import GRDB
import Journal
import LockstepStore
import LockstepSystem
import LockstepTesting
import TestSupport
import Testing

@testable import LockstepSync

/// Devices whose clocks were wrong when something was stored, and files with times that no clock has shown.
@Suite("Wrong clocks")
struct ClockStories {
    private let remote = MemoryRemote(traits: RemoteTraits())
    private let now = Date(timeIntervalSince1970: 1_700_000_000)
    private static let years = 4 * 365 * 86_400.0

    private func sync(_ store: Store, _ clock: ManualClock, attempts: Int = 4) -> Sync {
        Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: attempts), clock: clock,
            random: { 0.5 })
    }

    private func store() async throws -> Store {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            Entry(title: "mine", context: context)
            try context.save()
        }
        return store
    }

    private var titles: [JSONValue?] { remote.records(of: "/entries").map { $0["title"] } }

    /// What a server that fails makes of a change, each of which stores a time in another place.
    static let failures: [ScriptedResponse] = [
        .connectionFails, .unavailable(status: 500), .unavailable(status: 503, retryAfter: 5),
        .unavailable(status: 500, retryAfter: 5), .unavailable(status: 429, retryAfter: 86_400),
    ]

    @Test(
        "P7.8 A device whose clock was ahead when the server failed sends at once when it is corrected",
        arguments: failures.indices, [3_600, years])
    func corrected(failure: Int, seconds: TimeInterval) async throws {
        let store = try await store()
        remote.respondNext(Self.failures[failure], to: .changes)
        _ = try? await sync(store, ManualClock(now: now + seconds), attempts: 1).push()
        #expect(titles.isEmpty)
        // Nobody moves this clock: a wait would never end.
        #expect(try await sync(store, ManualClock(now: now)).push().created == 1)
        #expect(titles == ["mine"])
    }

    @Test("P7.8 The same for `run`, and for one whose clock was behind", arguments: [years, -years])
    func running(seconds: TimeInterval) async throws {
        for failure in Self.failures {
            let store = try await store()
            let count = titles.count
            remote.respondNext(failure, to: .changes)
            _ = try? await sync(store, ManualClock(now: now + seconds), attempts: 1).push()
            let clock = ManualClock(now: now)
            let run = _Concurrency.Task { try await sync(store, clock).run() }
            try await clock.waitForSleepers(1)
            #expect(titles.count == count + 1)
            run.cancel()
            try await run.value
        }
    }

    @Test(
        "F1 P7.8 P7.11 A time or a count that nothing has stored holds nothing back, and ends no process",
        arguments: [
            "9e999", "-9e999", "1e300", "9223372036854775807", "-9223372036854775808", "'soon'", "x'00ff'", "''",
        ])
    func damaged(value: String) async throws {
        for column in ["retry_at", "attempts", "changed_at", "waits_since"] {
            let store = try await store()
            let count = titles.count
            remote.respondNext(.unavailable(status: 500), to: .changes)
            let clock = ManualClock(now: now)
            _ = try? await sync(store, clock, attempts: 1).push()
            try await store.writer.write { try $0.execute(sql: "UPDATE lockstep_outbox SET \(column) = \(value)") }
            _ = try await store.outbox.pending().map(\.retryAt)
            _ = try await store.outbox.status()
            remote.respondNext(.unavailable(status: 500), to: .changes)
            _ = try await clock.whilePassing { try await sync(store, clock).push() }
            #expect(titles.count == count + 1, "\(column)")
        }
        for key in ["sync_paused_until", "sync_pause_attempts", "sync_paused_since"] {
            let store = try await store()
            let count = titles.count
            remote.respondNext(.unavailable(status: 503, retryAfter: 10), to: .changes)
            let clock = ManualClock(now: now)
            _ = try? await sync(store, clock, attempts: 1).push()
            try await store.writer.write { database in
                try database.execute(
                    sql: "UPDATE lockstep_metadata SET value = \(value) WHERE key = ?", arguments: [key])
            }
            remote.respondNext(.connectionFails, to: .changes)
            _ = try await clock.whilePassing { try await sync(store, clock).push() }
            #expect(titles.count == count + 1, "\(key)")
        }
    }

    @Test("F1 P7 A change that cannot be read is no progress: a push whose other change fails ends")
    func unreadable() async throws {
        let store = try await store()
        try await store.perform { context in
            Entry(title: "unreadable", context: context)
            try context.save()
        }
        try await store.writer.write { database in
            try database.execute(
                sql: "UPDATE lockstep_outbox SET change = '[null]' WHERE id = (SELECT MAX(id) FROM lockstep_outbox)")
        }
        remote.respondNext(.unavailable(status: 500), to: .changes, times: 20)
        let clock = ManualClock(now: now)
        let summary = try await clock.whilePassing { try await sync(store, clock).push() }
        #expect(summary.sent == 0)
        #expect(summary.remaining == 1)
        #expect(remote.log.count { $0.kind == .create } == 4)
    }

    @Test("P7.10 One push does not wait longer than its schedule allows; what remains is due at the server's time")
    func longWait() async throws {
        let store = try await store()
        remote.respondNext(.unavailable(status: 503, retryAfter: 3_600), to: .changes)
        let clock = ManualClock(now: now)
        let error = await #expect(throws: SyncError.self) {
            try await clock.whilePassing { try await sync(store, clock).push() }
        }
        #expect(error?.code == .unavailable(status: 503))
        #expect(clock.now == now && titles.isEmpty)
        clock.advance(by: 3_600)
        #expect(try await sync(store, clock).push().created == 1)
        // The same for a change that waits alone.
        try await store.perform { context in
            try context.fetch(Entry.all()).first?.title = "other"
            try context.save()
        }
        remote.respondNext(.unavailable(status: 500, retryAfter: 3_600), to: .changes)
        let summary = try await clock.whilePassing { try await sync(store, clock).push() }
        #expect(clock.now == now + 3_600)
        #expect(summary.remaining == 1 && summary.retryAt == clock.now + 3_600)
    }

    @Test(
        "P7.8 A time that an earlier version of the library has stored, without its beginning, is kept if it can be right"
    )
    func earlierVersion() async throws {
        for (seconds, isKept) in [(60, true), (86_400, true), (90_000, false), (Self.years, false)] {
            let store = try await store()
            let count = titles.count
            let until = now.timeIntervalSince1970 + seconds
            try await store.writer.write { database in
                try database.execute(
                    sql: "UPDATE lockstep_outbox SET attempts = 1, retry_at = ?, waits_since = NULL", arguments: [until]
                )
            }
            let clock = ManualClock(now: now)
            _ = try await sync(store, clock, attempts: 1).push()
            #expect(titles.count == (isKept ? count : count + 1), "\(seconds)")
        }
    }

    @Test(
        "P7.8 The table of an earlier version, which lacks the beginning, is read as it is, and gets it when it is opened"
    )
    func earlierTable() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("journal.sqlite")
            let store = try Store(JournalSchema.self, at: .file(file))
            try await store.perform { context in
                Entry(title: "mine", context: context)
                try context.save()
            }
            try store.close()
            try await DatabaseQueue(path: file.path).write { [until = now.timeIntervalSince1970 + 60] database in
                for table in ["lockstep_outbox", "lockstep_attachment"] {
                    try database.execute(sql: "ALTER TABLE \(table) DROP COLUMN waits_since")
                }
                try database.execute(sql: "UPDATE lockstep_outbox SET attempts = 1, retry_at = ?", arguments: [until])
                try database.execute(sql: "UPDATE lockstep_metadata SET value = '2 earlier' WHERE key = 'outbox'")
            }
            var reading = Configuration()
            reading.readonly = true
            let reader = try Store(JournalSchema.self, at: .file(file), configuration: reading)
            #expect(try await reader.outbox.pending().map(\.retryAt) == [now + 60])
            try reader.close()
            let opened = try Store(JournalSchema.self, at: .file(file))
            let clock = ManualClock(now: now)
            remote.respondNext(.unavailable(status: 500), to: .changes)
            _ = try await sync(opened, clock, attempts: 1).push()
            #expect(remote.log.isEmpty)
            _ = try await clock.whilePassing { try await sync(opened, clock).push() }
            #expect(titles == ["mine"] && clock.now > now + 60)
            try opened.close()
        }
    }
}
