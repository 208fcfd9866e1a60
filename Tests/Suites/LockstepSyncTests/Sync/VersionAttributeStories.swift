import Foundation
import GRDB
import HTTPTypes
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport
import Testing

/// Records with a version attribute, as Rails' `lock_version`: the server rejects a write to an older state.
@Suite("Version attributes")
struct VersionAttributeStories {
    private let clock = ManualClock()
    private let id = UUID()
    private var key: String { id.uuidString.lowercased() }
    private var path: String { "/tickets/" + key }

    private func server(staleStatus: Int = 409, respondsWithBody: Bool = true) -> FakeRails {
        FakeRails(
            RailsRules(
                respondsWithBody: respondsWithBody, versionKeys: ["/tickets": "lock_version"], staleStatus: staleStatus)
        )
    }

    /// A device that has the server's ticket.
    private func device(
        _ server: FakeRails, conflicts: ConflictPolicies = .localChangesWin, at location: StoreLocation = .inMemory,
        pulls: Bool = true
    ) async throws -> (Store, Sync) {
        let store = try Store(MuseumSchema.self, at: location)
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: server.client), conflicts: conflicts,
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        if server.record(key, of: "/tickets") == nil {
            server.set(["id": .string(key), "holder": "Ann", "seat": "1"], in: "/tickets")
        }
        if pulls { try await sync.pull(Ticket.self) }
        server.clearLog()
        return (store, sync)
    }

    private func edit(_ store: Store, _ change: @escaping @Sendable (Ticket) -> Void) async throws {
        try await store.perform { [id] context in
            change(try #require(try Ticket.find(id, in: context)))
            try context.save()
        }
    }

    private func ticket(_ store: Store) async throws -> TicketRepresentation? {
        try await store.representations(Ticket.all()).first
    }

    // MARK: Sent versions

    @Test("C4.4 C4.5 The version is sent with each change, as received from the server, but not with a creation")
    func goesAlong() async throws {
        let server = server()
        let (store, sync) = try await device(server)
        let other = UUID()
        try await store.perform { context in
            Ticket(id: other, holder: "Bob", context: context)
            try context.save()
        }
        try await edit(store) { $0.seat = "2" }
        try await sync.push()
        try await edit(store) { $0.seat = "3" }
        try await sync.push()

        let sent = server.newChanges()
        #expect(sent[0].body?["lock_version"] == nil)
        #expect(sent.dropFirst().map(\.body) == [["seat": "2", "lock_version": 0], ["seat": "3", "lock_version": 1]])
        #expect(server.record(key, of: "/tickets")?["lock_version"] == 2)
        #expect(try await ticket(store)?.lockVersion == 2)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C4.4 A whole record is sent with its version too")
    func whole() async throws {
        let server = server()
        let (store, sync) = try await device(server)
        try await store.perform { [id] context in
            _ = try #require(try Ticket.find(id, in: context))
        }
        try await put(store, sync)
        #expect(server.newChanges().map { $0.body?["lock_version"] } == [0])
    }

    @MainActor private func put(_ store: Store, _ sync: Sync) async throws {
        try await sync.put(try #require(try Ticket.find(id, in: store.mainContext)))
    }

    @Test("C4.4 A delete sends the version as a parameter; if rejected, it is sent again with the newer version")
    func delete() async throws {
        let server = server()
        let (store, sync) = try await device(server)
        server.edit(key, of: "/tickets", ["seat": "9"])
        try await store.perform { [id] context in
            context.delete(try #require(try Ticket.find(id, in: context)))
            try context.save()
        }
        #expect(try await sync.push().deleted == 1)
        #expect(server.newLog() == ["DELETE \(path)?lock_version=0", "GET \(path)", "DELETE \(path)?lock_version=1"])
        #expect(server.records(of: "/tickets").isEmpty)
    }

    // MARK: Rejected versions

    @Test("C2 C4.6 A write to an older version is merged and sent again", arguments: [409, 412])
    func stale(status: Int) async throws {
        let server = server(staleStatus: status)
        let (store, sync) = try await device(server)
        server.edit(key, of: "/tickets", ["holder": "Eve", "seat": "7"])
        try await edit(store) { $0.seat = "2" }

        #expect(try await sync.push().updated == 1)
        #expect(server.newLog() == ["PATCH \(path)", "GET \(path)", "PATCH \(path)"])
        #expect(
            server.record(key, of: "/tickets")
                == ["id": .string(key), "holder": "Eve", "seat": "2", "lock_version": 2])
        let saved = try await ticket(store)
        #expect(saved?.holder == "Eve" && saved?.seat == "2" && saved?.lockVersion == 2)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C1 C4 If the server wins, nothing is left to send", arguments: [409, 412])
    func serverWins(status: Int) async throws {
        let server = server(staleStatus: status)
        let (store, sync) = try await device(server, conflicts: .serverWins)
        server.edit(key, of: "/tickets", ["seat": "7"])
        try await edit(store) { $0.seat = "2" }

        try await sync.push()
        #expect(server.newLog() == ["PATCH \(path)", "GET \(path)"])
        #expect(try await ticket(store)?.seat == "7")
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C3 C4 A write to a deleted record creates it again")
    func gone() async throws {
        let server = server()
        let (store, sync) = try await device(server)
        try await edit(store) { $0.seat = "2" }
        server.respondNext(.status(409), to: .method(.patch))
        server.remove(key, from: "/tickets")
        try await sync.push()
        #expect(server.newLog() == ["PATCH \(path)", "GET \(path)", "POST /tickets"])
        #expect(server.record(key, of: "/tickets")?["seat"] == "2")
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P8 C4.8 A rejection with the server's current version has another reason, and parks the change")
    func otherConflict() async throws {
        let server = server()
        let (store, sync) = try await device(server)
        try await edit(store) { $0.seat = "2" }
        server.respondNext(.status(409), to: .method(.patch), times: 3)
        #expect(try await sync.push().parked.map(\.parked?.status) == [409])
        #expect(server.newLog() == ["PATCH \(path)", "GET \(path)", "PATCH \(path)"])
    }

    @Test("P8 409 without a version rejects a change, as before")
    func withoutVersion() async throws {
        let server = server()
        server.set(["id": 1, "label": "Front", "room_id": 2], in: "/doors")
        let (store, sync) = try await device(server)
        try await sync.pull(Door.self)
        try await store.perform { context in
            try #require(try Door.find(1, in: context)).label = "Back"
            try context.save()
        }
        server.clearLog()
        server.respondNext(.status(409), to: .method(.patch))
        #expect(try await sync.push().parked.map(\.parked?.status) == [409])
        #expect(server.newLog() == ["PATCH /doors/1"])
    }

    // MARK: Known versions

    @Test("C4.11 A version outdated by a write without a known successor is fetched before the next write")
    func respondsWithoutBody() async throws {
        let server = server(respondsWithBody: false)
        let (store, sync) = try await device(server)
        try await edit(store) { $0.seat = "2" }
        try await sync.push()
        try await edit(store) { $0.seat = "3" }
        try await sync.push()
        #expect(server.newLog() == ["PATCH \(path)", "GET \(path)", "PATCH \(path)"])
        #expect(server.record(key, of: "/tickets")?["seat"] == "3")

        // A pull provides it as well.
        try await sync.pull(Ticket.self)
        try await edit(store) { $0.seat = "4" }
        server.clearLog()
        try await sync.push()
        #expect(server.newLog() == ["PATCH \(path)"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C4.4 C4.11 A version that a write has not changed is sent again, once the server has returned it")
    func isUnchanged() async throws {
        let server = server()
        let (store, sync) = try await device(server)
        try await edit(store) { $0.seat = "2" }
        // Rails keeps the version if a write changes nothing.
        server.respondNext(.response(ServerResponse(204)), to: .method(.patch))
        try await sync.push()
        try await edit(store) { $0.seat = "3" }
        server.clearLog()
        try await sync.push()
        #expect(server.log == ["GET \(path)", "PATCH \(path)"])
        #expect(server.newChanges().last?.body == ["seat": "3", "lock_version": 0])
    }

    @Test("C4.11 A version that an earlier library has marked as outdated is fetched before the next write")
    func markedEarlier() async throws {
        let server = server()
        try await withTemporaryFolder { folder in
            let location = StoreLocation.file(folder.appendingPathComponent("museum.sqlite"))
            var (store, _) = try await device(server, at: location)
            try await store.writer.write { [key] database in
                try database.execute(
                    sql: """
                        CREATE TABLE lockstep_stale_version (entity TEXT NOT NULL, record NOT NULL, version, \
                        PRIMARY KEY (entity, record));
                        INSERT INTO lockstep_stale_version SELECT 'Ticket', '\(key)', lock_version FROM ticket;
                        UPDATE lockstep_metadata SET value = '3 x' WHERE key = 'outbox'
                        """)
            }
            try store.close()
            let sync: Sync
            (store, sync) = try await device(server, at: location, pulls: false)
            try await edit(store) { $0.seat = "2" }
            server.clearLog()
            try await sync.push()
            #expect(server.log == ["GET \(path)", "PATCH \(path)"])
            #expect(try await store.writer.read { try $0.tableExists("lockstep_stale_version") } == false)
            try store.close()
        }
    }

    @Test("C4.11 The version of a created record is fetched if the response is empty", arguments: [true, false])
    func created(respondsWithBody: Bool) async throws {
        let server = server(respondsWithBody: respondsWithBody)
        let (store, sync) = try await device(server)
        let other = UUID()
        try await store.perform { context in
            Ticket(id: other, holder: "Bob", context: context)
            try context.save()
        }
        try await sync.push()
        try await store.perform { context in
            try #require(try Ticket.find(other, in: context)).holder = "Ben"
            try context.save()
        }
        server.clearLog()
        try await sync.push()
        let address = "/tickets/" + other.uuidString.lowercased()
        #expect(server.log == (respondsWithBody ? [] : ["GET \(address)"]) + ["PATCH \(address)"])
        #expect(server.newChanges().last?.body == ["holder": "Ben", "lock_version": 0])
    }

    @Test("C4.10 A version alone is not a change, and a local value of it is never sent")
    func isNotEdited() async throws {
        let server = server()
        let (store, sync) = try await device(server)
        func setVersion(_ version: Int) async throws {
            try await store.writeRaw("a test") { database, _ in
                try database.execute(sql: "UPDATE ticket SET lock_version = ?", arguments: [version])
            }
        }
        try await setVersion(5)
        #expect(try await store.outbox.pending().isEmpty)
        try await setVersion(0)
        try await edit(store) { $0.seat = "2" }
        try await setVersion(8)
        try await sync.push()
        #expect(server.newChanges().map(\.body) == [["seat": "2", "lock_version": 0]])
        #expect(try await ticket(store)?.lockVersion == 1)
    }

    @Test("C1 C4.10 A pull updates the version of an edited record, whatever a custom policy returns")
    func pulled() async throws {
        let server = server()
        let policy = ConflictPolicy.custom(Ticket.self) { _, local, _ in local }
        let (store, sync) = try await device(server, conflicts: ConflictPolicies().using(policy, for: Ticket.self))
        try await edit(store) { $0.seat = "2" }
        server.edit(key, of: "/tickets", ["seat": "7"])
        try await sync.pull(Ticket.self)
        #expect(try await ticket(store)?.lockVersion == 1)
        server.clearLog()
        try await sync.push()
        #expect(server.newChanges().map(\.body) == [["seat": "2", "lock_version": 1]])
    }

    @Test("C4 Two devices that edit in turns, without a pull in between, lose nothing")
    func twoDevices() async throws {
        let server = server()
        let (here, hereSync) = try await device(server)
        let (there, thereSync) = try await device(server)
        try await edit(here) { $0.seat = "2" }
        try await hereSync.push()
        try await edit(there) { $0.holder = "Eve" }
        try await thereSync.push()
        try await edit(here) { $0.seat = "3" }
        try await hereSync.push()
        let expected: JSONValue = ["id": .string(key), "holder": "Eve", "seat": "3", "lock_version": 3]
        #expect(server.record(key, of: "/tickets") == expected)
        #expect(try await ticket(here)?.holder == "Eve")
    }
}

/// Versions in other formats, and the values passed to a custom remote.
@Suite("Version attributes in other formats")
struct VersionFormStories {
    private let id = UUID()
    private var key: String { id.uuidString.lowercased() }

    private func device(_ remote: MemoryRemote) throws -> (Store, Sync) {
        let store = try Store(MuseumSchema.self, at: .inMemory)
        return (store, Sync(store: store, remote: remote, clock: ManualClock(), random: { 0.5 }))
    }

    @Test("C4.4 A date is sent in the format of the schema")
    func date() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try device(remote)
        remote.set(["id": .string(key), "title": "East", "drawn_at": 1_767_225_600_500], id: key, in: "/plans")
        try await sync.pull(Plan.self)
        try await store.perform { [id] context in
            try #require(try Plan.find(id, in: context)).title = "West"
            try context.save()
        }
        try await sync.push()
        #expect(remote.log.last?.changes == ["title": "West", "drawn_at": 1_767_225_600_500])
    }

    @Test(
        "C4.4 A version is sent as it was received, with all of its digits and in its zone",
        arguments: [
            #""2026-03-01T08:25:00.1234567Z""#, #""2026-03-01T08:25:00.123456789Z""#, #""2026-03-01T09:25:00.5+01:00""#,
            "1772353500123.4567",
        ])
    func received(text: String) async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try device(remote)
        func edit(_ title: String) async throws {
            try await store.perform { [id] context in
                try #require(try Plan.find(id, in: context)).title = title
                try context.save()
            }
        }
        let version = try JSONValue(json: Data(text.utf8))
        remote.set(["id": .string(key), "title": "East", "drawn_at": version], id: key, in: "/plans")
        try await sync.pull(Plan.self)
        try await edit("West")
        try await sync.push()
        #expect(remote.log.last?.changes == ["title": "West", "drawn_at": version])
        // The response had it again.
        try await edit("North")
        try await sync.push()
        #expect(remote.log.last?.changes == ["title": "North", "drawn_at": version])
        // The same moment in the schema's own format.
        let plan = try #require(try await store.representations(Plan.all()).first)
        let own = try JSONValue(json: JSONEncoder().encode(plan))["drawn_at"] ?? .null
        remote.edit(key, of: "/plans", ["drawn_at": own])
        try await sync.pull(Plan.self)
        try await edit("South")
        try await sync.push()
        #expect(remote.log.last?.changes == ["title": "South", "drawn_at": own])
    }

    @Test("C4.4 A version that differs from the last one only in a digit that the store does not keep is another one")
    func lastDigit() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try device(remote)
        let first = "2026-03-01T08:25:00.1234567Z"
        let second = "2026-03-01T08:25:00.1234568Z"
        remote.set(["id": .string(key), "title": "East", "drawn_at": .string(first)], id: key, in: "/plans")
        try await sync.pull(Plan.self)
        remote.edit(key, of: "/plans", ["drawn_at": .string(second)])
        #expect(try await sync.pull(Plan.self).unchanged == 1)
        try await store.perform { [id] context in
            try #require(try Plan.find(id, in: context)).title = "West"
            try context.save()
        }
        try await sync.push()
        #expect(remote.log.last?.changes == ["title": "West", "drawn_at": .string(second)])
    }

    @Test("C4.4 So is one that the format of the schema does not tell from the last one")
    func sameInFormat() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try device(remote)
        for text in ["2026-03-01T08:25:00.0000001Z", "2026-03-01T08:25:00.0000009Z"] {
            remote.set(["id": .string(key), "title": "East", "drawn_at": .string(text)], id: key, in: "/plans")
            try await sync.pull(Plan.self)
        }
        try await store.perform { [id] context in
            try #require(try Plan.find(id, in: context)).title = "West"
            try context.save()
        }
        try await sync.push()
        #expect(remote.log.last?.changes == ["title": "West", "drawn_at": "2026-03-01T08:25:00.0000009Z"])
    }

    @Test("C4.4 The delete of a record whose creation was uncertain has its version as it was received")
    func deletedMeanwhile() async throws {
        var rules = RailsRules(versionKeys: ["/plans": "drawn_at"])
        rules.versionDigits = ["/plans": 9]
        let server = FakeRails(rules)
        let (store, clock) = (try Store(MuseumSchema.self, at: .inMemory), ManualClock())
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: server.client),
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await store.perform { [id] context in
            Plan(id: id, title: "East", context: context)
            try context.save()
        }
        server.respondNext(.responseLost)
        await #expect(throws: SyncError.self) { try await sync.push() }
        // Others change it before the device sends its creation again, and deletes it.
        server.edit(key, of: "/plans", ["title": "West"])
        try await store.perform { [id] context in
            context.delete(try #require(try Plan.find(id, in: context)))
            try context.save()
        }
        clock.advance(by: 60)
        try await sync.push()
        #expect(server.records(of: "/plans").isEmpty)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C4.4 C4.5 A nested version is sent at its path; a server-generated identity makes no difference")
    func path() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try device(remote)
        try await store.perform { [id] context in
            Poster(localID: id, title: "Spring", context: context)
            try context.save()
        }
        remote.respondNext(.response(.accepted(body: Data(#"{"id":7,"meta":{"revision":3}}"#.utf8))))
        try await sync.push()
        #expect(remote.log.last?.body == ["title": "Spring"])
        try await store.perform { [id] context in
            try #require(try Poster.find(id, in: context)).title = "Summer"
            try context.save()
        }
        remote.set(["id": 7, "title": "Spring", "meta": ["revision": 3]], id: "7", in: "/posters")
        try await sync.push()
        #expect(remote.log.last?.changes == ["title": "Summer", "meta": ["revision": 3]])
    }

    @Test("C4.11 If the version is unknown and the remote has no single records, the server decides")
    func cannotAsk() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try device(remote)
        remote.set(["id": .string(key), "title": "East"], id: key, in: "/plans")
        try await sync.pull(Plan.self)
        try await store.perform { [id] context in
            try #require(try Plan.find(id, in: context)).title = "West"
            try context.save()
        }
        remote.respondNext(
            .fails(SyncError(.unsupported, reason: "there are whole lists only", remedy: "Pull them.")), to: .fetches)
        #expect(try await sync.push().updated == 1)
        #expect(remote.log.last?.changes == ["title": "West"])
    }
}
