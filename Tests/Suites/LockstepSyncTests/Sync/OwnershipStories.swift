import Foundation
import GRDB
import HTTPTypes
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing
import TestSupport

/// Which end of a link is sent to which server: one schema, servers that take embedded records and servers that do not.
@Suite("R9 The end of a link that is sent depends on the remote")
struct OwnershipStories {
    private let clock = ManualClock()

    private func store() throws -> Store { try Store(MuseumSchema.self, at: .inMemory) }

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

    private func expectNothingPending(_ store: Store, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let changes = try await store.outbox.pending().map { "\($0.kind) \($0.entity): \($0.lastError ?? "")" }
        #expect(changes == [], sourceLocation: sourceLocation)
        let links = try await store.writer.read {
            try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM lockstep_outbox_link")
        }
        #expect(links == 0, sourceLocation: sourceLocation)
    }

    // MARK: Index flat, show nested

    /// A server as Rails has it: sheets are flat, a survey is shown with its own, and no sheet is without a survey.
    private func surveys() -> FakeRails {
        let server = FakeRails(
            RailsRules(
                wrapKeys: ["/surveys": "survey", "/sheets": "sheet"],
                nestedLists: ["/surveys": ["sheets": .init("/sheets", by: "survey_id")]],
                validate: { path, record in
                    path == "/sheets" && record["survey_id"] ?? .null == .null ? ["survey": ["must exist"]] : [:]
                }), clock: clock)
        server.set([["id": 1, "name": "North"], ["id": 2, "name": "South"]], in: "/surveys")
        server.set([["id": 1, "name": "a", "survey_id": 1], ["id": 2, "name": "b", "survey_id": 1]], in: "/sheets")
        return server
    }

    private func lists(_ store: Store) async throws -> [String] {
        try await store.perform { context in
            try context.fetch(Survey.order(\.name)).map { survey in
                "\(survey.name): " + survey.sheets.map(\.name).sorted().joined(separator: " ")
            }
        }
    }

    @Test("R1 R5 Flat lists, nested records and a push work from one schema")
    func flatAndNested() async throws {
        let server = surveys()
        let store = try store()
        let sync = sync(store, RESTRemote(server.url, client: server.client, clock: clock))
        try await sync.pull(Survey.self)
        let flat = try await sync.pull(Sheet.self)
        #expect(flat.skipped.isEmpty && flat.inserted == 2)
        #expect(try await lists(store) == ["North: a b", "South: "])
        let nested = try await sync.pull(Survey.self, id: 1)
        #expect(nested.inserted == 0 && nested.updated == 0)
        #expect(try await lists(store) == ["North: a b", "South: "])

        try await edit(store) { context in
            let survey = Survey(localID: UUID(), name: "West", context: context)
            Sheet(localID: UUID(), name: "c", survey: survey, context: context)
            let north = try #require(try context.fetch(Survey.filter { $0.name == "North" }).first)
            Sheet(localID: UUID(), name: "d", survey: north, context: context)
        }
        #expect(try await store.outbox.pending().map(\.entity).sorted() == ["Sheet", "Sheet", "Survey"])
        let made = try await sync.push()
        #expect(made.created == 3 && made.parked.isEmpty)
        #expect(
            server.record("3", of: "/sheets")?["survey_id"] == 3 && server.record("4", of: "/sheets")?["survey_id"] == 1
        )

