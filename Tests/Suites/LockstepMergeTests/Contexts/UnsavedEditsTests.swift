import Foundation
import LockstepSync
import RuntimeTestSupport
import Shop
import Testing

@testable import LockstepStore

@MainActor
@Suite("Unsaved changes survive a merge")
struct UnsavedEditsTests {
    let shop: ShopFixture
    var context: ManagedObjectContext { shop.context }

    init() throws { shop = try ShopFixture() }

    private static let tea = #"[{"id": 1, "title": "Tea", "body_text": "Hot."}]"#
    private static let greenTea = #"[{"id": 1, "title": "Green tea", "body_text": "Very hot."}]"#

    @Test("C2 An edited attribute is kept, the others are merged; the save writes only the edit")
    func otherAttributes() async throws {
        try await shop.mergeArticles(Self.tea)
        let tea = try shop.article(1)
        tea.title = "My tea"
        try await shop.mergeArticles(Self.greenTea)
        try context.showCommits()
        #expect(tea.title == "My tea")
        #expect(tea.bodyText == "Very hot.")
        #expect(tea.recordState == .changed)
        try await context.save()
        let stored = try await shop.store.representations(Article.all())
        #expect(stored.map(\.title) == ["My tea"])
        #expect(stored.map(\.bodyText) == ["Very hot."])
    }

    @Test(
        "C1 If both sides changed a value, the context's merge policy decides",
        arguments: MergePolicy.allCases)
    func policies(_ policy: MergePolicy) async throws {
        context.mergePolicy = policy
        try await shop.mergeArticles(Self.tea)
        let tea = try shop.article(1)
        tea.title = "My tea"
        try await shop.mergeArticles(Self.greenTea)
        try context.showCommits()
        switch policy {
        case .contextWins:
            try await context.save()
            #expect(tea.title == "My tea")
        case .storeWins:
            #expect(tea.title == "Green tea")
            #expect(!context.hasChanges)
        case .error:
            #expect(throws: StoreError.self) { try context.save() }
            try context.refresh(tea, keepingChanges: false)
            #expect(tea.title == "Green tea")
        }
        let stored = try await shop.store.representations(Article.all()).map(\.title)
        #expect(stored == [policy == .contextWins ? "My tea" : "Green tea"])
    }

    @Test("C3 A record deleted by a merge while it is edited is inserted again by the save, or deleted, by the policy")
    func deletedWhileEdited() async throws {
        for policy in [MergePolicy.contextWins, .storeWins] {
            try shop.store.confirmAll()
            try await shop.mergeArticles(Self.tea)
            context.mergePolicy = policy
            let tea = try shop.article(1)
            tea.title = "My tea"
            try await shop.mergeArticles("[]", MergeOptions(records: .all))
            try context.showCommits()
            #expect(tea.recordState == (policy == .contextWins ? .changed : .deleted))
            try await context.save()
            let stored = try await shop.store.representations(Article.all()).map(\.title)
            #expect(stored == (policy == .contextWins ? ["My tea"] : []))
        }
    }

    @Test("A new unsaved record stays new and can link to merged records")
    func inserted() async throws {
        let comment = ArticleComment(id: 5, name: "Ada", text: "First!", context: context)
        comment.articleID = 1
        #expect(comment.article == nil)
        try await shop.mergeArticles(Self.tea)
        try context.showCommits()
        #expect(comment.recordState == .inserted)
        #expect(comment.article?.title == "Tea")
        #expect(try shop.article(1).comments.map(\.id) == [5])
        try await context.save()
        #expect(try await shop.store.representations(ArticleComment.all()).map(\.articleID) == [1])
    }

    @Test("Undo works after merges of other records; a merge that changes the record clears the history")
    func undo() async throws {
        try await shop.mergeArticles(Self.tea)
        let history = context.enableUndo()
        let tea = try shop.article(1)
        tea.title = "My tea"
        try await shop.mergeArticles(Self.tea)
        try await shop.mergeArticles(#"[{"id": 2, "title": "Ale", "body_text": "Cold."}]"#)
        try context.showCommits()
        #expect(history.undo())
        #expect(tea.title == "Tea")
        #expect(!context.hasChanges)
        #expect(history.redo())
        #expect(tea.title == "My tea")
        try await shop.mergeArticles(#"[{"id": 1, "title": "Tea", "body_text": "Very hot."}]"#)
        try context.showCommits()
        #expect(!history.canUndo)
        #expect(tea.title == "My tea" && tea.bodyText == "Very hot.")
        try await context.save()
        #expect(try shop.article(1).title == "My tea")
    }

    @Test("A child context picks up a merge from its parent and keeps its own edits")
    func child() async throws {
        try await shop.mergeArticles(Self.tea)
        try await shop.mergeComments(#"[{"id": 1, "name": "Ada", "text": "Yes.", "article_id": 1}]"#)
        let tea = try shop.article(1)
        let child = context.makeChild()
        let draft = try #require(try Article.find(1, in: child))
        draft.title = "My tea"
        #expect(draft.comments.map(\.id) == [1])
        try await shop.mergeArticles(Self.greenTea)
        try await shop.mergeComments(
            #"[{"id": 1, "name": "Ada", "text": "Yes.", "article_id": null}, {"id": 2, "name": "Bob", "text": "No.", "article_id": 1}]"#
        )
        _ = try child.fetch(Article.all())
        #expect(tea.title == "Green tea")
        #expect(draft.title == "My tea")
        #expect(draft.bodyText == "Very hot.")
        #expect(draft.comments.map(\.id) == [2])
        try await child.save()
        #expect(tea.title == "My tea")
        #expect(tea.bodyText == "Very hot.")
        try await context.save()
        #expect(try await shop.store.representations(Article.all()).map(\.title) == ["My tea"])
    }
}
