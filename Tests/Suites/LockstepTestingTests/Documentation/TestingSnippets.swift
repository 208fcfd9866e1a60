import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing

// The Swift of Testing.md, and the test of GettingStarted.md, compiled and run.

@Suite("The Swift in Testing.md")
struct TestingSnippets {
    private let entry: JSONValue = [
        "identifier": "5a4f0c9e-98f1-4c0b-8f0e-3c1d2b1a0f11", "title": "Monday", "mood": "happy",
        "timestamp": "2026-01-05T10:00:00Z",
    ]

    @Test("A remote in memory")
    func memory() async throws {
        let entry = entry
        // snippet
        let remote = MemoryRemote()
        remote.set(entry, id: "5a4f0c9e-98f1-4c0b-8f0e-3c1d2b1a0f11", in: "/entries")

        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote)
        _ = try await sync.pull(Entry.self)

        #expect(try await store.perform { try $0.fetch(Entry.all()).map(\.title) } == ["Monday"])
        #expect(remote.log.map(\.description) == ["fetch /entries"])
        // end
    }

    @Test("Getting started: a test")
    func gettingStarted() async throws {
        // snippet
        let monday: JSONValue = [
            "identifier": "5a4f0c9e-98f1-4c0b-8f0e-3c1d2b1a0f11", "title": "Monday", "mood": "happy",
            "timestamp": "2026-01-05T10:00:00Z",
        ]
        let remote = MemoryRemote()
        remote.set(monday, id: "5a4f0c9e-98f1-4c0b-8f0e-3c1d2b1a0f11", in: "/entries")

        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote)
        _ = try await sync.pull(Entry.self)

        #expect(try await store.perform { try $0.fetch(Entry.all()).map(\.title) } == ["Monday"])
        #expect(remote.log.map(\.description) == ["fetch /entries"])
        // end
    }

    @Test("Scripted responses")
    func scripts() async throws {
        let remote = MemoryRemote()
        // snippet
        remote.respondNext(.unavailable(status: 503, retryAfter: 10), to: .changes)
        remote.respondNext(.responseLost, to: .kind(.create, path: "/tasks"))
        remote.respondNext(.connectionFails, to: .fetches, times: 3)
        // end
        remote.clearScripts()
    }

    @Test("A scripted rejection")
    func rejection() async throws {
        let remote = MemoryRemote()
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote)
        try await store.perform { context in
            _ = Entry(title: "Monday", context: context)
            try context.save()
        }
        // snippet
        remote.respondNext(.refused(status: 422, body: ["errors": ["title": ["is taken"]]]), to: .changes)
        let summary = try await sync.push()  // 1 parked
        let change = try #require(summary.parked.first)
        #expect(change.parked?.status == 422)
        #expect(sync.problem(of: change)?.attributes == ["title": ["is taken"]])
        #expect(remote.changes.isEmpty)  // a scripted rejection has no effect on the server
        // end
    }

    @Test("A held response")
    func gates() async throws {
        let remote = MemoryRemote()
        remote.set(entry, id: "1", in: "/entries")
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote)
        // snippet
        let gate = Gate()
        remote.respondNext(.responseHeld(gate))
        let pull = Task { try await sync.pull(Entry.self) }
        try await gate.reached()  // the server has responded, and nothing has arrived
        #expect(try await store.perform { try $0.fetch(Entry.all()).isEmpty })
        gate.open()
        _ = try await pull.value
        // end
        #expect(try await store.perform { try $0.fetch(Entry.all()).count } == 1)
    }

    @Test("A clock")
    func clock() async throws {
        // snippet
        let clock = ManualClock()
        let task = Task { try await clock.sleep(until: clock.now + 30) }
        try await clock.waitForSleepers(1)
        clock.advance(by: 30)
        try await task.value

        let count = try await clock.whilePassing {  // sleeping tasks are woken at once, in order
            try await clock.sleep(until: clock.now + 3600)
            return 1
        }
        // end
        #expect(count == 1)
    }

    @Test("A network")
    func network() async throws {
        let remote = MemoryRemote()
        remote.set(entry, id: "1", in: "/entries")
        let store = try Store(JournalSchema.self, at: .inMemory)
        // snippet
        let clock = ManualClock()
        let network = FaultyNetwork(seed: 7, faults: .train, clock: clock)
        let sync = Sync(store: store, remote: network.remote(remote), clock: clock)
        for _ in 1...20 {
            await clock.whilePassing { _ = try? await sync.pull(Entry.self) }
        }
        network.faults = .none
        await network.deliverLate()  // requests that are still on their way
        _ = try await sync.pull(Entry.self)
        print(network.log)  // [responseLost fetch /entries, …]
        // end
        #expect(try await store.perform { try $0.fetch(Entry.all()).count } == 1)
    }

    @Test("A Firebase-style server")
    func firebase() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let entry = entry
        // snippet
        let server = try await FakeFirebase.start()
        server.set(entry, at: "/entries/5a4f0c9e-98f1-4c0b-8f0e-3c1d2b1a0f11")
        server.require(token: "secret")

        let remote = FirebaseRemote(server.url, client: URLSessionClient(), auth: { _ in "secret" })
        _ = try await Sync(store: store, remote: remote).pull(Entry.self)

        try await server.restart()  // every connection breaks; the data stays
        await server.stop()
        // end
        #expect(try await store.perform { try $0.fetch(Entry.all()).count } == 1)
    }
}
