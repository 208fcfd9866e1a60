import Foundation
import LockstepStore
import LockstepSync
import Shop

/// A server's answer, merged twice: a product twice in one payload, one that is not as the schema has it, and nested
/// pictures.
func showMerge() async throws {
    let body = """
        [{"id": 1, "name": "Katamari Damacy T-Shirt", "price": "19.90", "tag_ids": [7],
          "images": [{"id": 4, "url": "https://example.com/katamari.jpg", "title": "Roll it up!"}]},
         {"id": 2, "name": "Prince", "stock": "many"},
         {"id": "1", "name": "Katamari T-Shirt"}]
        """
    let store = try Store(ShopSchema.self, at: .inMemory)
    print("GET /products\n\(body)")
    for attempt in ["first", "second"] {
        let summary = try await store.merge(body, into: Product.self)
        print("\nThe \(attempt) merge:\n\(summary)")
    }
    let names = try await store.perform { context in
        try context.fetch(Product.order(\.id)).map { "\($0.name), \($0.price), \($0.images.count) picture" }
    }
    print("\nIn the store: \(names.joined(separator: "; "))")

    // The link to tag 7 came before the tag.
    try await store.merge(#"[{"id": 7, "name": "red"}]"#, into: Tag.self)
    let tags = try await store.perform { try $0.find(Product.self, 1)?.tags.map(\.name) ?? [] }
    print("Its tags, now that they are here: \(tags.joined(separator: ", "))")
}
