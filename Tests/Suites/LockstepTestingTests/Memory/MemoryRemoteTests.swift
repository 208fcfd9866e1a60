import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import OfflineTasks
import Testing

@Suite("A server in memory") struct MemoryRemoteTests {
    private let entries = RemoteEntity(Entry.entity.plan)
    private let tasks = RemoteEntity(OfflineTasks.Task.entity.plan)
    private let id = "5A4F0C9E-98F1-4C0B-8F0E-3C1D2B1A0F11"

    private func change(
        _ kind: OutgoingChange.Kind, _ entity: RemoteEntity, id: JSONValue? = nil, _ json: JSONValue = .null,
        key: String, version: String? = nil
    ) throws -> OutgoingChange {
        OutgoingChange(
            kind: kind, entity: entity, identity: id.map { RemoteIdentity([$0]) }, body: try json.json(),
            changes: try json.json(), idempotencyKey: key, version: version)
    }

    private func accepted(_ response: SendResponse) throws -> (body: JSONValue?, version: String?, id: RemoteIdentity?)
    {
        guard case .accepted(let body, let version, let identity) = response else {
            throw SyncError(.malformed, reason: "\(response)", remedy: "")
        }
        return (try body.map { try JSONValue(json: $0) }, version, identity)
    }

    private func json(_ response: FetchResponse) async throws -> JSONValue {
        guard case .records(let records) = response else {
            throw SyncError(.malformed, reason: "\(response)", remedy: "")
        }
        return try JSONValue(json: try await records.body.collected(upTo: 1 << 20))
    }

