import Foundation
import LockstepSchema
import LockstepSync
import ServerSamples
import ServerTestSupport
import TestSupport
import Testing

/// Stores of users, a real PostgreSQL, and what is generated for both from one schema.
@Suite("Apps and a PostgreSQL server of one schema", .enabled(if: PostgreSQLServer.isWanted))
struct ServerClientTests {
    /// A device of a user.
    private struct Device {
        let store: Store
        let sync: Sync
        let gateway: PostgreSQLGateway

        init(of user: PostgreSQLFeed.User, at feed: PostgreSQLFeed) throws {
            store = try Store(GardensSchema.self, at: .inMemory)
            gateway = try PostgreSQLGateway(feed, user: user)
            sync = Sync(
                store: store, remote: PostgRESTRemote(URL(string: "https://example.com/rest")!, client: gateway))
        }

        func plants() async throws -> [String] {
            try await store.perform { context in
                try context.fetch(Plant.order(\.kind)).map { plant in
                    let marks = plant.marks.map(\.name).sorted().joined(separator: "+")
                    return "\(plant.kind) \(plant.growth.rawValue) \(plant.notes.joined(separator: "+")) \(marks)"
                }
            }
        }

        func gardens() async throws -> [String] {
            try await store.perform { try $0.fetch(Garden.order(\.name)).map(\.name) }
        }

        func edit(_ body: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
            try await store.perform { context in
                try body(context)
                try context.save()
            }
        }

        func makeGarden(of user: PostgreSQLFeed.User) async throws {
            try await edit { context in
                let garden = Garden(owner: UUID(uuidString: user.rawValue)!, name: "Roof", context: context)
                let bed = Bed(
                    name: "North", area: Decimal(string: "1.50"), sownAt: Date(timeIntervalSince1970: 1_000_000.5),
                    garden: garden, context: context)
                let plant = Plant(kind: "Tomato", notes: ["it's sunny"], bed: bed, context: context)
                plant.marks.insert(PlantMark(name: "red", garden: garden, context: context))
            }
        }

        func invite(_ user: PostgreSQLFeed.User) async throws {
            try await edit { context in
                let garden = try #require(try context.fetch(Garden.all()).first)
                _ = Gardener(person: UUID(uuidString: user.rawValue)!, garden: garden, context: context)
            }
        }
    }

    private static func feed() throws -> PostgreSQLFeed {
        let path = "Tests/Samples/ServerSamples/Garden.lockstep.yaml"
        let bytes = Array(try Data(contentsOf: Documentation.root.appendingPathComponent(path)))
        return try PostgreSQLFeed(try #require(readSchemas([SchemaSource(path: path, bytes: bytes)]).schemas.first))
    }

    @Test("What one user creates reaches another one who is invited, and is gone when the invitation is")
    func sharing() async throws {
        let feed = try Self.feed()
        let (ann, ben) = (try Device(of: .ann, at: feed), try Device(of: .ben, at: feed))
        try await ann.makeGarden(of: .ann)
        #expect(try await ann.sync.push().created == 4)
        try await ben.sync.pull()
        #expect(try await ben.gardens() == [])
        try await ann.invite(.ben)
        try await ann.sync.push()
        try await ben.sync.pull()
        #expect(try await ben.gardens() == ["Roof"])
        #expect(try await ben.plants() == ["Tomato sown it's sunny red"])
        try await ann.edit { context in for gardener in try context.fetch(Gardener.all()) { context.delete(gardener) } }
        try await ann.sync.push()
        try await ben.sync.pull()
        #expect(try await ben.gardens() == [])
        #expect(try await ben.plants() == [])
        #expect(try await ann.plants() == ["Tomato sown it's sunny red"])
    }

    @Test("A record that is requested alone has the form of the schema, and the version of the feed")
    func single() async throws {
        let feed = try Self.feed()
        let (phone, tablet) = (try Device(of: .ann, at: feed), try Device(of: .ann, at: feed))
        try await phone.makeGarden(of: .ann)
        try await phone.sync.push()
        try await tablet.sync.pull()
        try await phone.edit { context in
            for plant in try context.fetch(Plant.all()) { plant.notes = ["it's shady"] }
        }
        try await phone.sync.push()
        let plant = try await tablet.store.perform { try #require(try $0.fetch(Plant.all()).first).id }
        try await tablet.sync.pull(Plant.self, id: plant)
        #expect(try await tablet.plants() == ["Tomato sown it's shady red"])
        try await tablet.edit { context in for plant in try context.fetch(Plant.all()) { plant.kind = "Fern" } }
        #expect(try await tablet.sync.push().updated == 1)
        #expect(await tablet.gateway.calls == ["lockstep_changes", "lockstep_record", "lockstep_push"])
    }

    @Test("Offline edits of two users are merged, field by field, in what both have and in what the server has")
    func merging() async throws {
        let feed = try Self.feed()
        let (ann, ben) = (try Device(of: .ann, at: feed), try Device(of: .ben, at: feed))
        try await ann.makeGarden(of: .ann)
        try await ann.invite(.ben)
        try await ann.sync.push()
        try await ben.sync.pull()
        try await ben.edit { context in
            for plant in try context.fetch(Plant.all()) {
                plant.growth = .growing
                plant.marks.removeAll()
            }
        }
        try await ann.edit { context in for plant in try context.fetch(Plant.all()) { plant.kind = "Cherry" } }
        try await ann.sync.push()
        try await ben.sync.push()
        for device in [ann, ben] {
            try await device.sync.pull()
            #expect(try await device.plants() == ["Cherry growing it's sunny "])
            #expect(try await device.store.outbox.pending().isEmpty)
        }
        let row = try feed.session().rows("SELECT kind, growth, notes FROM plant;")
        #expect(row == [#"Cherry|growing|["it's sunny"]"#])
    }

    @Test("A push whose response is lost is applied once")
    func lostResponse() async throws {
        let feed = try Self.feed()
        let ann = try Device(of: .ann, at: feed)
        try await ann.makeGarden(of: .ann)
        await ann.gateway.loseResponses(1)
        _ = try? await ann.sync.push()
        try await ann.sync.push()
        #expect(try await ann.store.outbox.pending().isEmpty)
        #expect(try feed.session().rows("SELECT count(*) FROM plant;") == ["1"])
        #expect(try feed.session().rows("SELECT count(*) FROM lockstep_request;") == ["4"])
    }

    @Test("What a user may not do is parked with the reason, and nothing else waits for it")
    func parked() async throws {
        let feed = try Self.feed()
        let (ann, ben) = (try Device(of: .ann, at: feed), try Device(of: .ben, at: feed))
        try await ann.makeGarden(of: .ann)
        try await ann.invite(.ben)
        try await ann.sync.push()
        try await ben.sync.pull()
        try await ben.invite(.ann)
        try await ben.edit { context in for plant in try context.fetch(Plant.all()) { plant.kind = "Basil" } }
        let summary = try await ben.sync.push()
        #expect(summary.parked.count == 1)
        #expect(summary.updated == 1)
        #expect(try feed.session().rows("SELECT kind FROM plant;") == ["Basil"])
        #expect(try feed.session().rows("SELECT count(*) FROM gardener;") == ["1"])
    }
}
