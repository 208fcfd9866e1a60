import Foundation
import Journal
import KitchenSink
import LockstepStore
import RuntimeTestSupport
import SampleTypes
import Shop
import Testing
import TestSupport

@Suite("Keyset paging")
struct PageTests {
    private static func entry(_ number: Int, _ title: String, _ body: String?, _ context: ManagedObjectContext) {
        Entry(
            identifier: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number))), title: title,
            bodyText: body, timestamp: Date(timeIntervalSince1970: Double(number / 2) + 0.1), context: context)
    }

    private static func journal(_ body: @escaping @Sendable (Store, ManagedObjectContext) throws -> Void) async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            for number in 0..<7 { entry(number, "\(number)", number < 3 ? nil : "b", context) }
            try context.save()
            try body(store, context)
        }
    }

    @Test("From the first page to the last and back")
    func thereAndBack() async throws {
        try await Self.journal { _, context in
            let first = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 3)
            #expect(first.items.map(\.title) == ["6", "4", "5"])
            #expect(first.previous == nil)
            let second = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 3, after: first.next)
            #expect(second.items.map(\.title) == ["2", "3", "0"])
            let third = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 3, after: second.next)
            #expect(third.items.map(\.title) == ["1"])
            #expect(third.next == nil)
            let back = try context.page(
                of: Entry.all(), sortedBy: [\.timestamp.desc], size: 2, before: try #require(third.previous))
            #expect(back.items.map(\.title) == ["3", "0"])
            #expect(back.next != nil && back.previous != nil)
            let front = try context.page(
                of: Entry.all(), sortedBy: [\.timestamp.desc], size: 9, before: try #require(back.previous))
            #expect(front.items.map(\.title) == ["6", "4", "5", "2"])
            #expect(front.previous == nil)
            let again = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 1, after: front.next)
            #expect(again.items.map(\.title) == ["3"])
        }
    }

    @Test("Without an order, pages are sorted by key; a filter and a limit apply, an order of the request does not")
    func byKey() async throws {
        try await Self.journal { _, context in
            let request = Entry.filter { $0.title > "1" }.order(\.title.desc)
            let page = try context.page(of: request, size: 2)
            #expect(page.items.map(\.title) == ["2", "3"])
            let last = try context.page(of: request, size: 9, after: page.next)
            #expect(last.items.map(\.title) == ["4", "5", "6"])
            let limited = request.limit(3)
            let top = try context.page(of: limited, size: 2)
            let rest = try context.page(of: limited, size: 2, after: top.next)
            #expect(top.items.map(\.title) == ["4", "5"])
            #expect(rest.items.map(\.title) == ["6"])
            #expect(rest.next == nil)
        }
    }

    @Test("A page that ends with the last record has no next one; a page after the end is empty")
    func end() async throws {
        try await Self.journal { store, context in
            let all = try context.page(of: Entry.all(), sortedBy: [\.title.asc], size: 7)
            #expect(all.items.count == 7)
            #expect(all.next == nil)
            let most = try context.page(of: Entry.all(), sortedBy: [\.title.asc], size: 6)
            try store.writer.write { try $0.execute(sql: "DELETE FROM entry WHERE title = '6'") }
            let none = try context.page(of: Entry.all(), sortedBy: [\.title.asc], size: 6, after: most.next)
            #expect(none.items.isEmpty && none.next == nil)
        }
    }

    @Test("Records about to be deleted are on no page, and do not shorten it")
    func deleted() async throws {
        try await Self.journal { _, context in
            for entry in try context.fetch(Entry.filter { $0.title < "3" }) { context.delete(entry) }
            let page = try context.page(of: Entry.all(), sortedBy: [\.title.asc], size: 2)
            #expect(page.items.map(\.title) == ["3", "4"])
            let next = try context.page(of: Entry.all(), sortedBy: [\.title.asc], size: 2, after: page.next)
            #expect(next.items.map(\.title) == ["5", "6"])
            #expect(next.next == nil)
        }
    }

    @Test("A cursor survives JSON, and is rejected with another order or entity, or if it is forged")
    func cursors() async throws {
        try await Self.journal { _, context in
            let page = try context.page(of: Entry.all(), sortedBy: [\.bodyText.asc, \.timestamp.desc], size: 2)
            let cursor = try #require(page.next)
            let json = try JSONEncoder().encode(cursor)
            #expect(json.count < 250)
            let decoded = try JSONDecoder().decode(PageCursor.self, from: json)
            #expect(decoded == cursor && decoded.hashValue == cursor.hashValue)
            let next = try context.page(
                of: Entry.all(), sortedBy: [\.bodyText.asc, \.timestamp.desc], size: 2, after: decoded)
            #expect(next.items.map(\.title) == ["1", "6"])
            let refused = [
                thrownStoreError {
                    _ = try context.page(
                        of: Entry.all(), sortedBy: [\.bodyText.asc, \.timestamp.asc], size: 2, after: cursor)
                },
                thrownStoreError { _ = try context.page(of: Entry.all(), size: 2, before: cursor) },
                thrownStoreError {
                    let text = String(decoding: json, as: UTF8.self).replacing("{},", with: "")
                    let short = try JSONDecoder().decode(PageCursor.self, from: Data(text.utf8))
                    _ = try context.page(
                        of: Entry.all(), sortedBy: [\.bodyText.asc, \.timestamp.desc], size: 2, after: short)
                },
            ]
            for error in refused {
                #expect(error?.code == .wrongCursor)
                #expect(error?.reason.contains("Entry by body_text, -timestamp, identifier") == true)
            }
        }
    }

    @Test("A page returns the objects of the context, with their unsaved changes")
    func identityMap() async throws {
        try await Self.journal { _, context in
            let entry = try #require(try context.first(Entry.filter { $0.title == "0" }))
            entry.title = "changed"
            let page = try context.page(of: Entry.all(), sortedBy: [\.title.asc], size: 1)
            #expect(page.items.first === entry)
            // The position is that of the stored record.
            let next = try context.page(of: Entry.all(), sortedBy: [\.title.asc], size: 1, after: page.next)
            #expect(next.items.map(\.title) == ["1"])
        }
    }

    @Test("Decimals are sorted by number, and names are quoted")
    func decimalsAndNames() async throws {
        let shop = try Store(ShopSchema.self, at: .inMemory)
        try await shop.perform { context in
            for (id, price) in ["10", "9", "9.5", "100", "9"].enumerated() {
                Product(id: id, name: "p", price: Decimal(string: price) ?? 0, context: context)
            }
            try context.save()
            var seen: [Int] = []
            var cursor: PageCursor?
            repeat {
                let page = try context.page(of: Product.all(), sortedBy: [\.price.asc], size: 2, after: cursor)
                seen += page.items.map(\.id)
                cursor = page.next
            } while cursor != nil
            #expect(seen == [1, 4, 2, 0, 3])
        }
        try await shop.perform { context in
            // These are equal as doubles; the key differs.
            for (id, digit) in [3, 1, 2].enumerated() {
                Product(
                    id: 10 + id, name: "close", price: Decimal(string: "12345678901234567890.\(digit)") ?? 0,
                    context: context)
            }
            try context.save()
            let close = Product.filter { $0.name == "close" }
            let first = try context.page(of: close, sortedBy: [\.price.desc], size: 2)
            let last = try context.page(of: close, sortedBy: [\.price.desc], size: 2, after: first.next)
            #expect(first.items.map(\.id) + last.items.map(\.id) == [10, 11, 12])
        }
        let sink = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await sink.perform { context in
            for id in 1...3 { Keyword(id: id, protocol: "p\u{0}\(-id)", context: context) }
            try context.save()
            let page = try context.page(of: Keyword.all(), sortedBy: [\.protocol.desc], size: 1)
            let next = try context.page(of: Keyword.all(), sortedBy: [\.protocol.desc], size: 2, after: page.next)
            #expect(page.items.map(\.id) + next.items.map(\.id) == [3, 2, 1])
        }
    }

    @Test("Pages of joined requests, with prefetched relationships")
    func joined() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            for id in 1...4 {
                let product = Product(id: id, name: "p\(id)", price: Decimal(id), context: context)
                ProductReview(id: 10 - id, name: "Al", reviewText: "", product: product, context: context)
            }
            try context.save()
        }
        try await store.perform { context in
            let toProduct = ProductReview.belongsTo(
                Product.self, using: ForeignKey([ProductReview.Columns.productID]))
            let request = ProductReview.including(required: toProduct.filter { $0.price > 1 }).prefetch(\.product)
            let page = try context.page(of: request, sortedBy: [\.productID.desc], size: 2)
            #expect(page.items.map(\.id) == [6, 7])
            #expect(page.items.map { $0.product?.name } == ["p4", "p3"])
            let next = try context.page(of: request, sortedBy: [\.productID.desc], size: 2, after: page.next)
            #expect(next.items.map(\.id) == [8])
        }
    }

    @Test("The key's index is used to continue: a late page costs as much as the first")
    func plan() async throws {
        try await Self.journal { store, context in
            let page = try context.page(of: Entry.all(), size: 2)
            let statements = StatementLog()
            try store.writer.write { database in
                database.trace { event in
                    if case .statement(let statement) = event { statements.add(statement.expandedSQL) }
                }
            }
            _ = try context.page(of: Entry.all(), size: 2, after: page.next)
            let statement = try #require(statements.texts.last { $0.contains("LIMIT") })
            let plan = try store.writer.read { database in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(statement)").map { $0["detail"] as String }
            }
            #expect(plan.count == 1, "\(plan)")
            #expect(plan.first?.contains("SEARCH") == true && plan.first?.contains("INDEX") == true, "\(plan)")
        }
    }

    @Test(
        "With inserts and deletes in between, pages equal those computed by hand",
        arguments: Seeds.some(20, of: UInt64(1)...40))
    func property(_ seed: UInt64) async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.perform { context in
            var walk = PageWalk(seed: seed, context: context)
            try walk.go()
        }
    }
}

