import Foundation
import GRDB
import LockstepStore
import LockstepSync
import Shop
import Testing

@Suite("Hooks after or in place of a merge")
struct ReplacementTests {
    private let store: Store

    init() throws { store = try Store(ShopSchema.self, at: .inMemory) }

    @Test("M14 didMerge is called once, inside the transaction, after all records were written")
    func didMerge() async throws {
        store.customizeMerge(
            of: Picture.self,
            MergeCustomization(didMerge: { summary, database in
                let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM picture") ?? 0
                let ids = summary.identities(.inserted, of: Picture.self).map(String.init).joined(separator: ",")
                try database.execute(
                    sql: "INSERT INTO tag (id, name) VALUES (?, ?)", arguments: [count, "\(count): \(ids)"])
            }))
        try await merge("[{\"id\": 7, \"name\": \"Lamp\", \"images\": [\(picture(1)), \(picture(2))]}]", Product.self)
        #expect(try await tags() == ["2: 1,2"])
        // It was not about pictures.
        try await merge("[{\"id\": 8, \"name\": \"Bed\"}]", Product.self)
        #expect(try await tags() == ["2: 1,2"])
    }

    @Test("M10 M14 An error thrown by didMerge rolls back everything")
    func didMergeThrows() async throws {
        struct Broken: Error {}
        store.customizeMerge(of: Tag.self, MergeCustomization(didMerge: { _, _ in throw Broken() }))
        let error = await #expect(throws: MergeError.self) {
            try await merge("[{\"id\": 1, \"name\": \"a\"}]", Tag.self)
        }
        #expect(error?.code == .hook && error?.underlyingError is Broken)
        #expect(try await tags() == [])
    }

    @Test("M14 replace merges a record itself, and the links of its owners are kept")
    func replace() async throws {
        store.customizeMerge(
            of: Picture.self,
            MergeCustomization(replace: { json, context, database in
                guard case .object(let members) = json, case .integer(let id)? = members["id"],
                    let owner = context.parent?.values.first
                else { return nil }
                // Its owner exists already.
                let count = try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM product WHERE id = ?", arguments: [owner])
                guard count == 1 else { return nil }
                let isHere = try Bool.fetchOne(
                    database, sql: "SELECT count(*) > 0 FROM picture WHERE id = ?", arguments: [id])
                if isHere == true { return .unchanged }
                try database.execute(
                    sql:
                        "INSERT INTO picture (id, url, title, product_id, images_position) VALUES (?, ?, 'mine', ?, 0)",
                    arguments: [id, "http://mine", owner])
                return .inserted
            }))
        let json = "[{\"id\": 7, \"name\": \"Lamp\", \"images\": [\(picture(1)), \(picture(2))]}]"
        let summary = try await merge(json, Product.self)
        #expect(summary[Picture.self].inserted == 2)
        #expect(summary.identities(.inserted, of: Picture.self) == [1, 2])
        #expect(try await pictures() == ["1 mine 7", "2 mine 7"])
        let again = try await merge(json, Product.self)
        #expect(!again.hasChanges && again[Picture.self].unchanged == 2)
        #expect(try await pictures() == ["1 mine 7", "2 mine 7"])
    }

    @Test("M12 M14 If a replacement throws, its writes are rolled back")
    func replaceThrows() async throws {
        struct Broken: Error {}
        store.customizeMerge(
            of: Tag.self,
            MergeCustomization(replace: { json, context, database in
                try database.execute(
                    sql: "INSERT INTO tag (id, name) VALUES (?, ?)",
                    arguments: [context.identity.flatMap { Int($0) }, "tag \(context.index)"])
                if context.index == 1 { throw Broken() }
                return context.index == 2 ? nil : .inserted
            }))
        let json = "[{\"id\": 1}, {\"id\": 2}, {\"id\": 3}]"
        let summary = try await merge(json, Tag.self)
        #expect(
            summary.skipped.map(\.description) == [
                "record 1 “2”: it cannot be merged: replace threw Broken", "record 2 “3”: it was left out by replace",
            ])
        #expect(try await tags() == ["tag 0", "tag 2"])
        #expect(summary[Tag.self].inserted == 1)

        let other = try Store(ShopSchema.self, at: .inMemory)
        other.customizeMerge(of: Tag.self, MergeCustomization(replace: { _, _, _ in throw Broken() }))
        var options = MergeOptions()
        options.invalidRecords = .abort
        let error = await #expect(throws: MergeError.self) {
            try await other.merge(Data(json.utf8), into: Tag.self, options: options)
        }
        #expect(error?.code == .hook && error?.index == 0)
    }

    @Test("M4 M14 A record without identity is not passed to a replacement")
    func noIdentity() async throws {
        store.customizeMerge(of: Tag.self, MergeCustomization(replace: { _, _, _ in .inserted }))
        let summary = try await merge("[{\"name\": \"a\"}]", Tag.self)
        #expect(summary.skipped.map(\.reason) == ["is the identity; it is missing"])
        #expect(summary.inserted == 0)
    }

    private func picture(_ id: Int) -> String { "{\"id\": \(id), \"url\": \"http://a\"}" }

    @discardableResult
    private func merge<Object: Model>(
        _ json: String, _ type: Object.Type, _ options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        try await store.merge(Data(json.utf8), into: type, options: options)
    }

    private func tags() async throws -> [String] {
        try await store.writer.read { try String.fetchAll($0, sql: "SELECT name FROM tag ORDER BY id") }
    }

    private func pictures() async throws -> [String] {
        try await store.writer.read { database in
            try String.fetchAll(
                database, sql: "SELECT id || ' ' || title || ' ' || product_id FROM picture ORDER BY id")
        }
    }
}
