import Foundation
@testable import LockstepStore
import StoreSamples
import Testing

@Suite("Texts as identities and in requests") @MainActor
struct TextIdentityTests {
    private let store: Store
    private let context: ManagedObjectContext

    init() throws {
        store = try Store(LibrarySchema.self, at: .inMemory)
        context = store.mainContext
    }

    @Test("A text with NUL that SQL has written finds its record, is rolled back and filtered by")
    func nul() async throws {
        let name = "a\0b"
        try await store.writer.write {
            try $0.execute(sql: "INSERT INTO tag (name, weight) VALUES ('a' || char(0) || 'b', '1'), ('a', '2')")
        }
        let tag = try #require(try Tag.find(name, in: context))
        tag.weight = 3
        context.rollback()
        #expect(tag.recordState == .stored && tag.weight == 1)
        let weights = try await store.perform { context in
            [
                try Tag.find(name, in: context)?.weight,
                try context.first(Tag.filter { $0.name == name })?.weight,
                try context.first(Tag.filter { $0.name != name })?.weight,
                try context.first(Tag.filter { $0.name.isIn([name]) })?.weight,
                try context.first(Tag.filter { $0.name > "a" })?.weight,
                try context.first(Tag.filter { $0.name < name })?.weight,
                try context.first(Tag.filter { $0.name.hasPrefix("a\0") })?.weight,
                try context.first(Tag.filter { $0.name.contains("\0b") })?.weight,
            ]
        }
        #expect(weights == [1, 1, 2, 1, 1, 2, 1, 1])
        #expect(try context.count(Tag.filter { $0.name.hasPrefix("") && $0.name.contains("") }) == 2)
    }

    @Test("M12 An identity with NUL is refused when it is saved")
    func nulRefused() throws {
        Tag(name: "a\0b", weight: 1, context: context)
        #expect {
            try context.save()
        } throws: { error in
            let error = error as? StoreError
            return error?.code == .limit && error?.attribute == "name" && error?.reason.contains("NUL") == true
        }
    }

    @Test("Two identities that only look alike are two records")
    func canonicallyEqualIdentities() async throws {
        let (one, two) = ("caf\u{E9}", "cafe\u{301}")
        let product = Product(id: 1, name: "Cup", context: context)
        let first = Tag(name: one, weight: 1, context: context)
        let second = Tag(name: two, weight: 2, context: context)
        product.tags.insert(first)
        product.tags.insert(second)
        try await context.save()
        #expect(try context.fetch(Tag.order(\.weight)).map(\.weight) == [1, 2])
        #expect(try Tag.find(one, in: context) === first)
        #expect(try Tag.find(two, in: context) === second)
        let linked = try store.rows("SELECT weight FROM product_tag JOIN tag ON name = tag_id ORDER BY weight")
        #expect(linked == ["1", "2"])
        let found = try await store.perform { context in
            let tags = try context.fetch(Tag.order(\.weight))
            return (tags.map(\.weight), try Product.find(1, in: context)?.tags.map(\.weight).sorted())
        }
        #expect(found.0 == [1, 2] && found.1 == [1, 2])
    }

    @Test("Decimals are ordered and compared as numbers")
    func decimalOrder() throws {
        for (name, weight) in [("a", "9"), ("b", "10.5"), ("c", "-3"), ("d", "-20"), ("e", "100")] {
            Tag(name: name, weight: try #require(Decimal(string: weight)), context: context)
        }
        try context.save()
        #expect(try context.fetch(Tag.order(\.weight)).map(\.name) == ["d", "c", "a", "b", "e"])
        #expect(try context.fetch(Tag.order(\.weight.asc)).map(\.name) == ["d", "c", "a", "b", "e"])
        #expect(try context.fetch(Tag.order(\.weight.desc)).map(\.name) == ["e", "b", "a", "c", "d"])
        let ends = try store.writer.read { database in
            let weight = Tag.Columns.weight
            return try Row.fetchOne(database, Tag.select(min(weight), max(weight), sum(weight)))
        }
        let row = try #require(ends)
        #expect(row[0] as Double == -20 && row[1] as Double == 100 && row[2] as Double == 96.5)
    }
}
