import Foundation
import StoreSamples
@_spi(Generated) @testable import LockstepStore
import LockstepEvolution
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import Testing

private enum PensSchema: StructuredSchema {
    enum Boxes: WordKind { static let entity = compiled.entity("Box") }
    enum Pens: WordKind { static let entity = compiled.entity("Pen") }

    static let entities: [any Model.Type] = [Word<Boxes>.self, Word<Pens>.self]
    static let compiled = CompiledSchema(PensSchema.self)
    static let tables = SchemaStructure(
        name: "Pens",
        entities: [
            EntityStructure(
                name: "Box", table: "box", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .int), .attribute("name", as: .string)],
                relationships: [.toMany("pens", to: "Pen", inverse: "box")], remote: RemoteStructure(path: "/boxes")),
            EntityStructure(
                name: "Pen", table: "pen", identity: .attributes(["id"]),
                attributes: [
                    .attribute("id", as: .int),
                    AttributeStructure(
                        name: "bodyText", column: "body_text", type: .scalar(.string),
                        wire: WireStructure(path: ["body_text"], formerPaths: [["description"], ["meta", "text"]])),
                ],
                relationships: [
                    .toOne(
                        "box", to: "Box", inverse: "pens", column: "box_id",
                        wire: .id(paths: [["box_id"]], embeddedPath: ["box"]))
                ], remote: RemoteStructure(path: "/pens")),
        ])
}

/// Servers that return values under keys and in forms that differ from those that were sent, and that merges read.
@Suite("Values that were not applied, under all keys that a merge reads")
struct UnappliedFormStories {
    private let remote = MemoryRemote(traits: RemoteTraits())
    private let clock = ManualClock()

    private func respond(_ json: String) {
        remote.respondNext(.response(.accepted(body: Data(json.utf8))), to: .changes)
    }

