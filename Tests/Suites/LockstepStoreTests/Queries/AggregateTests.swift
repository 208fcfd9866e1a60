import Foundation
import KitchenSink
import LockstepStore
import SampleTypes
import Shop
import Testing
import TestSupport

@Suite("Aggregates, exact and typed")
struct AggregateTests {
    private func shop(_ prices: [String], _ body: @escaping @Sendable (Store, ManagedObjectContext) throws -> Void)
        async throws
    {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            for (index, price) in prices.enumerated() {
                Product(
                    id: index, name: index.isMultiple(of: 2) ? "even" : "odd",
                    price: Decimal(string: price) ?? .nan, stock: index, context: context)
            }
            try context.save()
            try body(store, context)
        }
    }

    @Test("Decimals are summed by their digits, not through a double")
    func exactSum() async throws {
        try await shop(["0.1", "0.2", "12345678901234567890.000000000000000001", "9", "10"]) { _, context in
            let sum = try context.sum(Product.all()) { $0.price }
            #expect(sum == Decimal(string: "12345678901234567909.300000000000000001"))
            let cheap = try context.sum(Product.filter { $0.price < 1 }, of: \.price)
            #expect(cheap.description == "0.3")
            let least = try context.minimum(Product.filter { $0.price > 1 }, of: \.price)
            let greatest = try context.maximum(Product.filter { $0.price < 100 }, of: \.price)
            #expect(least == 9 && greatest == 10)
            let average = try context.average(Product.filter { $0.price < 1 }, of: \.price)
            #expect(average?.description == "0.15")
        }
    }

    @Test("Decimals that are equal as doubles have a minimum and a maximum")
    func closeDecimals() async throws {
        try await shop(["12345678901234567890.2", "12345678901234567890.1", "12345678901234567890.3"]) { _, context in
            let least = try context.minimum(Product.all(), of: \.price)
            let greatest = try context.maximum(Product.all(), of: \.price)
            #expect(least?.description == "12345678901234567890.1")
            #expect(greatest?.description == "12345678901234567890.3")
        }
    }

    @Test("A sum of decimals with too many digits for a decimal is an error, not a rounded number")
    func tooManyDigits() async throws {
        try await shop(["99999999999999999999999999999999999999", "0.1"]) { _, context in
            let error = thrownStoreError { _ = try context.sum(Product.all(), of: \.price) }
            #expect(error?.code == .overflow)
            #expect(error?.entity == "Product" && error?.attribute == "price")
        }
    }

    @Test("The sum of nothing is zero; it has no average, minimum or maximum")
    func empty() async throws {
        try await shop(["1"]) { _, context in
            let none = Product.filter { $0.id == 99 }
            let sum = try context.sum(none, of: \.price)
            let weight = try context.sum(Product.all(), of: \.weight)
            #expect(sum == 0 && weight == 0)
            let average = try context.average(none, of: \.stock)
            let least = try context.minimum(none, of: \.name)
            let greatest = try context.maximum(none, of: \.price)
            let date = try context.average(Product.all(), of: \.releasedAt)
            #expect(average == nil && least == nil && greatest == nil && date == nil)
            let values = try context.distinctValues(none, of: \.name)
            let counts = try context.counts(Product.all(), by: \.releasedAt)
            let sums = try context.sums(none, of: \.price, by: \.name)
            #expect(values.isEmpty && counts.isEmpty && sums.isEmpty)
        }
    }

    @Test("The selected rows are counted: limits, offsets, joins and distinct")
    func limits() async throws {
        try await shop(["1", "2", "3", "4", "5"]) { _, context in
            let firstTwo = try context.sum(Product.order(\.id).limit(2), of: \.price)
            let lastTwo = try context.sum(Product.order(\.id.desc).limit(2), of: \.stock)
            let middle = try context.maximum(Product.order(\.id).limit(2, offset: 1), of: \.price)
            #expect(firstTwo == 3 && lastTwo == 7 && middle == 3)
            let counts = try context.counts(Product.order(\.id).limit(3)) { $0.name }
            #expect(counts == ["even": 2, "odd": 1])
            let names = try context.distinctValues(Product.order(\.id).limit(1), of: \.name)
            #expect(names == ["even"])
            // Distinct records are summed, not distinct values.
            let same = try context.sum(Product.all().distinct()) { $0.stock }
            #expect(same == 10)
            let sums = try context.sums(Product.filter { $0.id < 4 }, of: \.price, by: \.name)
            #expect(sums == ["even": 4, "odd": 6])
        }
    }

    @Test("Integers: exceeding Int64 on the way is fine, at the end it is an error")
    func overflow() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            for (id, stock) in [Int.max, Int.max, 1].enumerated() {
                Product(id: id, name: "p", stock: stock, context: context)
            }
            try context.save()
            let error = thrownStoreError { _ = try context.sum(Product.all(), of: \.stock) }
            #expect(error?.code == .overflow)
            let grouped = thrownStoreError { _ = try context.sums(Product.all(), of: \.stock, by: \.name) }
            #expect(grouped?.code == .overflow)
            let average = try context.average(Product.all(), of: \.stock)
            #expect(average == 2 * 0x1p63 / 3)
        }
    }

    @Test("Integers that overflow on the way and come back")
    func overflowOnTheWay() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            for id in [Int.max, 5, Int.min, Int.max - 1, Int.min + 1] {
                ArticleComment(id: id, name: "", text: "", context: context)
            }
            try context.save()
            let sum = try context.sum(ArticleComment.all(), of: \.id)
            #expect(sum == 3)  // 2 × max + 4 + 2 × min + 1
        }
    }

    @Test("A value of another type is an error that names the attribute")
    func unreadable() async throws {
        try await shop(["1", "2"]) { store, context in
            try store.writer.write { try $0.execute(sql: "UPDATE product SET price = 'cheap' WHERE id = 1") }
            for error in [
                thrownStoreError { _ = try context.sum(Product.all(), of: \.price) },
                thrownStoreError { _ = try context.minimum(Product.all(), of: \.price) },
                thrownStoreError { _ = try context.counts(Product.all(), by: \.price) },
                thrownStoreError { _ = try context.sums(Product.all(), of: \.price, by: \.name) },
            ] {
                #expect(error?.code == .unreadableValue)
                #expect(error?.attribute == "price")
            }
        }
    }

    @Test("A request that selects other columns is rejected, never summed as text")
    func otherColumns() async throws {
        try await shop(["1", "2"]) { _, context in
            let error = thrownStoreError { _ = try context.sum(Product.select { $0.name }, of: \.price) }
            #expect(error?.code == .wrongColumns)
            let other = thrownStoreError {
                _ = try context.sum(Product.all()) { _ in ProductReview.Columns.productID }
            }
            #expect(other?.code == .wrongColumns)
        }
    }

    @Test("An aggregate beside a join counts the entity's own column")
    func joins() async throws {
        try await shop(["1", "2"]) { _, context in
            let tag = Shop.Tag(id: 7, name: "t", context: context)
            let product = try #require(try Product.find(1, in: context))
            product.tags.insert(tag)
            ProductReview(id: 4, name: "Al", reviewText: "", product: product, context: context)
            try context.save()
            let review = ProductReview.belongsTo(Product.self, using: ForeignKey(["product_id"]))
            let ids = try context.sum(ProductReview.including(required: review), of: \.id)
            #expect(ids == 4)
        }
    }

    @Test("Every type agrees with the objects", arguments: UInt64(1)...12)
    func everyType(_ seed: UInt64) async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.perform { context in
            var random = SeededRandom(seed: seed)
            QuerySamples.insertThings(40, &random, context)
            try context.save()
            let request = Everything.filter { $0.flag == true }.order(\.id).limit(15)
            let things = try context.fetch(request)
            let check = Check(context: context, request: request, things: things)
            try check.values(of: Everything.Columns.flag) { $0.flag }
            try check.values(of: Everything.Columns.small) { $0.small }
            try check.values(of: Everything.Columns.medium) { $0.medium }
            try check.values(of: Everything.Columns.large) { $0.large }
            try check.values(of: Everything.Columns.ratio) { $0.ratio }
            try check.values(of: Everything.Columns.precise) { $0.precise }
            try check.values(of: Everything.Columns.exact) { $0.exact }
            try check.values(of: Everything.Columns.day) { $0.day }
            try check.values(of: Everything.Columns.token) { $0.token }
            try check.values(of: Everything.Columns.link) { $0.link }
            try check.values(of: Everything.Columns.blob) { $0.blob }
            try check.values(of: Everything.Columns.mood) { $0.mood }
            try check.values(of: Everything.Columns.priority) { $0.priority }
            try check.values(of: Everything.Columns.price) { $0.price }
            try check.values(of: Everything.Columns.slug) { $0.slug }
            try check.values(of: Everything.Columns.moods) { $0.moods }
            try check.values(of: Everything.Columns.optionalFlag) { $0.optionalFlag }
            try check.values(of: Everything.Columns.optionalInt) { $0.optionalInt }
            try check.values(of: Everything.Columns.optionalPrecise) { $0.optionalPrecise }
            try check.values(of: Everything.Columns.optionalExact) { $0.optionalExact }
            try check.values(of: Everything.Columns.optionalDay) { $0.optionalDay }
            try check.values(of: Everything.Columns.optionalToken) { $0.optionalToken }
            try check.values(of: Everything.Columns.optionalMood) { $0.optionalMood }
            try check.values(of: Everything.Columns.optionalState) { $0.optionalState }
            try check.values(of: Everything.Columns.optionalPrice) { $0.optionalPrice }
            try check.values(of: Everything.Columns.note) { $0.note }
            try check.sums()
        }
    }

    /// Compares the results of a store for a request with its objects.
    private struct Check {
        let context: ManagedObjectContext
        let request: QueryInterfaceRequest<Everything>
        let things: [Everything]

        func values<Value: AttributeValue>(
            of column: AttributeColumn<Value>, _ value: (Everything) -> Value?
        ) throws {
            let values = things.compactMap(value)
            let isNumber = Value.self == Decimal.self || Value.self == Money.self
            func isLess(_ left: Value, _ right: Value) -> Bool {
                QuerySamples.isLess(left.storedValue, right.storedValue, isNumber: isNumber)
            }
            let least = try context.minimum(request) { _ in column }
            #expect(least == values.min(by: isLess), "\(column.name)")
            let greatest = try context.maximum(request) { _ in column }
            #expect(greatest == values.max(by: isLess), "\(column.name)")
            let counts = try context.counts(request) { _ in column }
            #expect(counts == Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +), "\(column.name)")
            let distinct = try context.distinctValues(request) { _ in column }
            #expect(Set(distinct) == Set(values), "\(column.name)")
            #expect(distinct.count == Set(values.map(\.storedValue)).count, "\(column.name)")
            if !isNumber {
                #expect(zip(distinct, distinct.dropFirst()).allSatisfy(isLess), "\(column.name)")
            }
        }

        func sums() throws {
            let exact = try context.sum(request, of: \.exact)
            #expect(exact == things.map(\.exact).reduce(0, +))
            let optional = try context.sum(request, of: \.optionalExact)
            #expect(optional == things.compactMap(\.optionalExact).reduce(0, +))
            let prices = try context.sum(request, of: \.price)
            #expect(prices == Money(stored: things.map(\.price.amount).reduce(0, +)))
            let small = try context.sum(request, of: \.small)
            #expect(small == things.map { Int($0.small) }.reduce(0, +))
            let large = things.map { Decimal($0.large) }.reduce(0, +)
            if abs(large) > Decimal(Int64.max) {
                let error = thrownStoreError { _ = try context.sum(request, of: \.large) }
                #expect(error?.code == .overflow)
            } else {
                let sum = try context.sum(request, of: \.large)
                #expect(Decimal(sum) == large)
            }
            let byMood = try context.sums(request, of: \.price, by: \.optionalMood)
            let moods = Dictionary(grouping: things.filter { $0.optionalMood != nil }) { $0.optionalMood ?? .happy }
            #expect(byMood == moods.mapValues { Money(stored: $0.map(\.price.amount).reduce(0, +)) })
            let days = things.compactMap { $0.optionalDay?.timeIntervalSince1970 }
            let average = try context.average(request, of: \.optionalDay)
            #expect((average == nil) == days.isEmpty)
            if let average {
                let mean = days.reduce(0, +) / Double(days.count)
                #expect(abs(average.timeIntervalSince1970 - mean) < 0.01)
            }
        }
    }
}
