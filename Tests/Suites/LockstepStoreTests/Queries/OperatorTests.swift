import Foundation
import Journal
import KitchenSink
import LockstepStore
import SampleTypes
import Shop
import Testing

@Suite("Operators encode values like their columns, on either side")
struct OperatorTests {
    private static let day = Date(timeIntervalSince1970: -4_000_000_000.25)
    private static let token = UUID()

    /// One record with 9 and 10, so that comparing digits as text is noticed, and one without optional values.
    private func sink(_ body: @escaping @Sendable (Store, ManagedObjectContext) throws -> Void) async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.perform { context in
            let owner = Person(name: "o", country: "de", number: 1, context: context)
            Everything(
                name: "a", id: 1, exact: 9, day: Self.day, token: Self.token, price: Money(stored: 9),
                slug: Slug(stored: "a"), days: [], optionalExact: 10, optionalDay: Self.day + 1,
                optionalPrice: Money(stored: 10), owner: owner, context: context)
            Everything(
                name: "b", id: 2, exact: 100, day: Self.day + 10, price: Money(stored: 100),
                slug: Slug(stored: "b"), days: [], owner: owner, context: context)
            try context.save()
            try body(store, context)
        }
    }

    private typealias Columns = Everything.Columns

    private func expect(
        _ expected: [Int], _ context: ManagedObjectContext, _ conditions: [any SQLSpecificExpressible],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        for (place, condition) in conditions.enumerated() {
            let ids = try context.ids(Everything.filter(condition).order(\.id))
            #expect(ids == expected, "condition \(place)", sourceLocation: location)
        }
    }

    @Test("An optional value is compared like a required one; no value compares to nil")
    func optionals() async throws {
        try await sink { _, context in
            let day: Date? = Self.day
            let nothing: Date? = nil
            let nine: Decimal? = 9
            try expect([1], context, [Columns.day <= day, Columns.exact <= nine, Columns.day === day])
            try expect([2], context, [Columns.day > day, Columns.exact > nine, Columns.day !== day])
            try expect([], context, [Columns.day < day, Columns.exact < nine, Columns.day > nothing])
            try expect([1, 2], context, [Columns.day >= day, Columns.exact >= nine])
            try expect([1], context, [Columns.day == day, day == Columns.day, Columns.exact == nine])
            try expect([2], context, [Columns.day != day, day != Columns.day, Columns.optionalDay == nothing])
            try expect([2], context, [nothing == Columns.optionalDay, Columns.optionalExact == nil])
            let noMood: KitchenSink.Mood? = nil
            try expect([1, 2], context, [Columns.optionalMood == noMood, noMood == Columns.optionalMood])
            let token: UUID? = Self.token
            let found = try context.ids(Everything.filter { $0.token == token })
            let others = try context.ids(Everything.filter { token != $0.token })
            #expect(found == [1] && others == [2])
            try expect([2], context, [Columns.optionalDay === nothing, Columns.optionalDay !== Self.day + 1])
        }
    }

    @Test("The value can be on the left")
    func left() async throws {
        try await sink { _, context in
            let token: UUID? = Self.token
            try expect([1], context, [Self.token == Columns.token, token == Columns.token, Self.day == Columns.day])
            try expect([2], context, [Self.day < Columns.day, Self.token != Columns.token, Decimal(9) < Columns.exact])
            try expect([2], context, [9 < Columns.exact, 9.5 <= Columns.exact, 100 == Columns.exact])
            try expect([1], context, [Self.day >= Columns.day, 10 > Columns.exact, 9.0 == Columns.exact])
            try expect([1], context, [Money(stored: 10) > Columns.price, Columns.price == Money(stored: 9)])
        }
    }

    @Test("Decimals of two columns are compared as numbers")
    func columns() async throws {
        try await sink { _, context in
            try expect([1], context, [Columns.exact < Columns.optionalExact, Columns.optionalExact > Columns.exact])
            try expect([1], context, [Columns.exact <= Columns.optionalExact, Columns.optionalExact >= Columns.exact])
            try expect([1], context, [Columns.price < Columns.optionalPrice, Columns.day < Columns.optionalDay])
        }
    }

    @Test("Ranges contain columns of dates and decimals")
    func ranges() async throws {
        try await sink { _, context in
            try expect([1], context, [(Self.day...Self.day + 9).contains(Columns.day)])
            try expect([1], context, [(Self.day..<Self.day + 10).contains(Columns.day)])
            try expect([1], context, [(Decimal(9)...10).contains(Columns.exact), (1...1).contains(Columns.id)])
            try expect([1], context, [(1...20).contains(Columns.exact), (8.5..<9.5).contains(Columns.exact)])
            try expect([2], context, [(20..<1000).contains(Columns.exact), (10.0...100.0).contains(Columns.exact)])
            try expect([2], context, [(Decimal(10)..<1000).contains(Columns.exact), (2..<3).contains(Columns.id)])
        }
    }

    @Test("The value in place of NULL has the column's type")
    func standIns() async throws {
        try await sink { _, context in
            try expect([1], context, [(Columns.optionalExact ?? 0) > 9, (Columns.optionalExact ?? 0.5) > Decimal(9)])
            try expect([2], context, [(Columns.optionalDay ?? Self.day) == Self.day.storedValue])
            try expect([1, 2], context, [(Columns.optionalInt ?? 7) == 7])
        }
    }

    @Test("NULL is last, decimals are sorted by number")
    func nullsLast() async throws {
        try await sink { _, context in
            let owner = try #require(try context.first(Person.all()))
            Everything(
                name: "c", id: 3, slug: Slug(stored: "c"), days: [], optionalExact: 9, owner: owner, context: context)
            try context.save()
            let up = try context.ids(Everything.order { [$0.optionalExact.ascNullsLast] })
            let down = try context.ids(Everything.order(\.optionalExact.descNullsFirst))
            #expect(up == [3, 1, 2])
            #expect(down == [2, 1, 3])
        }
    }

    @Test("updateAll sets values that models can read")
    func updates() async throws {
        try await sink { store, context in
            let one = try #require(try context.find(Everything.self, 1))
            let token = UUID()
            let nothing: Date? = nil
            let later: Date? = Self.day + 7
            try store.writer.write { database in
                _ = try Everything.filter(id: 1).updateAll(database) {
                    [
                        $0.day.set(to: Self.day + 5), $0.token.set(to: token), $0.exact.set(to: 12.0),
                        $0.optionalExact.set(to: 7), $0.mood.set(to: .sad), $0.price.set(to: Money(stored: 3)),
                        $0.optionalDay.set(to: nothing),
                        $0.optionalSeconds.set(to: later), $0.optionalPrice.set(to: nil), $0.name.set(to: "x\0y"),
                    ]
                }
            }
            let fetched = try context.fetch(Everything.filter { $0.exact == 12 && $0.token == token })
            #expect(fetched.first === one)
            #expect(one.day == Self.day + 5 && one.mood == .sad && one.price == Money(stored: 3))
            #expect(one.optionalSeconds == later)
            #expect(one.optionalExact == 7 && one.optionalDay == nil && one.optionalPrice == nil && one.name == "x\0y")
        }
    }

    @Test("GRDB's filters and deletes by key encode UUIDs like columns")
    func keys() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            let entries = ["a", "b", "c"].map { Entry(title: $0, context: context) }
            try context.save()
            let id = entries[0].identifier
            let titles = try [
                Entry.filter(key: id), Entry.filter(keys: [id]), Entry.filter(id: id), Entry.filter(ids: [id]),
                Entry.all().filter(id: id),
            ].map { try context.fetch($0).map(\.title) }
            #expect(titles.allSatisfy { $0 == ["a"] })
            let isThere = try store.writer.write { database in
                let isThere = try Entry.exists(database, id: id)
                try Entry.deleteOne(database, key: id)
                return isThere
            }
            let left = try context.count(Entry.all())
            #expect(isThere && left == 2)
        }
    }

    @Test("GRDB's request for an association starts from a model")
    func associations() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            let product = Product(id: 1, name: "p", context: context)
            let review = ProductReview(id: 1, name: "r", reviewText: "", product: product, context: context)
            ProductReview(id: 2, name: "s", reviewText: "", context: context)
            try context.save()
            let reviews = Product.hasMany(ProductReview.self, using: ForeignKey([ProductReview.Columns.productID]))
            let found = try context.fetch(product.request(for: reviews))
            #expect(found.count == 1 && found.first === review)
        }
    }

    @Test("ids knows the ordering of the request, including annotations")
    func annotatedIdentities() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            let products = (1...3).map { Product(id: $0, name: "p\($0)", context: context) }
            for number in 1...3 {
                let product = products[number == 1 ? 0 : 1]
                ProductReview(id: number, name: "", reviewText: "", product: product, context: context)
            }
            try context.save()
            let reviews = Product.hasMany(ProductReview.self, using: ForeignKey([ProductReview.Columns.productID]))
            let request = Product.annotated(with: reviews.count.forKey("reviews"))
                .order(Column("reviews").detached.desc, Product.Columns.id)
            let ids = try context.ids(request)
            let fetched = try context.fetch(request).map(\.id)
            #expect(ids == [2, 1, 3] && fetched == ids)
        }
    }
}