        server.clearLog()
        try await edit(store) { context in
            let south = try #require(try context.fetch(Survey.filter { $0.name == "South" }).first)
            try #require(try context.fetch(Sheet.filter { $0.name == "a" }).first).survey = south
        }
        #expect(try await store.outbox.count() == 1)
        // The response to a fetch in between does not revert it.
        try await sync.pull(Survey.self, id: 1)
        #expect(try await lists(store) == ["North: b d", "South: a", "West: c"])
        #expect(try await sync.push().updated == 1)
        #expect(server.log == ["GET /surveys/1", "PATCH /sheets/1"])
        #expect(server.record("1", of: "/sheets") == ["id": 1, "name": "a", "survey_id": 2])
        try await expectNothingPending(store)
        for id in 1...3 { try await sync.pull(Survey.self, id: id) }
        #expect(try await lists(store) == ["North: b d", "South: a", "West: c"])
    }

    @Test("Entities with paths are pulled unless this remote embeds them in their owners", arguments: [false, true])
    func followed(_ sendsEmbedded: Bool) async throws {
        let server = surveys()
        let store = try store()
        let remote = RESTRemote(server.url, client: server.client, sendsEmbedded: sendsEmbedded, clock: clock)
        let sync = sync(store, remote)
        try await sync.pull()
        #expect(server.log.contains("GET /surveys"))
        #expect(server.log.contains("GET /sheets") == !sendsEmbedded)
        #expect(server.log.contains("GET /benches") == !sendsEmbedded)
        #expect(!server.log.contains("GET /stamps") && !server.log.contains("GET /repairs"))

        let collections = server.log.count
        server.clearLog()
        let task = Task { try await sync.run() }
        // Each collection sleeps after its pull.
        try await clock.waitForSleepers(collections)
        task.cancel()
        try? await task.value
        #expect(server.log.contains("GET /sheets") == !sendsEmbedded)
    }

    @Test(
        "M1 R9 A list missing from a flat collection is not empty, even if missing keys mean empty, but a key is",
        arguments: Seeds.some(6, of: UInt64(0)...199))
    func missingLists(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let store = try store()
        let remote = MemoryRemote(traits: RemoteTraits(missingKeys: .empty), clock: clock)
        let sync = sync(store, remote)
        var rooms: [Int: Int] = [:]
        for number in 1...8 {
            remote.set(["id": 1, "name": .string("Hall \(number)")], id: "1", in: "/rooms")
            remote.set(["id": 2, "name": "Attic"], id: "2", in: "/rooms")
            try await sync.pull(Room.self)
            let (id, room) = (Int.random(in: 5...7, using: &random), random.element(of: [nil, 1, 2] as [Int?]))
            rooms[id] = room
            var bench: JSONObject = ["id": .integer(Int64(id)), "seats": .integer(Int64(number))]
            bench["room_id"] = room.map { .integer(Int64($0)) }
            remote.set(.object(bench), id: "\(id)", in: "/benches")
            try await sync.pull(Bench.self)
            if random.isOne(in: 2) {
                remote.edit("1", of: "/rooms", ["name": .string("Old hall \(number)")])
                try await sync.pull(Room.self)
            }
            let here = try await store.perform { context in
                try context.fetch(Bench.all()).compactMap { bench in bench.room.map { "\(bench.id) \($0.id)" } }
                    .sorted()
            }
            #expect(here == rooms.map { "\($0.key) \($0.value)" }.sorted())
        }
    }

    // MARK: A server that embeds records in their owners

    private func firebase() -> (FakeFirebase, FirebaseRemote) {
        let server = FakeFirebase(clock: clock)
        return (server, FirebaseRemote(server.url, client: server.client, clock: clock))
    }

    @Test("R5 A record that moves is removed from its old owner's list and added to the new one's")
    func moves() async throws {
        let (server, remote) = firebase()
        let store = try store()
        let sync = sync(store, remote)
        try await edit(store) { context in
            let hall = Room(id: 1, name: "Hall", context: context)
            Room(id: 2, name: "Attic", context: context)
            Bench(id: 5, seats: 2, room: hall, context: context)
            Camera(id: 7, model: "X", room: hall, context: context)
        }
        #expect(try await sync.push().parked.isEmpty)
        try await expectNothingPending(store)
        #expect(server.record("1", of: "/rooms")?["benches"] == ["0": ["id": 5, "seats": 2, "colour": "grey"]])
        #expect(server.record("1", of: "/rooms")?["cameras"] == ["0": ["id": 7, "model": "X", "seen": 0]])

        try await edit(store) { context in
            let attic = try #require(try Room.find(2, in: context))
            try #require(try Bench.find(5, in: context)).room = attic
            try #require(try Camera.find(7, in: context)).room = attic
        }
        try await sync.push()
        try await expectNothingPending(store)
        #expect(server.record("1", of: "/rooms") == ["id": 1, "name": "Hall"])
        #expect(server.record("2", of: "/rooms")?["benches"] == ["0": ["id": 5, "seats": 2, "colour": "grey"]])
        #expect(server.record("2", of: "/rooms")?["cameras"] == ["0": ["id": 7, "model": "X", "seen": 0]])

        let other = try self.store()
        try await self.sync(other, remote).pull()
        #expect(
            try await other.perform { context in
                [try Bench.find(5, in: context)?.room?.id, try Camera.find(7, in: context)?.room.id]
            } == [2, 2])
    }

    @Test("A record that moves waits until its old owner was updated, and is not lost in the meantime")
    func movesOverFailures() async throws {
        let (server, remote) = firebase()
        let store = try store()
        let sync = sync(store, remote)
        try await edit(store) { context in
            let hall = Room(id: 1, name: "Hall", context: context)
            Room(id: 2, name: "Attic", context: context)
            Camera(id: 7, model: "X", room: hall, context: context)
        }
        try await sync.push()
        try await edit(store) { context in
            try #require(try Camera.find(7, in: context)).room = try #require(try Room.find(2, in: context))
        }
        server.respondNext(.status(500), to: .changes)
        #expect(try await sync.push().sent == 0)
        #expect(try await store.outbox.pending().map(\.entity) == ["Camera"])
        #expect(server.record("1", of: "/rooms")?["cameras"] != nil)
        clock.advance(by: 600)
        // The old owner releases it, and the new one cannot be sent.
        server.respondNext(.status(500), to: ServerRequestFilter { $0.method != .get && $0.parts.last == "2.json" })
        try await sync.push()
        #expect(try await store.outbox.pending().map(\.entity) == ["Camera"])
        #expect(server.record("1", of: "/rooms")?["cameras"] == nil)
        try await sync.pull(Room.self)
        #expect(try await store.perform { try Camera.find(7, in: $0)?.room.id } == 2)
        clock.advance(by: 600)
        try await sync.push()
        try await expectNothingPending(store)
        #expect(server.record("1", of: "/rooms")?["cameras"] == nil)
        #expect(server.record("2", of: "/rooms")?["cameras"] == ["0": ["id": 7, "model": "X", "seen": 0]])
    }

    @Test("R3 The end of a many-to-many that is not sent is not considered empty", arguments: [false, true])
    func otherEnd(_ guardsFirst: Bool) async throws {
        let (server, remote) = firebase()
        let store = try store()
        try await edit(store) { context in
            let room = Room(id: 1, name: "Hall", context: context)
            room.guards.insert(Guard(id: "ann", name: "Ann", context: context))
        }
        try await sync(store, remote).push()
        try await expectNothingPending(store)
        #expect(server.record("ann", of: "/guards") == ["id": "ann", "name": "Ann"])
        #expect(server.record("1", of: "/rooms")?["guard_ids"] == ["0": "ann"])
        let other = try self.store()
        let sync = sync(other, remote)
        for _ in 1...2 {
            if guardsFirst { try await sync.pull(Guard.self) }
            try await sync.pull(Room.self)
            try await sync.pull(Guard.self)
            #expect(try await other.perform { try Room.find(1, in: $0)?.guards.map(\.id) } == ["ann"])
        }
    }

    // MARK: Many to many

    private func letter(_ store: Store, _ sync: Sync) async throws {
        try await edit(store) { context in
            let letter = Letter(id: 1, title: "Dear", context: context)
            Stamp(id: 2, text: "10", letter: letter, context: context)
            Seal(id: 3, text: "red", letter: letter, context: context)
            Theme(id: 9, name: "birds", context: context)
        }
        try await sync.push()
        try await expectNothingPending(store)
    }

    @Test("A link of a record that is only sent with its owner is sent by the other end")
    func embeddedEnd() async throws {
        let store = try store()
        let server = FakeRails(clock: clock)
        let sync = sync(store, RESTRemote(server.url, client: server.client, clock: clock))
        try await letter(store, sync)
        server.clearLog()
        try await edit(store) { context in
            try #require(try Stamp.find(2, in: context)).themes.insert(try #require(try Theme.find(9, in: context)))
        }
        try await sync.push()
        #expect(server.log == ["PATCH /themes/9"])
        #expect(server.record("9", of: "/themes")?["stamp_ids"] == [2])
        try await expectNothingPending(store)
    }

    @Test("A link that only an embedded record lists is sent with its owner, and kept locally until then")
    func listOfEmbedded() async throws {
        let store = try store()
        let server = FakeRails(clock: clock)
        let sync = sync(store, RESTRemote(server.url, client: server.client, clock: clock))
        try await letter(store, sync)
        server.clearLog()
        try await edit(store) { context in
            try #require(try Seal.find(3, in: context)).themes.insert(try #require(try Theme.find(9, in: context)))
        }
        try await sync.pull(Letter.self)
        #expect(try await store.perform { try Seal.find(3, in: $0)?.themes.map(\.id) } == [9])
        try await sync.push()
        #expect(server.log == ["GET /letters", "PATCH /letters/1"])
        #expect(server.record("1", of: "/letters")?["seals"] == [["id": 3, "text": "red", "theme_ids": [9]]])
        try await expectNothingPending(store)
        try await sync.pull(Letter.self)
        #expect(try await store.perform { try Seal.find(3, in: $0)?.themes.map(\.id) } == [9])
    }

    @Test("P8 A link that no end can send to this remote is parked by name, and the rest is sent")
    func untold() async throws {
        let store = try store()
        let remote = MemoryRemote(traits: RemoteTraits(), clock: clock)
        let sync = sync(store, remote)
        try await edit(store) { context in
            Exhibit(id: 1, title: "Vase", context: context)
            Visitor(id: 2, name: "Bo", context: context)
        }
        try await sync.push()
        try await edit(store) { context in
            let exhibit = try #require(try Exhibit.find(1, in: context))
            exhibit.title = "Urn"
            exhibit.visitors.insert(try #require(try Visitor.find(2, in: context)))
        }
        let summary = try await sync.push()
        #expect(summary.updated == 1 && remote.record("1", of: "/exhibits")?["title"] == "Urn")
        #expect(summary.parked.map(\.entity) == ["Exhibit"])
        #expect(summary.parked.first?.lastError?.contains("Exhibit.visitors") == true)
        // It is kept locally, whatever the server lists.
        remote.set(["id": 1, "title": "Urn", "visitors": []], id: "1", in: "/exhibits")
        try await sync.pull(Exhibit.self)
        #expect(try await store.perform { try Exhibit.find(1, in: $0)?.visitors.map(\.id) } == [2])
        #expect(try await store.outbox.pending().count == 1)

        let embedding = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true), clock: clock)
        embedding.set(["id": 1, "title": "Urn"], id: "1", in: "/exhibits")
        try await store.outbox.retryAll()
        #expect(try await self.sync(store, embedding).push().updated == 1)
        #expect(embedding.record("1", of: "/exhibits")?["visitors"] == [["id": 2, "name": "Bo"]])
        try await expectNothingPending(store)
    }

    @Test("P8 A to-one that is sent as a whole record is parked if the remote does not take it, and sent once it does")
    @MainActor
    func untoldToOne() async throws {
        let store = try store()
        let remote = MemoryRemote(traits: RemoteTraits(), clock: clock)
        let sync = sync(store, remote)
        let context = store.mainContext
        let exhibit = Exhibit(
            id: 1, title: "Vase", lender: Lender(country: "DE", number: 7, context: context), context: context)
        try await context.save()
        let summary = try await sync.push()
        #expect(summary.parked.map(\.entity) == ["Exhibit"])
        #expect(summary.parked.first?.lastError?.contains("Exhibit.lender") == true)
        #expect(remote.record("1", of: "/exhibits")?["title"] == "Vase")
        #expect(try await sync.put(exhibit).updated == 1)
        #expect(try await store.outbox.pending().map(\.entity) == ["Exhibit"])
    }
}