    private func sync(_ store: Store) -> Sync {
        Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    /// A store with two boxes and a pen in the first.
    private func pens() async throws -> Store {
        let store = try Store(PensSchema.self, at: .inMemory)
        try await store.merge(
            Data(#"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#.utf8), into: Word<PensSchema.Boxes>.self)
        try await store.merge(
            Data(#"[{"id": 1, "body_text": "one", "box_id": 1}]"#.utf8), into: Word<PensSchema.Pens>.self)
        return store
    }

    private func execute(_ sql: String, _ store: Store) async throws {
        try await store.writer.write { try $0.execute(sql: sql) }
    }

    @Test(
        "P21.7 N1 N8 A former value counts under each key that a merge reads",
        arguments: [
            #""body_text": "one""#, #""bodyText": "one""#, #""description": "one""#, #""meta": {"text": "one"}"#,
            #""description": "one", "meta": {"text": "two"}"#,
        ])
    func keys(member: String) async throws {
        let store = try await pens()
        try await execute("UPDATE pen SET body_text = 'two'", store)
        respond(#"{"id": 1, \#(member), "box_id": 1}"#)
        let summary = try await sync(store).push()
        #expect(summary.parked.first?.lastError?.contains("did not apply it: bodyText") == true)
        #expect(try store.rows("SELECT body_text FROM pen") == ["two"])
    }

    @Test(
        "P21 N1 N8 A key that a merge does not read shows nothing",
        arguments: [
            #""body_text": "two", "bodyText": "one""#, #""bodyText": "one", "BodyText": "one""#,
            #""body_text": "two", "description": "one""#,
        ])
    func unread(member: String) async throws {
        let store = try await pens()
        try await execute("UPDATE pen SET body_text = 'two'", store)
        respond(#"{"id": 1, \#(member), "box_id": 1}"#)
        let summary = try await sync(store).push()
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        #expect(try store.rows("SELECT body_text FROM pen") == ["two"])
    }

    @Test(
        "P21.7 R1 N1 A former link counts in each form that a merge reads",
        arguments: [
            #""box_id": 1"#, #""boxId": 1"#, #""box": {"id": 1, "name": "A"}"#, #""box_id": null, "box": {"id": "1"}"#,
            #""box_id": 1, "box": {"id": 2}"#,
        ])
    func links(member: String) async throws {
        let store = try await pens()
        try await execute("UPDATE pen SET box_id = 2", store)
        respond(#"{"id": 1, "body_text": "one", \#(member)}"#)
        let summary = try await sync(store).push()
        #expect(summary.parked.first?.lastError?.contains("did not apply it: box") == true)
        #expect(try store.rows("SELECT box_id FROM pen") == ["2"])
    }

    @Test(
        "P21 R1 A new link that comes back as a record was applied",
        arguments: [#""box": {"id": 2, "name": "B"}"#, #""box_id": 2, "box": {"id": 1}"#, #""box": {"name": "A"}"#])
    func applied(member: String) async throws {
        let store = try await pens()
        try await execute("UPDATE pen SET box_id = 2", store)
        respond(#"{"id": 1, "body_text": "one", \#(member)}"#)
        _ = try? await sync(store).push()
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try store.rows("SELECT box_id FROM pen") == ["2"])
    }

    @Test("P21.2 R1 A link of a creation that comes back as a null record was not applied")
    func createdLink() async throws {
        let store = try await pens()
        try await execute("INSERT INTO pen VALUES (2, 'new', 2)", store)
        respond(#"{"id": 2, "body_text": "new", "box": null}"#)
        let summary = try await sync(store).push()
        #expect(summary.parked.first?.lastError?.contains("did not apply it: box") == true)
        #expect(try store.rows("SELECT box_id FROM pen WHERE id = 2") == ["2"])
    }

    @Test("P4 P21.1 A former link may be one whose response was lost")
    func lostLink() async throws {
        let store = try await pens()
        remote.set(["id": 1, "body_text": "one", "box_id": 1], id: "1", in: "/pens")
        try await execute("UPDATE pen SET box_id = 2", store)
        remote.respondNext(.responseLost, to: .changes)
        await #expect(throws: SyncError.self) { try await sync(store).push() }
        try await execute("UPDATE pen SET box_id = 1", store)
        clock.advance(by: 600)
        respond(#"{"id": 1, "body_text": "one", "box_id": 2}"#)
        #expect(try await sync(store).push().parked.count == 1)
        #expect(try store.rows("SELECT box_id FROM pen") == ["1"])
    }

    @Test(
        "P21.7 R11 N1 An added link counts in each form of the list that a merge reads",
        arguments: [#""tag_ids": []"#, #""tagIds": []"#, #""tags": {"data": []}"#, #""tags": null"#], [false, true])
    func lists(list: String, isRemoved: Bool) async throws {
        let store = try Store(BasketsSchema.self, at: .inMemory)
        try await store.merge(Data(#"[{"id": 9, "name": "t"}]"#.utf8), into: Badge.self)
        let there = isRemoved ? "[9]" : "[]"
        try await store.merge(Data(#"[{"id": 1, "name": "B", "tag_ids": \#(there)}]"#.utf8), into: Basket.self)
        try await store.perform { context in
            let basket = try #require(try Basket.find(1, in: context))
            for tag in try context.fetch(Badge.all()) {
                if isRemoved { basket.tags.remove(tag) } else { basket.tags.insert(tag) }
            }
            try context.save()
        }
        let element = list.contains("data") ? #"[{"id": 9, "name": "t"}]"# : "[9]"
        let returned = isRemoved ? list.replacing("[]", with: element) : list
        respond(#"{"id": 1, "name": "B", \#(returned)}"#)
        let summary = try await sync(store).push()
        let isShown = !(isRemoved && list.contains("null"))
        #expect(summary.parked.count == (isShown ? 1 : 0))
        #expect(try store.rows("SELECT COUNT(*) FROM basket_tag") == [isRemoved ? "0" : "1"])
    }
}
