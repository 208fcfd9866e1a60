import Foundation
import Journal
import LockstepStore
import LockstepSync
import OfflineTasks
import SchematicCapture
import Shop
import Testing

// The Swift on merging of README.md and ComingFromCoreData.md.

@Suite("The Swift on merging in README.md and ComingFromCoreData.md")
struct OtherPagesSnippets {
    @Test("README: a server's JSON")
    func readme() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let body = Data(#"[{"identifier": "0e5a1c1a-6a4e-4f5b-9b57-3c1f6a8a2d11", "title": "Hello"}]"#.utf8)
        // snippet
        let summary = try await store.merge(body, into: Entry.self)  // a server's [{"identifier": …, "title": …}, …]
        print(summary)  // Entry: 3 inserted, 1 updated, 96 unchanged
        // end
        #expect(summary.description == "Entry: 1 inserted")
    }

    @Test("Day 3: the loop in one line")
    func dayThree() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let json = Data(
            """
            {"a": {"identifier": "01020304-0506-0708-090a-0b0c0d0e0f10", "title": "Monday", "mood": "happy",
                   "timestamp": "2020-01-01T00:00:00Z", "bodyText": "It rained."}}
            """.utf8)
        // snippet
        // the body of fetchEntriesFromServer, from decoding to saveToPersistentStore()
        try await store.merge(json, into: Entry.self, options: MergeOptions(payload: .map))
        // end
        #expect(try await store.perform { try $0.fetch(Entry.all()).map(\.title) } == ["Monday"])
    }

    @Test("Schematic Capture: projects with all nested records")
    func projects() async throws {
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        let body = Data(
            """
            [{"id": 7, "name": "Plant", "companyName": "Acme", "clientId": 3, "jobsheet":
                [{"id": 1, "name": "Pumps", "components": [{"id": 11, "componentId": "C-11"}]}]}]
            """.utf8)
        // snippet
        let summary = try await store.merge(body, into: Project.self)
        print(summary)  // Project: 1 inserted, and a line each for JobSheet, Component and Photo
        // end
        #expect(summary[Component.self].inserted == 1 && summary[JobSheet.self].inserted == 1)
    }

    @Test("OfflineCRUDDemo: Sync(changes:inEntityNamed:predicate:)")
    func changes() async throws {
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let changes = Data(#"[{"id": 5, "title": "Milk", "created_at": "2020-01-01T00:00:00Z"}]"#.utf8)
        // snippet
        try await store.merge(changes, into: Task.self, options: MergeOptions(records: .all))
        // end
        #expect(try await store.perform { try $0.find(Task.self, wireIdentity: 5)?.title } == "Milk")
    }

    @Test("Sync.update(_:with:): a record that exists is updated, an unknown one is not inserted")
    func update() async throws {
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let known = Data(#"{"id": 5, "title": "Milk", "created_at": "2020-01-01T00:00:00Z"}"#.utf8)
        for (isKnown, count) in [(false, 0), (true, 1)] {
            if isKnown { try await store.merge(known, into: Task.self) }
            // snippet
            let changes: JSONValue = ["id": 5, "title": "Oat milk"]
            let updated = try await store.merge(
                changes.json(), into: Task.self, options: MergeOptions(records: .update))
            // end
            #expect(updated.updated == count && updated.inserted == 0)
        }
        #expect(try await store.perform { try $0.find(Task.self, wireIdentity: 5)?.title } == "Oat milk")
    }

    @Test("Converge: a collection, with stale records deleted and invalid ones skipped")
    func collection() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.merge(#"{"id": 5, "name": "Katamari Damacy T-Shirt"}"#, into: Product.self)
        let url = try #require(URL(string: "https://example.com/product_reviews?product_id=5"))
        let body = Data(#"[{"id": 1, "product_id": 5, "name": "Alice", "review_text": "Rolls well."}]"#.utf8)
        // snippet
        // GET /product_reviews?product_id=5
        let summary = try await store.merge(
            body, into: ProductReview.self, scope: .query(of: url), options: MergeOptions(records: .all))
        // end
        #expect(summary.inserted == 1 && summary.notes.isEmpty)
    }
}