/// Pages through records that change all the time.
private struct PageWalk {
    typealias Ordering = (Everything.Columns.Type) throws -> AttributeOrdering

    struct Column {
        let name: String
        let asc: Ordering
        let desc: Ordering
        let value: (Everything) -> DatabaseValue
        var isNumber = false
    }

    /// A record's position, computed by hand.
    struct Place {
        let id: Int
        let values: [DatabaseValue]
    }

    private static var columns: [Column] {
        [
            Column(name: "flag", asc: \.flag.asc, desc: \.flag.desc) { $0.flag.storedValue },
            Column(name: "small", asc: \.small.asc, desc: \.small.desc) { $0.small.storedValue },
            Column(name: "precise", asc: \.precise.asc, desc: \.precise.desc) { $0.precise.storedValue },
            Column(name: "token", asc: \.token.asc, desc: \.token.desc) { $0.token.storedValue },
            Column(name: "mood", asc: \.mood.asc, desc: \.mood.desc) { $0.mood.storedValue },
            Column(name: "priority", asc: \.priority.asc, desc: \.priority.desc) { $0.priority.storedValue },
            Column(name: "name", asc: \.name.asc, desc: \.name.desc) { $0.name.storedValue },
            Column(name: "createdAt", asc: \.createdAt.asc, desc: \.createdAt.desc) { $0.createdAt.storedValue },
            Column(name: "blob", asc: \.blob.asc, desc: \.blob.desc) { $0.blob.storedValue },
            Column(
                name: "price", asc: \.price.asc, desc: \.price.desc, value: { $0.price.storedValue }, isNumber: true),
            Column(
                name: "optionalExact", asc: \.optionalExact.asc, desc: \.optionalExact.desc,
                value: { $0.optionalExact?.storedValue ?? .null }, isNumber: true),
            Column(name: "optionalFlag", asc: \.optionalFlag.asc, desc: \.optionalFlag.desc) {
                $0.optionalFlag?.storedValue ?? .null
            },
            Column(name: "optionalInt", asc: \.optionalInt.asc, desc: \.optionalInt.desc) {
                $0.optionalInt?.storedValue ?? .null
            },
            Column(name: "optionalDay", asc: \.optionalDay.asc, desc: \.optionalDay.desc) {
                $0.optionalDay?.storedValue ?? .null
            },
            Column(name: "optionalMood", asc: \.optionalMood.asc, desc: \.optionalMood.desc) {
                $0.optionalMood?.storedValue ?? .null
            },
            Column(name: "note", asc: \.note.asc, desc: \.note.desc) { $0.note?.storedValue ?? .null },
        ]
    }

