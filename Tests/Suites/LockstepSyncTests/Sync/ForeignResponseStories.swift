import Foundation
import HTTPTypes
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import OfflineTasks
import TestSupport
import Testing

/// 2xx responses that are not from the API: a network's sign-in page, a maintenance page, broken JSON.
@Suite("P13 A write that the response does not prove did not happen")
struct ForeignResponseStories {
    private let clock = ManualClock()
    private let id = UUID()

    private static let page = ServerResponse(
        200, headers: [.contentType: "text/html"], body: Data("<!DOCTYPE html><html>Welcome to the train</html>".utf8))

    /// Possible responses of an intermediary to any write.
    static let foreign =
        texts
        + objects.map { status, body in
            ServerResponse(status, headers: [.contentType: "application/json"], body: Data(body.utf8))
        }

    private static let texts: [ServerResponse] = [
        page,
        ServerResponse(200, headers: [.contentType: "text/plain"], body: Data("OK".utf8)),
        ServerResponse(201, headers: [.contentType: "application/json"], body: Data(#"{"identifier":"#.utf8)),
        ServerResponse(201, headers: [.contentType: "application/json"], body: Data("[{}]".utf8)),
        ServerResponse(200, headers: [.contentType: "application/json"], body: Data("true".utf8)),
        ServerResponse(202),
        ServerResponse(302, headers: [.location: "http://portal.test/login"]),
        ServerResponse(403, headers: [.contentType: "text/html"], body: page.body),
        ServerResponse(404, headers: [.contentType: "text/html"], body: page.body),
        ServerResponse(407, headers: [.contentType: "text/html"], body: page.body),
        ServerResponse(511, headers: [.contentType: "text/html"], body: page.body),
        ServerResponse(103), ServerResponse(206, body: Data("{}".utf8)), ServerResponse(600), ServerResponse(999),
    ]

    /// JSON objects that are not the record: of a sign-in page, a queue, a gateway, and another record.
    private static let objects: [(status: Int, body: String)] = [
        (200, #"{"error":"sign in"}"#), (202, #"{"job":1}"#), (200, #"{"status":"ok"}"#), (202, "{}"),
        (200, #"{"identifier":"6E0C5C3C-3A9B-4C11-8A4A-8B8C5D0F5A10","title":"Theirs"}"#),
    ]

    private func sync(_ store: Store, _ remote: any Remote) -> Sync {
        Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    private func edit(_ store: Store, _ change: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws
    {
        try await store.perform { context in
            try change(context)
            try context.save()
        }
    }

    /// Creates, changes and deletes an entry; the first attempt of each gets a foreign response.
    private func life(
        _ sync: Sync, scripting: () -> Void, isThere: (String?) -> Bool
    ) async throws {
        let id = id
        let store = sync.store
        let edits: [@Sendable (ManagedObjectContext) throws -> Void] = [
            { Entry(identifier: id, title: "Monday", context: $0) },
            { try #require(try Entry.find(id, in: $0)).title = "Tuesday" },
            { $0.delete(try #require(try Entry.find(id, in: $0))) },
        ]
        for (edit, title) in zip(edits, ["Monday", "Tuesday", nil]) {
            try await self.edit(store, edit)
            scripting()
            let summary = try await sync.push()
            #expect(summary.sent == 0 && summary.parked.isEmpty)
            let pending = try await store.outbox.pending()
            #expect(pending.count == 1 && pending.first?.parked == nil && pending.first?.retryAt != nil)
            #expect(pending.first?.lastError != nil)
            clock.advance(by: 600)
            #expect(try await sync.push().sent == 1)
            #expect(try await store.outbox.pending().isEmpty)
            #expect(isThere(title))
        }
    }

    @Test("A REST server behind something with other responses", arguments: ForeignResponseStories.foreign.indices)
    func rest(_ number: Int) async throws {
        let server = FakeRails(RailsRules(identityKeys: ["/entries": "identifier"]), clock: clock)
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, RESTRemote(server.url, client: server.client, clock: clock))
        try await life(
            sync, scripting: { server.respondNext(.response(Self.foreign[number]), to: .changes) },
            isThere: { server.record(self.id.uuidString.lowercased(), of: "/entries")?["title"]?.plain == $0 })
    }

    @Test(
        "A Firebase database behind something with other responses, to any of the requests",
        arguments: [0, 1, 2, 3, 4, 10, 11, 12, 13, 14], [FirebaseRemote.Updates.conditional, .unconditional])
    func firebase(_ number: Int, _ updates: FirebaseRemote.Updates) async throws {
        let server = FakeFirebase(clock: clock)
        let store = try Store(JournalSchema.self, at: .inMemory)
        let remote = FirebaseRemote(server.url, client: server.client, updates: updates, clock: clock)
        let sync = sync(store, remote)
        for filter in [ServerRequestFilter.changes, .all] {
            try await life(
                sync, scripting: { server.respondNext(.response(Self.foreign[number]), to: filter) },
                isThere: { server.record(self.id.uuidString.lowercased(), of: "/entries")?["title"]?.plain == $0 })
        }
    }

    @Test(
        "A Firebase database behind something that responds to a write with an object that was not written",
        arguments: objects.indices, [FirebaseRemote.Updates.conditional, .unconditional])
    func firebaseObjects(_ number: Int, _ updates: FirebaseRemote.Updates) async throws {
        let server = FakeFirebase(clock: clock)
        let store = try Store(JournalSchema.self, at: .inMemory)
        let remote = FirebaseRemote(server.url, client: server.client, updates: updates, clock: clock)
        let response = Self.foreign[Self.foreign.count - Self.objects.count + number]
        try await life(
            sync(store, remote), scripting: { server.respondNext(.response(response), to: .changes) },
            isThere: { server.record(self.id.uuidString.lowercased(), of: "/entries")?["title"]?.plain == $0 })
    }

    @Test(
        "A custom remote that returns any response unchecked is not trusted either",
        arguments: ["<html>Welcome</html>", "OK", #"{"identifier":"#, "[{}]", "true", "\"OK\""]
            + objects.map(\.body).filter { $0 != "{}" })
    func custom(_ body: String) async throws {
        let remote = MemoryRemote()
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await life(
            sync(store, remote),
            scripting: { remote.respondNext(.response(.accepted(body: Data(body.utf8))), to: .changes) },
            isThere: { remote.record(self.id.uuidString.lowercased(), of: "/entries")?["title"]?.plain == $0 })
    }

    @Test(
        "A custom remote that rejects with 403 and a page, or with a status that rejects nothing",
        arguments: [302, 403, 103, 206, 1000])
    func customRefusal(_ status: Int) async throws {
        let remote = MemoryRemote()
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await life(
            sync(store, remote),
            scripting: {
                remote.respondNext(.response(.refused(status: status, body: Data("<html>Sign in".utf8))), to: .changes)
            },
            isThere: { remote.record(self.id.uuidString.lowercased(), of: "/entries")?["title"]?.plain == $0 })
    }

    @Test("C4.2 A page is not the current record, which is fetched separately")
    func outdatedPage() async throws {
        let remote = MemoryRemote()
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let id = id
        try await edit(store) { Entry(identifier: id, title: "Monday", context: $0) }
        try await sync.push()
        try await edit(store) { try #require(try Entry.find(id, in: $0)).title = "Tuesday" }
        remote.respondNext(.response(.outdated(current: Data("<html>".utf8), version: nil)), to: .changes)
        #expect(try await sync.push().updated == 1)
        #expect(remote.record(id.uuidString.lowercased(), of: "/entries")?["title"] == "Tuesday")
    }

    @Test("A task whose POST gets a page as response is created once, and then gets its identity")
    func serverIdentity() async throws {
        let server = FakeRails(clock: clock)
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = sync(store, RESTRemote(server.url, client: server.client, clock: clock))
        let id = id
        try await edit(store) { OfflineTasks.Task(localID: id, title: "Milk", context: $0) }
        server.respondNext(.response(Self.page))
        #expect(try await sync.push().parked.isEmpty)
        clock.advance(by: 600)
        #expect(try await sync.push().created == 1)
        #expect(server.records(of: "/tasks").count == 1)
        #expect(try await store.perform { try OfflineTasks.Task.find(id, in: $0)?.remoteID } == 1)
    }

    @Test("P13 A foreign response to a task with a server-generated identity: the task waits, and is created once")
    func serverIdentityObjects() async throws {
        let server = FakeRails(clock: clock)
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = sync(store, RESTRemote(server.url, client: server.client, clock: clock))
        let id = id
        try await edit(store) { OfflineTasks.Task(localID: id, title: "Milk", context: $0) }
        // A job has an id of its own: what was only accepted is not the record.
        for (status, body) in [(200, #"{"error":"sign in"}"#), (201, "{}"), (202, #"{"id":77,"state":"queued"}"#)] {
            server.respondNext(.response(ServerResponse(status, body: Data(body.utf8))), to: .changes)
            let summary = try await sync.push()
            #expect(summary.sent == 0 && summary.parked.isEmpty)
            #expect(try await store.outbox.pending().first?.lastError?.contains("not the API's: \(status)") == true)
            clock.advance(by: 600)
        }
        #expect(try await sync.push().created == 1)
        #expect(server.records(of: "/tasks").count == 1)
    }

    @Test("P13 A Location with 201 identifies the new record, whatever the body contains")
    func location() async throws {
        let server = FakeRails(clock: clock)
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = sync(store, RESTRemote(server.url, client: server.client, clock: clock))
        let id = id
        try await edit(store) { OfflineTasks.Task(localID: id, title: "Milk", context: $0) }
        let envelope = ServerResponse(201, headers: [.location: "/tasks/7"], body: Data(#"{"ok":true}"#.utf8))
        server.respondNext(.response(envelope), to: .changes)
        #expect(try await sync.push().created == 1)
        let task = try await store.perform { try OfflineTasks.Task.find(id, in: $0).map { ($0.remoteID, $0.title) } }
        #expect(task?.0 == 7 && task?.1 == "Milk")
    }

    @Test("P13 A response with another record neither confirms an update nor is merged")
    func anotherRecord() async throws {
        let remote = MemoryRemote()
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let id = id
        try await edit(store) { OfflineTasks.Task(localID: id, title: "Milk", context: $0) }
        #expect(try await sync.push().created == 1)
        try await edit(store) { try #require(try OfflineTasks.Task.find(id, in: $0)).title = "Bread" }
        let other = Data(#"{"id":9,"title":"Bread","created_at":"2026-01-05T10:00:00Z"}"#.utf8)
        for response in [SendResponse.accepted(body: other), .outdated(current: other, version: nil)] {
            remote.respondNext(.response(response), to: .changes)
            _ = try await sync.push()
            clock.advance(by: 600)
            #expect(try await store.perform { try $0.fetch(OfflineTasks.Task.all()).map(\.remoteID) } == [1])
        }
        _ = try await sync.push()
        #expect(remote.record("1", of: "/tasks")?["title"] == "Bread")
    }

    @Test(
        "P13 A record proves that it was written: by its identity, in any notation, or by a sent value",
        arguments: [
            #"{"identifier":"ID","title":"Other than TITLE"}"#, #"{"title":"TITLE"}"#, "", "null",
            #"{"title":"TITLE","unknown":1e400}"#,
        ])
    func proven(_ body: String) async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let id = id
        for (title, isUpper) in [("Monday", true), ("Tuesday", false)] {
            try await edit(store) {
                if let entry = try Entry.find(id, in: $0) {
                    entry.title = title
                } else {
                    Entry(identifier: id, title: title, context: $0)
                }
            }
            let text = isUpper ? id.uuidString : id.uuidString.lowercased()
            let response = body.replacing("ID", with: text).replacing("TITLE", with: title)
            remote.respondNext(.response(.accepted(body: Data(response.utf8))), to: .changes)
            #expect(try await sync.push().sent == 1)
        }
        try await edit(store) { $0.delete(try #require(try Entry.find(id, in: $0))) }
        let gone = body.contains("ID") ? #"{"identifier":"\#(id.uuidString)"}"# : "{}"
        remote.respondNext(.response(.accepted(body: Data(gone.utf8))), to: .changes)
        #expect(try await sync.push().deleted == 1)
    }

    @Test("The error contains the response and its origin, and says that the request is retried")
    func message() async throws {
        let server = FakeRails(RailsRules(identityKeys: ["/entries": "identifier"], signInPath: "/sign_in"))
        server.require(token: "secret")
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, RESTRemote(server.url, client: server.client, clock: clock))
        let id = id
        try await edit(store) { Entry(identifier: id, title: "Monday", context: $0) }
        #expect(try await sync.push().sent == 0)
        #expect(server.log == ["POST /entries", "GET /sign_in"])
        #expect(
            try await store.outbox.pending().first?.lastError == """
                the response is not the API's: 200 with text/html from http://localhost/sign_in, an HTML page
                """)
    }

    @Test("A read that gets a page changes nothing, can be retried, and deletes no record")
    func reading() async throws {
        let server = FakeRails(RailsRules(identityKeys: ["/entries": "identifier"]), clock: clock)
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, RESTRemote(server.url, client: server.client, clock: clock))
        let id = id
        try await edit(store) { Entry(identifier: id, title: "Monday", context: $0) }
        try await sync.push()
        for response in [0, 7, 8, 9, 10].map({ Self.foreign[$0] }) + [ServerResponse(302)] {
            server.respondNext(.response(response))
            let error = try await syncError { try await sync.pull(Entry.self, id: id) }
            #expect(error.isTransient, "\(error)")
            #expect(try await store.perform { try Entry.find(id, in: $0) != nil })
        }
        server.respondNext(.response(Self.page))
        let error = try await syncError { try await sync.pull(Entry.self, options: MergeOptions(records: .all)) }
        #expect(error.code == .unexpectedResponse(status: 200))
    }

    @Test("An API with other responses declares them in its conventions")
    func acknowledgements() async throws {
        var conventions = RESTConventions()
        conventions.writes.acknowledgements.texts = ["OK", #"{"status":"ok","code":0}"#]
        conventions.writes.acknowledgements.emptyStatuses.insert(202)
        conventions.writes.acknowledgements.includeErrorPages = true
        let server = FakeRails(RailsRules(identityKeys: ["/entries": "identifier"]), clock: clock)
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(
            store, RESTRemote(server.url, client: server.client, conventions: conventions, clock: clock))
        let id = id
        try await edit(store) { Entry(identifier: id, title: "Monday", context: $0) }
        server.respondNext(
            .response(ServerResponse(200, headers: [.contentType: "text/plain"], body: Data(" OK\n".utf8))))
        #expect(try await sync.push().created == 1)
        try await edit(store) { try #require(try Entry.find(id, in: $0)).title = "Tuesday" }
        server.respondNext(.response(ServerResponse(202)))
        #expect(try await sync.push().updated == 1)
        try await edit(store) { try #require(try Entry.find(id, in: $0)).title = "Wednesday" }
        // With any spacing.
        server.respondNext(.response(ServerResponse(200, body: Data(#"{ "code": 0, "status": "ok" }"#.utf8))))
        #expect(try await sync.push().updated == 1)
        try await edit(store) { $0.delete(try #require(try Entry.find(id, in: $0))) }
        server.respondNext(.response(Self.foreign[8]))
        #expect(try await sync.push().deleted == 1)
    }
}

extension JSONValue {
    fileprivate var plain: String? { if case .string(let text) = self { text } else { nil } }
}
