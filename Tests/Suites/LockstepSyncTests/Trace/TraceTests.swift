import Foundation
import GRDB
import LockstepStore
import LockstepSync
import LockstepSystem
import Shop
import TestSupport
import Testing

@Suite("Tracing a merge")
struct TraceTests {
    private let store: Store

    init() throws { store = try Store(ShopSchema.self, at: .inMemory) }

    private var traced: MergeOptions {
        var options = MergeOptions()
        options.isTraced = true
        return options
    }

    private let json = """
        [{"id": 1, "name": "Lamp", "colour": "red", "brand": {"url": "http://b", "country": "fi"}, "tag_ids": [3],
          "images": [{"id": 4, "url": "http://a", "width": 3}]},
         {"id": 2, "Name": "Bed", "colour": null, "releasedAt": null}]
        """

    @Test("M13 Unknown keys are ignored; a traced merge lists them with the number of records that had them")
    func unknownKeys() async throws {
        let summary = try await store.merge(Data(json.utf8), into: Product.self, options: traced)
        let trace = try #require(summary.trace)
        #expect(
            trace.unknownKeys.map { "\($0.entity).\($0.keyPath) \($0.count)" } == [
                "Product.colour 2", "Product.brand.country 1", "Picture.width 1",
            ])
        #expect(summary.inserted == 3)
        let plain = try await store.merge(Data(json.utf8), into: Product.self)
        #expect(plain.trace == nil && !plain.hasChanges)
    }

    @Test("M13 A traced merge reports which key was stored in which column, as the payload writes it")
    func routes() async throws {
        let trace = try #require(
            try await store.merge(Data(json.utf8), into: Product.self, options: traced).trace)
        #expect(
            trace.routes.map { "\($0.entity).\($0.keyPath) → \($0.member) \($0.column ?? "-")" } == [
                "Product.id → id id", "Product.name → name name", "Product.images → images -",
                "Product.tag_ids → tags -", "Product.Name → name name", "Product.releasedAt → releasedAt released_at",
                "Product.brand.url → brandURL brand_url", "Picture.id → id id", "Picture.url → url url",
            ])
    }

    @Test("N4 A traced merge lists the strings that came as numbers or Bools")
    func convertedStrings() async throws {
        let json = #"[{"id": 1, "name": 5}, {"id": 2, "name": true}, {"id": 3, "name": "c"}]"#
        let summary = try await store.merge(Data(json.utf8), into: Tag.self, options: traced)
        #expect(summary.trace?.convertedStrings.map { "\($0.entity).\($0.member)" } == ["Tag.name"])
        #expect(summary.trace?.description.contains("Tag: name is a string, and came as a number or a Bool") == true)
        #expect(try await store.representations(Tag.all()).map(\.name).sorted() == ["5", "c", "true"])
    }

    @Test("N1 An alternative spelling of a key that is present itself is not read, and the trace reports it")
    func ignoredSpelling() async throws {
        let json = "[{\"id\": 1, \"name\": \"a\", \"NAME\": \"b\"}]"
        let trace = try #require(try await store.merge(Data(json.utf8), into: Tag.self, options: traced).trace)
        #expect(trace.unknownKeys.map(\.keyPath) == ["NAME"])
        #expect(trace.routes.map(\.keyPath) == ["id", "name"])
    }

    @Test("A traced merge reports the changes of each record, including links")
    func changes() async throws {
        try await store.merge(Data(json.utf8), into: Product.self)
        let changed = """
            [{"id": 1, "name": "Lamp", "brand": {"url": "http://other"}, "tag_ids": [3, 5], "images": []},
             {"id": 2, "name": "Bed", "stock": "4"}, {"id": 3, "name": "New"}]
            """
        let trace = try #require(
            try await store.merge(Data(changed.utf8), into: Product.self, options: traced).trace)
        #expect(
            trace.changes.map { "\($0.entity) \($0.identity): \($0.members.joined(separator: ", "))" } == [
                "Product 1: brandURL, tags", "Product 2: stock",
            ])
        #expect(trace.description.contains("Product “2”: stock changed"))
    }

    @Test("M13 Keys of a record that spans two windows count once")
    func cutRecord() async throws {
        let record = "{\"id\": 1, \"name\": \"a\", \"colour\": \"red\"}"
        let summary = try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("tags.json")
            let blank = String(repeating: " ", count: 4 * 1024 * 1024 - record.utf8.count + 3)
            try Data("[\(blank)\(record)]".utf8).write(to: file)
            return try await store.merge(contentsOf: file, into: Tag.self, options: traced)
        }
        #expect(summary.trace?.unknownKeys.map(\.count) == [1])
    }

    @Test("A dry run reports what a merge would do, without visible changes")
    @MainActor func dryRun() async throws {
        try await store.merge(Data(json.utf8), into: Product.self)
        let context = store.mainContext
        let lamp = try #require(try Product.find(1, in: context))
        var options = MergeOptions(records: .all)
        options.isDryRun = true
        options.isTraced = true
        let seen = Locked(0)
        let observation = DatabaseRegionObservation(tracking: .fullDatabase)
        let cancellable = observation.start(
            in: store.writer, onError: { _ in },
            onChange: { _ in
                seen.withLock { $0 += 1 }
            })
        defer { cancellable.cancel() }
        let summary = try await store.merge(
            Data("[{\"id\": 1, \"name\": \"Torch\"}, {\"id\": 9, \"name\": \"Bed\"}]".utf8), into: Product.self,
            options: options)
        #expect(summary.isDryRun)
        #expect(summary[Product.self].updated == 1 && summary[Product.self].inserted == 1)
        #expect(summary[Product.self].deleted == 1)
        #expect(
            summary.description == """
                Nothing was written; a merge would do this.
                Product: 1 inserted (9), 1 updated (1), 1 deleted (2)
                Product: id → id
                Product: name → name
                Product “1”: name changed
                """)
        #expect(seen.withLock { $0 } == 0)
        #expect(lamp.name == "Lamp")
        let ids = try await store.writer.read { try Int.fetchAll($0, sql: "SELECT id FROM product ORDER BY id") }
        #expect(ids == [1, 2])
        // Merging the same again really does it.
        options.isDryRun = false
        let real = try await store.merge(
            Data("[{\"id\": 1, \"name\": \"Torch\"}, {\"id\": 9, \"name\": \"Bed\"}]".utf8), into: Product.self,
            options: options)
        #expect(real.inserted == 1 && real.updated == 1 && real.deleted == 1 && !real.isDryRun)
    }
}
