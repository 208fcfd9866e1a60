import Foundation
import LockstepStore
import Shop
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("Messages of a merge about problems")
struct MessageTests {
    private let store: Store

    init() throws { store = try Store(ShopSchema.self, at: .inMemory) }

    @Test("M7 The message for an empty body says that it is empty, and possible causes")
    func emptyBody() async throws {
        let error = await #expect(throws: MergeError.self) { try await store.merge("", into: Product.self) }
        #expect(error?.code == .notJSON(offset: 0))
        #expect(
            error?.description == """
                merging (Product): the payload is empty. Nothing was changed. Do not merge a response without a body (204, \
                304). [notJSON at byte 0]
                """)
        // A truncated array is a different case.
        let cut = await #expect(throws: MergeError.self) { try await store.merge("[", into: Product.self) }
        #expect(cut?.reason.contains("ends in the middle") == true)
    }

    @Test("An error's localized description is its description, so that logs show it")
    func localized() async throws {
        let error = await #expect(throws: MergeError.self) { try await store.merge("<html>", into: Product.self) }
        #expect((error as (any Error)?)?.localizedDescription == error?.description)
        let other = await #expect(throws: StoreError.self) {
            try await store.perform { context in
                Product(id: 1, name: "a", context: context)
                Product(id: 1, name: "b", context: context)
                try context.save()
            }
        }
        #expect((other as (any Error)?)?.localizedDescription == other?.description)
    }

    @Test("A wrong shape names the key, and the supported shapes")
    func wrongShape() async throws {
        let error = await #expect(throws: MergeError.self) {
            try await store.merge(
                #"{"items": []}"#, into: Product.self, options: MergeOptions(payload: .wrapped(key: "products")))
        }
        #expect(error?.code == .wrongShape)
        #expect(error?.reason.hasPrefix("the object has no key “products”") == true)
        #expect(error?.remedy.contains("`.records`, `.wrapped(key:)` or `.map`") == true)
    }

    @Test(
        "M4 If the only record has no identity, a remark asks whether the records are nested elsewhere",
        arguments: [#"{"products": [{"id": 1, "name": "a"}]}"#, #"{"1": {"name": "a"}}"#, #"{"error": "no"}"#])
    func loneRecord(payload: String) async throws {
        let summary = try await store.merge(payload, into: Product.self)
        #expect(summary.skipped.count == 1 && !summary.hasChanges)
        #expect(summary.notes.map(\.code) == [.remark])
        #expect(summary.notes.first?.text.contains("`.wrapped(key:)`") == true)
    }

    @Test(
        "M4 A record without identity among others is no such case",
        arguments: [
            #"[{"name": "a"}, {"id": 1, "name": "b"}]"#, #"[{"name": "a"}, {"name": "b"}]"#,
            #"[{"id": "x", "name": "a"}]"#,
        ])
    func noRemark(payload: String) async throws {
        #expect(try await store.merge(payload, into: Product.self).notes == [])
    }

    @Test("A map key that is not an identity is reported as the key")
    func mapKey() async throws {
        let summary = try await store.merge(
            #"{"abc": {"name": "a"}}"#, into: Product.self, options: MergeOptions(payload: .map))
        #expect(
            summary.skipped.map(\.description) == [
                "record 0: it has a key that is not a whole number that fits into 64 bits"
            ])
    }

    @Test("M7 An unresolved scope mentions deletes only if they were requested")
    func unresolvedScope() async throws {
        let scope = MergeScope<ArticleComment>.children(of: 9, in: Article.Relationships.comments)
        let kept = try await store.merge("[]", into: ArticleComment.self, scope: scope)
        #expect(kept.notes.map(\.text) == ["Article “9” is not in the store yet"])
        let all = MergeOptions(records: .all)
        let swept = try await store.merge("[]", into: ArticleComment.self, scope: scope, options: all)
        #expect(swept.notes.map(\.text) == ["Article “9” is not in the store yet, so nothing was deleted"])
    }

    @Test("P9 A URL that is not a file is named without its query, which may contain a token")
    func secretURL() async throws {
        let url = try #require(URL(string: "https://example.com/products.json?token=secret"))
        let error = await #expect(throws: MergeError.self) {
            try await store.merge(contentsOf: url, into: Product.self)
        }
        #expect(
            error?.reason
                == "https://example.com/products.json cannot be read: it is not a file URL; fetch it first")
    }

    @Test("Progress says in words how much was read")
    func progress() {
        let known = MergeProgress(
            stage: .merging, bytesRead: 2500, byteCount: 10_000, recordsRead: 20, recordsMerged: 10)
        #expect(known.fractionRead == 0.25)
        #expect(known.description == "merging: 2500 of 10000 bytes and 20 records read, 10 merged")
        #expect(MergeProgress(stage: .reading, bytesRead: 5).fractionRead == nil)
        #expect(MergeProgress(stage: .complete, byteCount: 0).fractionRead == 1)
    }

    @Test("Options are listed where they are used, equal to those in the doc comments")
    func options() {
        let plain = MergeOptions()
        #expect(plain.records == [.insert, .update] && plain.nested == .all && plain.invalidRecords == .skip)
        #expect(plain.payload == .records && plain.missingKeys == .keep && plain.completeness == .automatic)
        #expect(!plain.isDryRun && !plain.isTraced && plain.listsIdentities && plain.progress == nil)
        let set = MergeOptions(records: .all, payload: .map, isDryRun: true)
        #expect(set.records == .all && set.payload == .map && set.isDryRun && !set.isTraced)
    }
}