    private var random: SeededRandom
    private let context: ManagedObjectContext
    private let order: [(column: Column, isDescending: Bool)]
    private let orderings: [Ordering]
    private var nextID = 0

    init(seed: UInt64, context: ManagedObjectContext) {
        random = SeededRandom(seed: seed)
        self.context = context
        var order: [(column: Column, isDescending: Bool)] = []
        for column in Self.columns.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)) {
            order.append((column, Bool.random(using: &random)))
        }
        self.order = order
        orderings = order.map { $0.isDescending ? $0.column.desc : $0.column.asc }
    }

    mutating func go() throws {
        try insert(30)
        var seen: [Int] = []
        var cursor: PageCursor?
        var last: Place?
        let atFirst = Set(try places().map(\.id))
        var stayed = atFirst
        repeat {
            let size = Int.random(in: 1...6, using: &random)
            let places = try places()
            let page = try context.page(of: Everything.all(), sortedBy: orderings, size: size, after: cursor)
            let expected = places.filter { place in last.map { isBefore($0, place) } ?? true }.prefix(size)
            #expect(page.items.map(\.id) == expected.map(\.id), "\(order.map { ($0.column.name, $0.isDescending) })")
            seen += page.items.map(\.id)
            last = expected.last ?? last
            if let previous = page.previous, let first = expected.first {
                let back = try context.page(of: Everything.all(), sortedBy: orderings, size: size, before: previous)
                let before = places.filter { isBefore($0, first) }.suffix(size)
                #expect(back.items.map(\.id) == before.map(\.id))
            }
            cursor = try page.next.map { try JSONDecoder().decode(PageCursor.self, from: JSONEncoder().encode($0)) }
            #expect((cursor == nil) == (expected.count < size || expected.last?.id == places.last?.id))
            try insert(Int.random(in: 0...2, using: &random))
            stayed.subtract(try deleteSome())
        } while cursor != nil
        #expect(Set(seen).count == seen.count, "Nothing is shown twice.")
        #expect(stayed.isSubset(of: seen), "What was there all the time is shown.")
    }

    private mutating func insert(_ count: Int) throws {
        for _ in 0..<count {
            var value = EverythingRepresentation.random(&random)
            value.id = nextID
            value.slug = Slug(stored: "slug \(nextID)")
            value.sku = nil
            // Few different values, so that many are equal; digits that a double can distinguish.
            value.name = ["a", "b", "é", "e\u{301}", "n\u{0}1", "n\u{0}2"].randomElement(using: &random) ?? "a"
            value.token = UUID(
                uuid: (UInt8.random(in: 0...3, using: &random), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            value.price = Money(stored: digits())
            value.optionalExact = Bool.random(using: &random) ? digits() : nil
            value.createdAt = Date(timeIntervalSince1970: Double(Int.random(in: 0...3, using: &random)) + 0.123456)
            value.note = Bool.random(using: &random) ? String("xyz".randomElement(using: &random) ?? "x") : nil
            _ = Everything(representation: value, context: context)
            nextID += 1
        }
        try context.save()
    }

    private mutating func digits() -> Decimal {
        Decimal(string: ["10", "9", "9.5", "-3", "-12.25", "100", "0"].randomElement(using: &random) ?? "0") ?? 0
    }

    /// Deletes records that were and were not returned, most often the last one returned.
    private mutating func deleteSome() throws -> Set<Int> {
        let all = try context.fetch(Everything.all())
        let gone = all.filter { _ in Int.random(in: 0..<12, using: &random) == 0 }
        for thing in gone { context.delete(thing) }
        try context.save()
        return Set(gone.map(\.id))
    }

    private func places() throws -> [Place] {
        try context.fetch(Everything.all()).map { thing in
            Place(id: thing.id, values: order.map { $0.column.value(thing) })
        }.sorted(by: isBefore)
    }

    private func isBefore(_ left: Place, _ right: Place) -> Bool {
        for (index, term) in order.enumerated() {
            let (first, second) = term.isDescending ? (right, left) : (left, right)
            let isNumber = term.column.isNumber
            if QuerySamples.isLess(first.values[index], second.values[index], isNumber: isNumber) { return true }
            if QuerySamples.isLess(second.values[index], first.values[index], isNumber: isNumber) { return false }
        }
        return left.id < right.id
    }
}
