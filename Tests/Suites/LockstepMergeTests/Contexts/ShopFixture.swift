import Foundation
import LockstepSync
import Shop
import Testing

@testable import LockstepStore

/// A shop's store with its main context, and helpers for tests of merges.
@MainActor
struct ShopFixture {
    let store: Store
    let context: ManagedObjectContext
    private let counter = RefreshCounter()

    init() throws {
        store = try Store(ShopSchema.self, at: .inMemory)
        context = store.mainContext
        context.observers.add(counter)
    }

    /// How often the main context has picked up a commit, once all commits are picked up.
    func refreshes() throws -> Int {
        try context.showCommits()
        return counter.count
    }

    @discardableResult
    func mergeArticles(_ json: String, _ options: MergeOptions = MergeOptions()) async throws -> MergeSummary {
        try await store.merge(decoded(json, as: [ArticleRepresentation].self), options: options)
    }

    @discardableResult
    func mergeComments(_ json: String, _ options: MergeOptions = MergeOptions()) async throws -> MergeSummary {
        try await store.merge(decoded(json, as: [ArticleCommentRepresentation].self), options: options)
    }

    @discardableResult
    func mergeProducts(_ json: String, _ options: MergeOptions = MergeOptions()) async throws -> MergeSummary {
        try await store.merge(decoded(json, as: [ProductRepresentation].self), options: options)
    }

    func article(_ id: Int) throws -> Article { try #require(try Article.find(id, in: context)) }

    func comment(_ id: Int) throws -> ArticleComment { try #require(try ArticleComment.find(id, in: context)) }
}

/// Reads a value from JSON.
func decoded<Value: Decodable>(_ json: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json.utf8))
}

/// Counts the notifications of a context to its observers.
private final class RefreshCounter: ContextObserver {
    var count = 0

    func contextDidRefresh(_ change: StoreChange) { count += 1 }
}