    @Test("A record is created, changed and deleted, and the log contains all requests")
    func wholeWay() async throws {
        let remote = MemoryRemote()
        let identifier = JSONValue.string(id)
        let made = try accepted(
            try await remote.send(
                change(.create, entries, id: identifier, ["identifier": .string(id), "title": "Monday"], key: "a")))
        #expect(made.body?["title"] == "Monday")
        let changed = try accepted(
            try await remote.send(
                change(.update, entries, id: identifier, ["title": "Tuesday"], key: "b", version: made.version)))
        #expect(changed.body?["identifier"] == identifier)
        #expect(changed.version != made.version)
        #expect(try await json(remote.fetch(RemoteRequest(entity: entries)))[0]?["title"] == "Tuesday")
        _ = try accepted(try await remote.send(change(.delete, entries, id: identifier, key: "c")))
        #expect(remote.records(of: "/entries").isEmpty)
        #expect(
            remote.log.map(\.description) == [
                "create /entries/\(id)", "update /entries/\(id)", "fetch /entries", "delete /entries/\(id)",
            ])
        #expect(remote.log.map(\.outcome) == ["accepted", "accepted", "records", "accepted"])
        #expect(remote.changes.map(\.kind) == [.created, .updated, .deleted])
    }

    @Test("P10.1 A request repeated with the same key after a lost response creates no second record")
    func lostResponse() async throws {
        let remote = MemoryRemote()
        remote.respondNext(.responseLost, to: .changes)
        let creation = try change(.create, tasks, ["title": "Milk"], key: "k")
        await #expect(throws: SyncError.self) { try await remote.send(creation) }
        let again = try accepted(try await remote.send(creation))
        #expect(again.id == RemoteIdentity([1]))
        #expect(again.body?["id"] == 1)
        #expect(remote.records(of: "/tasks").count == 1)
        #expect(remote.changes.count == 1)
        #expect(remote.log.map(\.outcome) == ["network", "accepted"])
        let other = try change(.create, tasks, ["title": "Bread"], key: "k")
        guard case .refused(status: 422, _) = try await remote.send(other) else {
            Issue.record("a key is for one request")
            return
        }
    }

    @Test("C4.2 A change to an older version is rejected with the current record")
    func outdated() async throws {
        let remote = MemoryRemote()
        remote.set(["id": 7, "title": "Milk"], id: "7", in: "/tasks")
        let response = try await remote.send(change(.update, tasks, id: 7, ["title": "Bread"], key: "k", version: "0"))
        guard case .outdated(let current, let version) = response else {
            Issue.record("\(response)")
            return
        }
        #expect(try JSONValue(json: try #require(current)) == ["id": 7, "title": "Milk"])
        _ = try accepted(
            try await remote.send(change(.update, tasks, id: 7, ["title": "Bread"], key: "k", version: version)))
        #expect(remote.record("7", of: "/tasks")?["title"] == "Bread")
    }

    @Test("A scripted event applies to the next matching request, and to no other")
    func scripts() async throws {
        let remote = MemoryRemote()
        remote.respondNext(.unavailable(status: 429, retryAfter: 3), to: .changes)
        remote.respondNext(.refused(status: 422, body: ["error": "no"]), to: .changes)
        remote.respondNext(.truncated, to: .fetches)
        let creation = try change(.create, tasks, ["title": "Milk"], key: "k")
        guard case .records(let cut) = try await remote.fetch(RemoteRequest(entity: tasks)) else { return }
        await #expect(throws: SyncError.self) { try await cut.body.collected(upTo: 100) }
        guard case .unavailable(status: 429, retryAfter: 3) = try await remote.send(creation) else {
            Issue.record("429 first")
            return
        }
        guard case .refused(status: 422, _) = try await remote.send(creation) else {
            Issue.record("422 second")
            return
        }
        #expect(remote.records(of: "/tasks").isEmpty)
        remote.respondNext(.unauthorized)
        await #expect { try await remote.fetch(RemoteRequest(entity: tasks)) } throws: {
            ($0 as? SyncError)?.code == .unauthorized
        }
        _ = try accepted(try await remote.send(creation))
    }

    @Test("A held response waits until it is released, and the change takes effect meanwhile")
    func held() async throws {
        let remote = MemoryRemote()
        let gate = Gate()
        remote.respondNext(.responseHeld(gate))
        let creation = try change(.create, tasks, ["title": "Milk"], key: "k")
        let sending = _Concurrency.Task { try await remote.send(creation) }
        try await gate.reached()
        #expect(remote.records(of: "/tasks").count == 1)
        #expect(remote.log.last?.outcome == nil)
        gate.open()
        _ = try accepted(try await sending.value)
    }

    @Test("A held request that is cancelled ends at once, and does nothing")
    func cancelled() async throws {
        let remote = MemoryRemote()
        let gate = Gate()
        remote.respondNext(.held(gate))
        let creation = try change(.create, tasks, ["title": "Milk"], key: "k")
        let sending = _Concurrency.Task { try await remote.send(creation) }
        try await gate.reached()
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
        #expect(remote.records(of: "/tasks").isEmpty)
    }

    @Test("A listener receives a snapshot, and then each change in order")
    func events() async throws {
        let remote = MemoryRemote()
        remote.set(["id": 1, "title": "Milk"], id: "1", in: "/tasks")
        var events = try #require(try await remote.events(of: tasks)).makeAsyncIterator()
        remote.set(["id": 2, "title": "Bread"], id: "2", in: "/tasks")
        remote.edit("2", of: "/tasks", ["title": "Butter"])
        remote.remove("1", from: "/tasks")
        remote.set(["identifier": "x"], id: "x", in: "/entries")
        remote.endEvents()
        var heard: [String] = []
        while let event = try await events.next() {
            switch event {
            case .snapshot(let data): heard.append("snapshot " + String(decoding: data, as: UTF8.self))
            case .changed(let data): heard.append("changed " + String(decoding: data, as: UTF8.self))
            case .patched(let data): heard.append("patched " + String(decoding: data, as: UTF8.self))
            case .deleted(let identities): heard.append("deleted " + identities.map(\.text).joined())
            }
        }
        #expect(
            heard == [
                #"snapshot [{"id":1,"title":"Milk"}]"#, #"changed [{"id":2,"title":"Bread"}]"#,
                #"patched {"2":{"title":"Butter"}}"#, "deleted 1",
            ])
        #expect(remote.listenerCount(of: "/tasks") == 0)
    }

    @Test("Lists begin with the newest record, also in pages and streams: no app can depend on the order of creation")
    func order() async throws {
        let whole = MemoryRemote()
        let paged = MemoryRemote(pageSize: 2)
        for remote in [whole, paged] {
            for number in 1...5 {
                remote.set(["id": .integer(Int64(number)), "done": .bool(number != 3)], id: "\(number)", in: "/tasks")
            }
            remote.remove("4", from: "/tasks")
        }
        func identities(_ json: JSONValue) -> [JSONValue] {
            guard case .array(let list) = json else { return [] }
            return list.compactMap { $0["id"] }
        }
        #expect(identities(try await json(whole.fetch(RemoteRequest(entity: tasks)))) == [5, 3, 2, 1])
        #expect(identities(try await json(paged.fetch(RemoteRequest(entity: tasks)))) == [5, 3])
        #expect(identities(try await json(paged.fetch(RemoteRequest(entity: tasks, page: "2")))) == [2, 1])
        let done = RemoteRequest(entity: tasks, query: [URLQueryItem(name: "done", value: "true")])
        #expect(identities(try await json(whole.fetch(done))) == [5, 2, 1])
        for try await event in try #require(try await whole.events(of: tasks)) {
            guard case .snapshot(let bytes) = event else { continue }
            #expect(identities(try JSONValue(json: bytes)) == [5, 3, 2, 1])
            break
        }
        #expect(whole.records(of: "/tasks").compactMap { $0["id"] } == [1, 2, 3, 5])
    }

    @Test("Pages, filters, and an unchanged collection")
    func reading() async throws {
        let remote = MemoryRemote(pageSize: 2)
        for number in 1...5 {
            remote.set(["id": .integer(Int64(number)), "done": .bool(number > 3)], id: "\(number)", in: "/tasks")
        }
        var pages: [Int] = []
        var page: String?
        repeat {
            guard
                case .records(let records) = try await remote.fetch(
                    RemoteRequest(entity: tasks, page: page))
            else { return }
            guard case .array(let list) = try JSONValue(json: try await records.body.collected(upTo: 1000)) else {
                return
            }
            pages.append(list.count)
            page = records.next
        } while page != nil
        #expect(pages == [2, 2, 1])
        let done = RemoteRequest(entity: tasks, query: [URLQueryItem(name: "done", value: "true")])
        #expect(try await json(remote.fetch(done)) == [["id": 5, "done": true], ["id": 4, "done": true]])
        guard case .records(let first) = try await remote.fetch(RemoteRequest(entity: tasks)) else {
            return
        }
        let again = RemoteRequest(entity: tasks) { $0 == first.address ? first.validators : nil }
        guard case .notModified = try await remote.fetch(again) else {
            Issue.record("nothing has changed")
            return
        }
        remote.remove("5", from: "/tasks")
        guard case .records = try await remote.fetch(again) else {
            Issue.record("one is gone")
            return
        }
    }

    @Test("A server that keeps no empty values drops null, and returns records by identity")
    func firebaseTraits() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(payload: .map, missingKeys: .empty))
        #expect(try await json(remote.fetch(RemoteRequest(entity: entries))) == .null)
        _ = try accepted(
            try await remote.send(
                change(.create, entries, id: "a", ["identifier": "a", "bodyText": .null, "tags": []], key: "k")))
        #expect(try await json(remote.fetch(RemoteRequest(entity: entries))) == ["a": ["identifier": "a"]])
    }
}
