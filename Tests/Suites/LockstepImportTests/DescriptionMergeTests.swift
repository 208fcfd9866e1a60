import Foundation
import LockstepMerge
import LockstepStore
import Testing

@testable import ImportedModels

/// The JSON that a description describes, in a store of the schema that was made of it.
@MainActor
@Suite("A server's JSON is stored as its description says")
struct DescriptionMergeTests {
    private let store: Store

    init() throws { store = try Store(ChoresSchema.self, at: .inMemory) }

    @discardableResult
    private func merge<Object: Model>(_ json: String, into type: Object.Type) async throws -> MergeSummary {
        try await store.merge(Data(json.utf8), into: type)
    }

    @Test("Two records list the same one, in several lists, and it stays in all of them")
    func sharedRecords() async throws {
        let summary = try await merge(
            """
            [{"id": 1, "title": "Sweep", "ribbons": [{"id": 7}, {"id": 8}], "doers": [{"id": 3}],
              "watchers": [{"id": 3}], "blocks": [{"id": 2, "title": "Mop", "ribbons": [{"id": 7}]}]},
             {"id": 2, "title": "Mop", "ribbons": [{"id": 7}], "doers": [{"id": 3}],
              "steps": [{"text": "Fill the bucket"}]}]
            """, into: Chore.self)
        #expect(summary.skipped.isEmpty)
        let chores = try store.mainContext.fetch(Chore.order(\.id))
        #expect(chores.map { $0.ribbons.map(\.id).sorted() } == [[7, 8], [7]])
        #expect(chores.map { $0.doers.map(\.id) } == [[3], [3]])
        #expect(chores.map { $0.watchers.map(\.id) } == [[3], []])
        #expect(chores.map { $0.blocks.map(\.id) } == [[2], []])
        #expect(chores.map { $0.steps.map(\.text) } == [[], ["Fill the bucket"]])
    }

    @Test("Of an identity and the record that it names, both are read")
    func identityAndRecord() async throws {
        try await merge(
            """
            [{"id": 1, "title": "Sweep", "ribbons": [], "leadId": 4, "lead": {"id": 4, "name": "Ann"}},
             {"id": 2, "title": "Mop", "ribbons": [], "leadId": 4},
             {"id": 3, "title": "Dust", "ribbons": [], "lead": {"id": 5, "name": "Bo"}}]
            """, into: Chore.self)
        let chores = try store.mainContext.fetch(Chore.order(\.id))
        #expect(chores.map { $0.lead?.name } == ["Ann", "Ann", "Bo"])
    }

    @Test("Records without an identity are created from their JSON, which has no key of the device")
    func withoutIdentity() throws {
        let json = Data("[{\"message\": \"Started\"}, {\"message\": \"Started\"}]".utf8)
        let lines = try JSONDecoder().decode([LogLineRepresentation].self, from: json)
        for line in lines { LogLine(representation: line, context: store.mainContext) }
        try store.mainContext.save()
        let stored = try store.mainContext.fetch(LogLine.all())
        #expect(stored.map(\.message) == ["Started", "Started"])
        #expect(Set(stored.map(\.localID)).count == 2)
        let encoded = try JSONEncoder().encode(stored[0])
        #expect(String(decoding: encoded, as: UTF8.self) == "{\"message\":\"Started\"}")
    }

    @Test("At the key of a to-one relationship, only an identity is read")
    func identityOnly() async throws {
        let store = try Store(PotteriesSchema.self, at: .inMemory)
        let vases = """
            [{"id": "a", "height": 1, "firedAt": 0, "potter": "p"},
             {"id": "b", "height": 1, "firedAt": 0, "potter": {"id": "q", "name": "Q", "email": "q"}}]
            """
        let summary = try await store.merge(Data(vases.utf8), into: Vase.self)
        #expect(summary.skipped.map(\.keyPath) == ["potter"])
        #expect(try store.mainContext.fetch(Vase.all()).map(\.id) == ["a"])
    }
}
