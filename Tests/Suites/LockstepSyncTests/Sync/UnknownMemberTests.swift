import Foundation
import GRDB
import KitchenSink
import LockstepStore
import LockstepSync
import LockstepTesting
import SchematicCapture
import Shop
import TestSupport
import Testing

/// An app that is older than the server edits records that are embedded in others, and writes their whole list.
@Suite("V11 Members of embedded records that the schema does not know")
struct UnknownMemberTests {
    private let clock = ManualClock()
    private let server: MemoryRemote

    init() { server = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true), clock: clock) }

    private func sync(_ store: Store, _ remote: (any Remote)? = nil) -> Sync {
        Sync(
            store: store, remote: remote ?? server, retries: RetrySchedule(attemptsPerPush: 1), clock: clock,
            random: { 0.5 })
    }

    /// A device that has pulled a product with three images and a title image.
    private func shop(_ remote: (any Remote)? = nil) async throws -> (Store, Sync) {
        server.set(
            [
                "id": 1, "name": "Lamp", "origin": "Oslo",
                "image": ["id": 9, "url": "https://a.test/9", "title": .null, "license": "free"],
                "images": .array(
                    (1...3).map { number in
                        [
                            "id": .integer(number), "url": .string("https://a.test/\(number)"),
                            "width": .integer(number * 10),
                        ]
                    }),
            ], id: "1", in: "/products")
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await sync.pull(Product.self)
        return (store, sync)
    }

    private func edit(_ store: Store, _ body: @escaping @Sendable (Product) throws -> Void) async throws {
        try await store.perform { context in
            try body(try #require(try Product.find(1, in: context)))
            try context.save()
        }
    }

    private var images: [JSONValue] {
        guard case .array(let images)? = server.record("1", of: "/products")?["images"] else { return [] }
        return images.map { .array([$0["id"] ?? .null, $0["title"] ?? .null, $0["width"] ?? .null]) }
    }

    // MARK: Edits

    @Test("V11 Members of embedded records that the schema does not know survive an edit of one of them")
    func edited() async throws {
        let (store, sync) = try await shop()
        try await edit(store) { try #require($0.images.first).title = "front" }
        try await sync.push()
        #expect(images == [[1, "front", 10], [2, .null, 20], [3, .null, 30]])
        #expect(server.record("1", of: "/products")?["origin"] == "Oslo")
        #expect(try await store.outbox.count() == 0)
    }

    @Test("V11 They survive at any depth")
    func nested() async throws {
        server.set(
            [
                "id": 1, "name": "House", "companyName": "Anna", "clientId": 1,
                "jobsheet": [
                    [
                        "id": 10, "name": "Cellar", "status": "incomplete", "inspector": "Bo",
                        "components": [
                            [
                                "id": 20, "componentId": "a", "shelf": 7,
                                "photo": ["id": 30, "name": "front", "width": 640],
                            ]
                        ],
                    ]
                ],
            ], id: "1", in: "/projects")
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        let sync = sync(store)
        try await sync.pull(Project.self)
        try await store.perform { context in
            try #require(try Photo.find(30, in: context)).name = "back"
            try context.save()
        }
        try await sync.push()
        let sheet = server.record("1", of: "/projects")?["jobsheet"]?[0]
        let component = sheet?["components"]?[0]
        #expect(component?["photo"]?["name"] == "back" && component?["photo"]?["width"] == 640)
        #expect(component?["shelf"] == 7)
        #expect(sheet?["inspector"] == "Bo")
    }

    @Test("V11 They survive in an embedded to-one, unless it is another record")
    func toOne() async throws {
        let (store, sync) = try await shop()
        try await edit(store) { try #require($0.image).title = "front" }
        try await sync.push()
        let image = server.record("1", of: "/products")?["image"]
        #expect(image?["title"] == "front" && image?["license"] == "free")
        try await edit(store) { product in
            product.context.delete(try #require(product.image))
            product.image = Shop.Image(
                id: 8, url: try #require(URL(string: "https://a.test/8")), context: product.context)
        }
        try await sync.push()
        let other = server.record("1", of: "/products")?["image"]
        #expect(other?["id"] == 8 && other?["license"] == nil)
    }

    // MARK: Lists

    @Test("V11 They move with their records when the order of a list changes")
    func moved() async throws {
        let (store, sync) = try await shop()
        try await edit(store) { product in
            let images = Array(product.images)
            product.images.replaceAll(with: [images[2], images[0], images[1]])
        }
        try await sync.push()
        #expect(images == [[3, .null, 30], [1, .null, 10], [2, .null, 20]])
    }

    @Test("V11 They survive when other records are added to a list and removed from it")
    func addedAndRemoved() async throws {
        let (store, sync) = try await shop()
        try await edit(store) { product in
            let context = product.context
            context.delete(try #require(try Picture.find(1, in: context)))
            product.images.insert(
                Picture(id: 4, url: try #require(URL(string: "https://a.test/4")), title: "new", context: context))
        }
        try await sync.push()
        #expect(images == [[2, .null, 20], [3, .null, 30], [4, "new", .null]])
    }

    @Test("V11 Without an identity, an embedded record keeps them unless it was edited")
    func withoutIdentity() async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        let sync = sync(store)
        try await store.perform { context in
            let owner = Person(name: "Anna", country: "no", number: 7, context: context)
            let scraps = [Scrap(text: "a", context: context), Scrap(text: "b", context: context)]
            Everything(name: "All", id: 1, days: [], owner: owner, scraps: scraps, context: context)
            try context.save()
        }
        try await sync.push()
        server.edit(
            "1", of: "/everything", ["scraps": [["text": "a", "ink": "red"], ["text": "b", "ink": "blue"]]])
        try await sync.pull(Everything.self)
        try await store.perform { context in
            let everything = try #require(try Everything.find(1, in: context))
            try #require(everything.scraps.first { $0.text == "a" }).text = "c"
            try context.save()
        }
        try await sync.push()
        guard case .array(let scraps)? = server.record("1", of: "/everything")?["scraps"] else {
            throw CancellationError()
        }
        let inks = scraps.map { ($0["text"] ?? .null, $0["ink"] ?? .null) }
        #expect(inks.count == 2)
        #expect(inks.contains { $0 == ("b", "blue") } && inks.contains { $0 == ("c", .null) })
    }

    // MARK: What is known

    @Test("V11 A value that was changed on the server since the pull is not reverted")
    func current() async throws {
        let (store, sync) = try await shop()
        server.edit(
            "1", of: "/products",
            ["images": [["id": 2, "url": "https://a.test/2", "title": "theirs", "width": 99, "height": 7]]])
        try await edit(store) { try #require(try Picture.find(2, in: $0.context)).title = "mine" }
        try await sync.push()
        #expect(images == [[2, "mine", 99]])
        #expect(server.record("1", of: "/products")?["images"]?[0]?["height"] == 7)
    }

    @Test("V11 They survive a merge of representations, which do not have them")
    func typed() async throws {
        let (store, sync) = try await shop()
        let representations = try await store.perform { try $0.fetch(Product.all()).map(\.representation) }
        try await store.merge(representations)
        try await edit(store) { try #require($0.images.first).title = "front" }
        try await sync.push()
        #expect(images == [[1, "front", 10], [2, .null, 20], [3, .null, 30]])
    }

    @Test("V11 Nothing is requested if the server has no such members, or no list is sent")
    func notRequested() async throws {
        let (store, sync) = try await shop()
        try await edit(store) { $0.name = "Big lamp" }
        server.clearLog()
        try await sync.push()
        #expect(server.log.map(\.description) == ["update /products/1"])

        let other = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true), clock: clock)
        other.set(
            ["id": 1, "name": "Lamp", "origin": "Oslo", "images": [["id": 1, "url": "https://a.test/1"]]], id: "1",
            in: "/products")
        let second = try Store(ShopSchema.self, at: .inMemory)
        let secondSync = self.sync(second, other)
        try await secondSync.pull(Product.self)
        try await edit(second) { try #require($0.images.first).title = "front" }
        other.clearLog()
        try await secondSync.push()
        #expect(other.log.map(\.description) == ["update /products/1"])
    }

    @Test("V11 What an earlier version of the library has pulled is pulled again")
    func earlierLibrary() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("shop.sqlite")
            _ = try await shop()
            let earlier = try Store(ShopSchema.self, at: .file(file))
            try await sync(earlier).pull(Product.self)
            try await earlier.writer.write { database in
                try database.execute(sql: "DROP TABLE lockstep_unknown_member")
                try MetadataTable.set("outbox", to: "2 earlier", in: database)
            }
            try earlier.close()
            let store = try Store(ShopSchema.self, at: .file(file))
            let sync = sync(store)
            #expect(try await sync.pull(Product.self).notModified == 0)
            #expect(try await sync.pull(Product.self).notModified == 1)
            try await edit(store) { try #require($0.images.first).title = "front" }
            try await sync.push()
            #expect(images == [[1, "front", 10], [2, .null, 20], [3, .null, 30]])
            try store.close()
        }
    }

    @Test("V11 The record is requested again if it was changed there in the meantime")
    func outdated() async throws {
        let versioned = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true, hasVersions: true), clock: clock)
        versioned.set(
            ["id": 1, "name": "Lamp", "images": [["id": 1, "url": "https://a.test/1", "width": 10]]], id: "1",
            in: "/products")
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = sync(store, versioned)
        try await sync.pull(Product.self)
        try await edit(store) { try #require($0.images.first).title = "front" }
        versioned.respondNext(.response(.outdated(current: nil, version: nil)), to: .changes)
        versioned.edit(
            "1", of: "/products", ["images": [["id": 1, "url": "https://a.test/1", "width": 11]]])
        try await sync.push()
        let image = versioned.record("1", of: "/products")?["images"]?[0]
        #expect(image?["title"] == "front" && image?["width"] == 11)
    }
}
