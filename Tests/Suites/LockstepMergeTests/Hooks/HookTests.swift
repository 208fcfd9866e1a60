import Foundation
import GRDB
import LockstepStore
import LockstepSync
import LockstepSystem
import Shop
import TestSupport
import Testing

@Suite("Hooks")
struct HookTests {
    private let store: Store
    private let calls = Calls()

    init() throws { store = try Store(ShopSchema.self, at: .inMemory) }

    @Test("M14 willInsert is called on insert only, willUpdate on update only, once for each record")
    func insertAndUpdate() async throws {
        listen(to: Article.self)
        try await merge("[{\"id\": 1, \"title\": \"One\", \"body_text\": \"b\"}]", Article.self)
        #expect(calls.taken() == ["insert Article 1 at 0 "])
        let summary = try await merge(
            """
            [{"id": 1, "title": "Uno"}, {"id": 2, "title": "Two", "body_text": "b"}, {"id": "2", "title": "Due"}]
            """, Article.self)
        #expect(
            calls.taken() == ["update Article 1 at 0 ", "insert Article 2 at 1 ", "update Article 2 at 2 "])
        #expect(summary[Article.self].inserted == 1 && summary[Article.self].updated == 1)
        #expect(try await titles() == ["Uno", "Due"])
    }

    @Test("M14 A hook changes what is stored, and numbers stay exact")
    func change() async throws {
        store.customizeMerge(
            of: Product.self,
            MergeCustomization(willInsert: { json, _ in
                guard case .object(var members) = json else { return json }
                members["name"] = .string("Lamp\n\"two\"")
                return .object(members)
            }))
        try await merge("[{\"id\": 9007199254740993, \"name\": \"x\", \"price\": 12345678901234567.89}]", Product.self)
        let stored = try await store.writer.read {
            try String.fetchOne($0, sql: "SELECT id || ' ' || name || ' ' || price FROM product")
        }
        #expect(stored == "9007199254740993 Lamp\n\"two\" 12345678901234567.89")
    }

    @Test("M14 Nested records are passed with their parent, wherever its identity is")
    func parent() async throws {
        listen(to: Picture.self)
        try await merge(
            """
            [{"images": [{"id": 1, "url": "http://a"}, {"id": 2, "url": "http://b"}], "id": 7, "name": "Lamp"}]
            """, Product.self)
        #expect(
            calls.taken() == [
                "insert Picture 1 at 0 images[0] of Product 7", "insert Picture 2 at 0 images[1] of Product 7",
            ])
        let links = try await store.writer.read { try Int.fetchAll($0, sql: "SELECT product_id FROM picture") }
        #expect(links == [7, 7])
    }

    @Test("M14 M15 Merging again with pure hooks writes nothing")
    func twice() async throws {
        let upper: MergeCustomization<Picture>.Change = { json, _ in
            guard case .object(var members) = json, case .string(let title)? = members["title"] else { return json }
            members["title"] = .string(title.uppercased())
            return .object(members)
        }
        store.customizeMerge(of: Picture.self, MergeCustomization(willInsert: upper, willUpdate: upper))
        let json = """
            [{"id": 7, "name": "Lamp", "images": [{"id": 1, "url": "http://a", "title": "on"}],
              "image": {"id": 3, "url": "http://c"}, "tag_ids": [1]}]
            """
        let first = try await merge(json, Product.self)
        #expect(first[Picture.self].inserted == 1)
        let again = try await merge(json, Product.self)
        #expect(!again.hasChanges, "\(again)")
        #expect(again[Picture.self].unchanged == 1)
        let title = try await store.writer.read { try String.fetchOne($0, sql: "SELECT title FROM picture") }
        #expect(title == "ON")
    }

    @Test("M14 Returning nil skips the record with its nested records, and never aborts")
    func leaveOut() async throws {
        store.customizeMerge(
            of: Product.self,
            MergeCustomization(willInsert: { json, context in context.index == 0 ? nil : json }))
        var options = MergeOptions(records: .all)
        options.invalidRecords = .abort
        let summary = try await merge(
            """
            [{"id": 1, "name": "a", "images": [{"id": 1, "url": "http://a"}]}, {"id": 2, "name": "x"}]
            """, Product.self, options)
        #expect(summary[Product.self].inserted == 1)
        #expect(summary[Picture.self].isEmpty)
        #expect(summary.skipped.map(\.reason) == ["was left out by willInsert"])
        #expect(summary.skipped.map(\.identity) == ["1"])
    }

    @Test("M7 M14 A record skipped by a hook counts as listed")
    func leftOutIsListed() async throws {
        try await merge("[{\"id\": 1, \"name\": \"a\"}, {\"id\": 2, \"name\": \"b\"}]", Tag.self)
        store.customizeMerge(of: Tag.self, MergeCustomization(willUpdate: { _, _ in nil }))
        let summary = try await merge("[{\"id\": 1, \"name\": \"z\"}]", Tag.self, MergeOptions(records: .all))
        #expect(summary[Tag.self].deleted == 1)
        #expect(try await tags() == ["1 a"])
    }

    @Test("M12 M14 If a hook throws, invalidRecords decides: skipped with a reason, or the merge is rolled back")
    func throwing() async throws {
        struct Broken: Error {}
        store.customizeMerge(
            of: Tag.self,
            MergeCustomization(willInsert: { json, context in
                if context.identity == "2" { throw Broken() }
                return json
            }))
        let json = "[{\"id\": 1, \"name\": \"a\"}, {\"id\": 2, \"name\": \"b\"}, {\"id\": 3, \"name\": \"c\"}]"
        var options = MergeOptions()
        options.invalidRecords = .abort
        let error = await #expect(throws: MergeError.self) { try await merge(json, Tag.self, options) }
        #expect(error?.code == .hook && error?.index == 1 && error?.underlyingError is Broken)
        #expect(try await tags() == [])
        let summary = try await merge(json, Tag.self)
        #expect(summary.skipped.map(\.description) == ["record 1 “2”: it cannot be merged: willInsert threw Broken"])
        #expect(try await tags() == ["1 a", "3 c"])
    }

    @Test("M12 M14 A hook's result is validated like the server's: no object, no identity or no JSON is skipped")
    func badOutput() async throws {
        let outputs: [JSONValue] = [
            .array([]), .object(["name": .string("b")]), .object(["id": .double(.nan)]),
            .object(["id": .integer(3), "name": .array([])]), .object(["id": .integer(4), "name": .string("d")]),
        ]
        store.customizeMerge(of: Tag.self, MergeCustomization(willInsert: { _, context in outputs[context.index] }))
        let records = (0..<5).map { "{\"id\": \($0), \"name\": \"x\($0)\"}" }.joined(separator: ",")
        let summary = try await merge("[\(records)]", Tag.self)
        #expect(
            summary.skipped.map { "\($0.index) \($0.keyPath): \($0.reason)" } == [
                "0 : is not an object", "1 id: is the identity; it is missing",
                "2 : cannot be merged: willInsert returned a number that JSON cannot represent",
                "3 name: is not a string",
            ])
        #expect(try await tags() == ["4 d"])
    }

    @Test("M2 M14 A hook can return another identity, which is used to match the record")
    func otherIdentity() async throws {
        try await merge("[{\"id\": 100, \"name\": \"old\"}]", Tag.self)
        store.customizeMerge(
            of: Tag.self,
            MergeCustomization(willInsert: { json, _ in
                guard case .object(var members) = json, case .string(let slug)? = members["slug"] else { return json }
                members["id"] = .integer(Int64(slug.count) * 100)
                return .object(members)
            }))
        let summary = try await merge(
            "[{\"slug\": \"a\", \"name\": \"new\"}, {\"slug\": \"bb\", \"name\": \"two\"}]", Tag.self)
        #expect(summary[Tag.self].updated == 1 && summary[Tag.self].inserted == 1)
        #expect(try await tags() == ["100 new", "200 two"])
    }

    @Test("M9 M14 Hooks are not called for operations that are switched off")
    func switches() async throws {
        try await merge("[{\"id\": 1, \"name\": \"a\"}]", Tag.self)
        listen(to: Tag.self)
        let json = "[{\"id\": 1, \"name\": \"z\"}, {\"id\": 2, \"name\": \"b\"}]"
        try await merge(json, Tag.self, MergeOptions(records: .insert))
        #expect(calls.taken() == ["insert Tag 2 at 1 "])
        try await merge(json, Tag.self, MergeOptions(records: []))
        #expect(calls.taken() == [])
        #expect(try await tags() == ["1 a", "2 b"])
    }

    @Test("M11 M14 A record that is not complete yet is passed to its hook once, when it is complete")
    func cutRecords() async throws {
        listen(to: Picture.self)
        let record = "{\"id\": 7, \"images\": [{\"id\": 1, \"url\": \"http://a\"}], \"name\": \"Lamp\"}"
        let summary = try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("products.json")
            // Longer than a window, so that the last record is cut.
            let blank = String(repeating: " ", count: 4 * 1024 * 1024 - record.utf8.count / 2)
            try Data("[\(blank)\(record)]".utf8).write(to: file)
            return try await store.merge(contentsOf: file, into: Product.self)
        }
        #expect(summary.inserted == 2)
        #expect(calls.taken() == ["insert Picture 1 at 0 images[0] of Product 7"])
    }

    @Test("M14 Hooks see the JSON of representations")
    func representations() async throws {
        listen(to: Tag.self)
        let tags = try decoded(
            "[{\"id\": 1, \"name\": \"a\"}, {\"id\": 1, \"name\": \"b\"}]", as: [TagRepresentation].self)
        let summary = try await store.merge(tags)
        #expect(summary[Tag.self].inserted == 1)
        #expect(calls.taken() == ["insert Tag 1 at 0 ", "update Tag 1 at 1 "])
        #expect(try await self.tags() == ["1 b"])
    }

    @Test("M14 A merge can have its own hooks")
    func ofOneMerge() async throws {
        listen(to: Tag.self)
        var options = MergeOptions()
        options.customizeMerge(of: Tag.self, MergeCustomization())
        try await merge("[{\"id\": 1, \"name\": \"a\"}]", Tag.self, options)
        #expect(calls.taken() == [])
        store.customizeMerge(of: Tag.self, nil)
        try await merge("[{\"id\": 2, \"name\": \"b\"}]", Tag.self)
        #expect(calls.taken() == [])
        #expect(try await tags() == ["1 a", "2 b"])
    }

    // MARK: Support

    private func listen<Object: Model>(to type: Object.Type) {
        let calls = calls
        store.customizeMerge(
            of: type,
            MergeCustomization(
                willInsert: { json, context in
                    calls.add("insert", context)
                    return json
                },
                willUpdate: { json, context in
                    calls.add("update", context)
                    return json
                }))
    }

    @discardableResult
    private func merge<Object: Model>(
        _ json: String, _ type: Object.Type, _ options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        try await store.merge(Data(json.utf8), into: type, options: options)
    }

    private func titles() async throws -> [String] {
        try await store.writer.read { try String.fetchAll($0, sql: "SELECT title FROM article ORDER BY id") }
    }

    private func tags() async throws -> [String] {
        try await store.writer.read { database in
            try String.fetchAll(database, sql: "SELECT id || ' ' || name FROM tag ORDER BY id")
        }
    }
}

/// The records for which hooks were called.
private final class Calls: Sendable {
    private let lines = Locked<[String]>([])

    func add(_ hook: String, _ context: HookContext) {
        let parent = context.parent.map { "of \($0.entity) \($0.identity ?? "?")" }
        let line =
            "\(hook) \(context.entity) \(context.identity ?? "?") at \(context.index) "
            + [context.keyPath, parent ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        lines.withLock { $0.append(line) }
    }

    func taken() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}
