import Foundation
import Journal
import LockstepStore
import LockstepSync
import Shop
import Testing

// The Swift of Merging.md, compiled and run.

@Suite("The Swift in Merging.md")
struct MergingSnippets {
    private static let entries = Data(
        #"[{"identifier": "0e5a1c1a-6a4e-4f5b-9b57-3c1f6a8a2d11", "title": "Hello"}]"#.utf8)

    @Test("Merging a payload, a dry run, and the contents of the summary")
    func merging() async throws {
        let body = Self.entries
        // snippet
        let store = try Store(JournalSchema.self, at: .inMemory)
        let summary = try await store.merge(body, into: Entry.self)
        print(summary)  // Entry: 3 inserted, 1 updated, 96 unchanged
        // end
        #expect(summary.description == "Entry: 1 inserted")
        try await readingTheSummary(of: store)
        // snippet
        let map = #"{"0e5a1c1a-6a4e-4f5b-9b57-3c1f6a8a2d11": {"title": "Hello"}}"#
        try await store.merge(map, into: Entry.self, options: MergeOptions(payload: .map))  // as in Firebase

        let options = MergeOptions(records: .all, isDryRun: true)
        let plan = try await store.merge(body, into: Entry.self, options: options)
        print("would delete", plan[Entry.self].deleted)
        print(plan)  // what it would do, with identities
        // end
        #expect(plan.isDryRun && !plan.hasChanges)
        try await tracing(store, body)
    }

    private func tracing(_ store: Store, _ body: Data) async throws {
        // snippet
        let trace = try await store.merge(body, into: Entry.self, options: MergeOptions(isTraced: true)).trace
        for key in trace?.unknownKeys ?? [] { print(key.entity, key.keyPath, key.count) }
        for route in trace?.routes ?? [] { print(route.keyPath, "→", route.member, route.column ?? "") }
        for change in trace?.changes ?? [] { print(change.identity, change.members) }
        // end
        #expect(trace?.routes.map(\.member) == ["identifier", "title"])
    }

    @Test("Hooks")
    func hooks() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        // snippet
        store.customizeMerge(
            of: Entry.self,
            MergeCustomization(
                willInsert: { json, context in
                    var json = json
                    if json["title"] == nil { json["title"] = "Untitled" }
                    return json
                },
                didMerge: { summary, database in
                    let fresh = summary.identities(.inserted, of: Entry.self)
                    print(fresh.count, "new entries, not yet committed")
                }))
        // end
        let body = Data(#"[{"identifier": "0e5a1c1a-6a4e-4f5b-9b57-3c1f6a8a2d11"}]"#.utf8)
        #expect(try await store.merge(body, into: Entry.self)[Entry.self].inserted == 1)
        #expect(try await store.perform { try $0.fetch(Entry.all()).map(\.title) } == ["Untitled"])
    }

    private func readingTheSummary(of store: Store) async throws {
        let body = Self.entries
        // snippet
        let summary = try await store.merge(body, into: Entry.self)
        print(summary.inserted, summary.updated, summary.unchanged, summary.deleted)  // of all entities
        print(summary[Entry.self].inserted)
        let fresh: [UUID] = summary.identities(.inserted, of: Entry.self)
        for record in summary.skipped { print(record.index, record.keyPath, record.reason) }
        // end
        #expect(fresh.isEmpty && summary.unchanged == 1)
    }

    @Test("Scopes, and deleting within one")
    func scopes() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.merge(
            Data(#"{"id": 3, "title": "Three", "body_text": ""}"#.utf8), into: Article.self)
        try await store.merge(Data(#"{"id": 1, "name": "Lamp"}"#.utf8), into: Product.self)
        let tags = Data(#"[{"id": 5, "name": "light"}]"#.utf8)
        let url = try #require(URL(string: "https://example.com/comments?article_id=3"))
        // snippet
        let body = Data(#"[{"id": 20, "name": "Alice", "text": "I agree."}]"#.utf8)

        // GET /articles/3/comments
        try await store.merge(
            body, into: ArticleComment.self, scope: .children(of: 3, in: Article.Relationships.comments))

        // GET /comments?article_id=3
        try await store.merge(body, into: ArticleComment.self, scope: .matching(\.articleID, 3))
        try await store.merge(body, into: ArticleComment.self, scope: .query(of: url))

        // GET /products/1/tags: many-to-many; the tags are linked to the product
        try await store.merge(tags, into: Tag.self, scope: .children(of: 1, in: Product.Relationships.tags))
        // end
        let linked = try await store.perform { context in
            let tags = try Product.find(1, in: context)?.tags.map(\.name)
            return (try ArticleComment.find(20, in: context)?.article?.id, tags)
        }
        #expect(linked.0 == 3 && linked.1 == ["light"])
        try await deleting(from: store, Data("[]".utf8))
    }

    private func deleting(from store: Store, _ body: Data) async throws {
        // snippet
        let summary = try await store.merge(
            body, into: ArticleComment.self, scope: .children(of: 3, in: Article.Relationships.comments),
            options: MergeOptions(records: .all))  // insert, update, delete
        for note in summary.notes { print(note) }
        // end
        #expect(summary.identities(.deleted, of: ArticleComment.self) == [20])
    }
}
