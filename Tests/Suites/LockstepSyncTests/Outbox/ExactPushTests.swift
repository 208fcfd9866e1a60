import Foundation
import KitchenSink
import LockstepEvolution
@_spi(Generated) import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import Testing

/// What a push compares with the server's responses. “é” as one scalar and as two are two texts.
@Suite("N9 A push compares identities and texts by their scalars")
struct ExactPushTests {
    private let one = "\u{E9}"
    private let two = "e\u{301}"
    private let clock = ManualClock()

    private func sync(_ store: Store, _ remote: MemoryRemote) -> Sync {
        Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    private func label(_ id: String, _ colour: String) throws -> Data {
        try JSONValue.object(["id": .string(id), "colour": .string(colour)]).json()
    }

    @Test("N9 P13 A response with the other form of the identity is another record, and confirms no update")
    func update() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": .string(one), "colour": "blue"], id: one, in: "/labels")
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await sync.pull(Label.self)
        try await store.writer.write { try $0.execute(sql: "UPDATE label SET colour = 'red'") }
        remote.respondNext(.response(.accepted(body: try label(two, "red"))), to: .changes)
        #expect(try await sync.push().sent == 0)
        #expect(try await store.outbox.pending().count == 1)
        #expect(try store.rows("SELECT hex(id) FROM label") == ["C3A9"])
    }

    @Test("N9 P13 A creation that comes back under the other form of its identity is parked")
    func creation() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.writer.write { try $0.execute(sql: "INSERT INTO label (id, colour) VALUES (char(233), 'red')") }
        remote.respondNext(.response(.accepted(body: try label(two, "red"))), to: .changes)
        let summary = try await sync(store, remote).push()
        #expect(summary.sent == 0 && summary.parked.count == 1)
        #expect(try store.rows("SELECT hex(id) FROM label") == ["C3A9"])
    }

    @Test("N9 P21 A text that comes back in its former form was not applied: it stays, and is parked")
    func text() async throws {
        let remote = MemoryRemote(
            traits: RemoteTraits(), ignores: { member, _, isNew in member == "colour" && !isNew })
        remote.set(["id": "a", "colour": .string(one)], id: "a", in: "/labels")
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await sync.pull(Label.self)
        try await store.writer.write { try $0.execute(sql: "UPDATE label SET colour = 'e' || char(769)") }
        let summary = try await sync.push()
        #expect(summary.parked.first?.lastError?.contains("did not apply it: colour") == true)
        #expect(try store.rows("SELECT hex(colour) FROM label") == ["65CC81"])
    }

    @Test("N9 P21.5 Embedded records whose identities differ only in their scalars are two")
    func members() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true))
        let page: JSONValue = [
            "id": 1, "name": "p",
            "terms": [["id": .string(one), "title": "first"], ["id": .string(two), "title": "second"]],
        ]
        remote.set(page, id: "1", in: "/pages")
        let store = try Store(Accents.self, at: .inMemory)
        let sync = sync(store, remote)
        try await sync.pull(Word<Accents.Pages>.self)
        try await store.writer.write { try $0.execute(sql: "UPDATE term SET title = 'new' WHERE id = char(233)") }
        // It ignores the edit.
        remote.respondNext(.response(.accepted(body: try page.json())), to: .changes)
        let summary = try await sync.push()
        #expect(summary.parked.first?.lastError?.contains("did not apply it: Term.title") == true)
        #expect(try store.rows("SELECT title FROM term ORDER BY title") == ["new", "second"])
    }
}

/// Pages with terms in them, which their words identify.
private enum Accents: StructuredSchema {
    enum Pages: WordKind { static let entity = compiled.entity("Page") }
    enum Terms: WordKind { static let entity = compiled.entity("Term") }

    static let entities: [any Model.Type] = [Word<Pages>.self, Word<Terms>.self]
    static let compiled = CompiledSchema(Accents.self)
    static let tables = SchemaStructure(
        name: "Accents",
        entities: [
            EntityStructure(
                name: "Page", table: "page", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .int), .attribute("name", as: .string)],
                relationships: [
                    .toMany("terms", to: "Term", inverse: "page", onDelete: .cascade, wire: .embedded(path: ["terms"]))
                ], remote: RemoteStructure(path: "/pages")),
            EntityStructure(
                name: "Term", table: "term", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .string), .attribute("title", as: .string)],
                relationships: [.toOne("page", to: "Page", inverse: "terms", column: "page_id")]),
        ])
}
