import Foundation
import HTTPTypes
import Journal
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import RuntimeTestSupport
import TestSupport
import Testing

/// The journal of a later version of the app.
private enum LaterJournal: StoreSchema {
    static let name = JournalSchema.name
    static let version = 2
    static let entities = JournalSchema.entities
    static let fingerprint = JournalSchema.fingerprint
    static let structure = JournalSchema.structure
    static let compiled = JournalSchema.compiled
}

@Suite("P17 Servers that require a newer version of the app", .unhurried)
@MainActor
struct UpdateNeededTests {
    private static let rules = RailsRules(identityKeys: ["/entries": "identifier"])

    private let clock = ManualClock()

    private func sync(
        _ store: Store, _ server: FakeRails, as schema: (any StoreSchema.Type)? = JournalSchema.self,
        client: any HTTPClient = URLSessionClient(timeouts: .unlimited)
    ) -> Sync {
        var conventions = RESTConventions()
        conventions.schema = schema.map(SchemaHeader.init)
        return Sync(
            store: store, remote: RESTRemote(server.url, client: client, conventions: conventions),
            maximumConcurrentPushes: 1, clock: clock, random: { 0.5 })
    }

    private func store(_ count: Int = 3) async throws -> Store {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            for number in 0..<count { Entry(title: "Entry \(number)", context: context) }
            try context.save()
        }
        return store
    }

    private func status(_ sync: Sync) async -> SyncStatus? {
        for await status in sync.status { return status }
        return nil
    }

    /// The error of a call, which does not wait for ever if it retries.
    private func code(_ body: @Sendable () async throws -> Void) async -> SyncError.Code? {
        await (#expect(throws: SyncError.self) { try await clock.whilePassing { try await body() } })?.code
    }

    @Test("The schema is named in each request if the app wants it")
    func header() async throws {
        let wire = try #require(JournalSchema.fingerprint.split(separator: "-").last)
        #expect(SchemaHeader(JournalSchema.self).value == "Journal/1; wire=\(wire)")
        #expect(SchemaHeader(LaterJournal.self).value == "Journal/2; wire=\(wire)")
        try await withServer(FakeRails(Self.rules)) { server in
            let store = try await store(1)
            let named = sync(store, server)
            try await named.push()
            try await named.pull(Entry.self)
            #expect(server.requests.count == 2)
            #expect(server.requests.allSatisfy { $0.headers[SchemaHeader.name] == "Journal/1; wire=\(wire)" })
            server.clearLog()
            try await sync(store, server, as: nil).pull(Entry.self)
            #expect(server.requests.map { $0.headers[SchemaHeader.name] } == [nil])
        }
    }

    @Test("P17 After 426, a push stops at once; nothing is parked, and a newer version sends everything")
    func push() async throws {
        try await withServer(FakeRails(Self.rules)) { server in
            let store = try await store()
            server.require(schemaVersion: 2, message: "Please get Journal 2.")
            let old = sync(store, server)
            let needed = SyncError.Code.updateNeeded(message: "Please get Journal 2.")
            #expect(await code { try await old.push() } == needed)
            #expect(server.log == ["POST /entries"])
            let pending = try await store.outbox.pending()
            #expect(pending.count == 3)
            #expect(pending.allSatisfy { $0.parked == nil && $0.retryAt == nil })
            guard case .stopped(let problem)? = await status(old) else {
                Issue.record("the status is \(String(describing: await status(old)))")
                return
            }
            #expect(problem.code == needed)
            #expect(!problem.isTransient)

            // The store is usable meanwhile, and the edited creation is sent as it is then.
            try await store.perform { context in
                for entry in try context.fetch(Entry.all()) { entry.title += "!" }
                try context.save()
            }
            let summary = try await sync(store, server, as: LaterJournal.self).push()
            #expect(summary.created == 3 && summary.sent == 3 && summary.remaining == 0)
            #expect(Set(server.records(of: "/entries").map { $0["title"] }) == ["Entry 0!", "Entry 1!", "Entry 2!"])
        }
    }

    @Test("P17 An edit and a delete stay pending, too")
    func edits() async throws {
        try await withServer(FakeRails(Self.rules)) { server in
            let store = try await store(2)
            let sync = sync(store, server)
            try await sync.push()
            try await store.perform { context in
                let entries = try context.fetch(Entry.all())
                entries[0].title = "Edited"
                context.delete(entries[1])
                try context.save()
            }
            server.require(schemaVersion: 2)
            _ = await code { try await sync.push() }
            #expect(try await Set(store.outbox.pending().map(\.kind)) == [.update, .delete])
            server.require(schemaVersion: nil)
            #expect(try await sync.push().sent == 2)
            guard case .idle? = await status(sync) else {
                Issue.record("the status still says that an update is needed")
                return
            }
            #expect(server.records(of: "/entries").map { $0["title"] } == ["Edited"])
        }
    }

    @Test("P17 A pull throws it, and changes nothing")
    func pull() async throws {
        try await withServer(FakeRails(Self.rules)) { server in
            let store = try await store(0)
            server.require(schemaVersion: 2)
            let sync = sync(store, server)
            let needed = SyncError.Code.updateNeeded(message: "Please update the app.")
            #expect(await code { try await sync.pull(Entry.self) } == needed)
            #expect(server.log == ["GET /entries"])
        }
    }

    @Test("P17 `run` ends with it, after one request, and the status says so")
    func run() async throws {
        let server = FakeRails(Self.rules)
        let store = try await store()
        server.require(schemaVersion: 2)
        let sync = sync(store, server, client: server.client)
        let needed = SyncError.Code.updateNeeded(message: "Please update the app.")
        let hasEnded = Locked(false)
        let run = Task {
            defer { hasEnded.withLock { $0 = true } }
            try await sync.run()
        }
        _ = try await soon { hasEnded.withLock { $0 } }
        // If it goes on, it ends without an error now.
        run.cancel()
        #expect(await code { try await run.value } == needed)
        #expect(server.log == ["POST /entries"])
        #expect(try await store.outbox.status().count == 3)
        guard case .stopped? = await status(sync) else {
            Issue.record("the status does not say so")
            return
        }
    }

    @Test(
        "P17 The message is what the body says, if it is no page",
        arguments: [
            (#"{"error":"Update, please."}"#, "Update, please."), (#"{"error":{"message":"Old."}}"#, "Old."),
            (#"{"title":"Too old","detail":"Get version 2."}"#, "Get version 2."), ("Too old.\n", "Too old."),
            ("<!DOCTYPE html><html><body>426</body></html>", nil), ("", nil), (#"{"code":7}"#, nil), ("{", nil),
        ] as [(String, String?)])
    func messages(body: String, message: String?) async throws {
        let server = FakeRails()
        server.respondNext(.response(ServerResponse(426, body: Data(body.utf8))))
        let sync = Sync(
            store: try await store(0), remote: RESTRemote(server.url, client: server.client), clock: ManualClock())
        #expect(await code { try await sync.pull(Entry.self) } == .updateNeeded(message: message))
    }

    @Test("P17 Other rejections are not this: the change is parked", arguments: [400, 415, 422])
    func others(status: Int) async throws {
        let server = FakeRails()
        server.respondNext(.status(status), to: .changes)
        let store = try await store(1)
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: server.client), clock: ManualClock())
        #expect(try await sync.push().parked.map(\.parked?.status) == [status])
    }
}
