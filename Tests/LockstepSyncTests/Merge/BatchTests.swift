import Forest
import Foundation
import GRDB
import LockstepStore
import LockstepSync
import OfflineTasks
import Shop
import TestSupport
import Testing

@Suite("How a payload is cut into batches does not show")
struct BatchTests {
    @Test("M11 A child that left its parent's list is let go, whether it comes before or behind it", arguments: [0, 1])
    func leftChild(order: Int) async throws {
        for limit in [1, .max] {
            let forest = try RuleFixture(
                ForestSchema.self, "INSERT INTO node (id, title, parent_id) VALUES (1, '1', NULL), (2, '2', 1)")
            var records = [#"{"id": 1, "title": "1", "children": []}"#, #"{"id": 2, "title": "two"}"#]
            if order == 1 { records.reverse() }
            try await forest.mergeOnce("[\(records.joined(separator: ", "))]", into: Node.self) {
                $0.batchRecordLimit = limit
            }
            #expect(try forest.rows("SELECT id, title, parent_id FROM node ORDER BY id") == ["1 1 -", "2 two -"])
        }
    }

    @Test("M11 A child that a later copy of its parent lists again stays")
    func listedAgain() async throws {
        for limit in [1, .max] {
            let forest = try RuleFixture(
                ForestSchema.self, "INSERT INTO node (id, title, parent_id) VALUES (1, '1', NULL), (2, '2', 1)")
            try await forest.mergeOnce(
                """
                [{"id": 1, "title": "1", "children": []},
                 {"id": 1, "title": "1", "children": [{"id": 2, "title": "2"}]}]
                """, into: Node.self
            ) { $0.batchRecordLimit = limit }
            #expect(try forest.rows("SELECT id, parent_id FROM node ORDER BY id") == ["1 -", "2 1"])
        }
    }

    @Test("R2 M11 A link to a record that was skipped in an earlier batch works when the record comes")
    func skippedTarget() async throws {
        let forest = try RuleFixture(ForestSchema.self)
        let payload = """
            [{"id": "b3f5a6de-1111-4222-8333-444455556666", "text": "first", "mark": {"id": 7, "text": 5}},
             {"id": "b3f5a6de-1111-4222-8333-444455557777", "text": "second", "mark_id": 7}]
            """
        try await forest.mergeOnce(payload, into: Note.self) { $0.batchRecordLimit = 1 }
        try await forest.mergeOnce(#"[{"id": 7, "text": "seven"}]"#, into: Mark.self)
        let linked = try forest.rows(
            "SELECT note.text, mark.text FROM note JOIN mark ON mark.local_id = note.mark_id ORDER BY note.text")
        #expect(linked == ["first seven", "second seven"])
    }

    // MARK: Many of one thing

    @Test("M11 Values that are there once move on by one, for 20,000 records")
    func shift() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let count = 20_000
        try await shop.mergeOnce(Self.tags(1...count) { "n\($0)" }, into: Tag.self)
        let summary = try await shop.mergeOnce(Self.tags(1...count) { "n\($0 + 1)" }, into: Tag.self)
        #expect(summary.updated == count && summary.skipped.isEmpty)
        let back = try await shop.mergeOnce(Self.tags(1...count) { "n\($0)" }, into: Tag.self)
        #expect(back.updated == count && back.skipped.isEmpty)
    }

    @Test("M3 100,000 copies of one record are one")
    func copies() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let json = "[" + (0..<100_000).map { #"{"id": 1, "name": "n\#($0)"}"# }.joined(separator: ",") + "]"
        let summary = try await shop.mergeOnce(json, into: Tag.self)
        #expect(summary.inserted == 1)
        #expect(try shop.rows("SELECT name FROM tag") == ["n99999"])
    }

    @Test("R5 100,000 children of one owner, and then none")
    func children() async throws {
        let forest = try RuleFixture(ForestSchema.self)
        let children = (1...100_000).map { #"{"id": \#($0), "title": ""}"# }.joined(separator: ",")
        let first = try await forest.mergeOnce(
            #"[{"id": 0, "title": "", "children": [\#(children)]}]"#, into: Node.self)
        #expect(first.inserted == 100_001)
        let second = try await forest.mergeOnce(#"[{"id": 0, "title": "", "children": []}]"#, into: Node.self)
        #expect(second.deleted == 100_000)
    }

    @Test("M12 100,000 records that are skipped")
    func skipped() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let json = "[" + (0..<100_000).map { #"{"id": \#($0), "name": 5}"# }.joined(separator: ",") + "]"
        let summary = try await shop.mergeOnce(json, into: Tag.self)
        #expect(summary.skipped.count == 100_000)
    }

    @Test("R7 N7 A tree nested as deep as JSON may be; one level more is refused")
    func deepTree() async throws {
        let forest = try RuleFixture(ForestSchema.self)
        let tree = { (depth: Int) in
            (1..<depth).map { #"{"id": \#($0), "title": "", "children": ["# }.joined()
                + #"{"id": \#(depth), "title": ""}"# + String(repeating: "]}", count: depth - 1)
        }
        let summary = try await forest.merge("[\(tree(255))]", into: Node.self)
        #expect(summary.inserted == 255)
        await #expect(throws: MergeError.self) { try await forest.mergeOnce("[\(tree(257))]", into: Node.self) }
    }

    // MARK: Keys

    @Test("N1 Another spelling counts, however many keys came before that mean nothing")
    func manyUnknownKeys() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let unknown = (0..<10_000).map { "\"k\($0)\": 1" }.joined(separator: ", ")
        try await shop.merge("[{\"id\": 1, \"name\": \"a\", \(unknown)}, {\"ID\": 2, \"Name\": \"b\"}]", into: Tag.self)
        #expect(try shop.rows("SELECT id, name FROM tag ORDER BY id") == ["1 a", "2 b"])
    }

    @Test("N7 No input hangs: one other spelling 200,000 times, of which the last counts")
    func repeatedSpelling() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let names = (0..<200_000).map { "\"Name\": \"n\($0)\"" }.joined(separator: ", ")
        try await shop.mergeOnce("[{\"id\": 1, \(names)}]", into: Tag.self)
        #expect(try shop.rows("SELECT name FROM tag") == ["n199999"])
    }

    // MARK: Scopes

    @Test("M7 One record is no list: it says nothing of the others, unless the app says so")
    func oneRecord() async throws {
        let shop = try RuleFixture(ShopSchema.self, "INSERT INTO tag (id, name) VALUES (1, 'a'), (2, 'b')")
        let summary = try await shop.merge(#"{"id": 1, "name": "x"}"#, into: Tag.self) { $0.records = .all }
        #expect(try shop.rows("SELECT id, name FROM tag ORDER BY id") == ["1 x", "2 b"])
        #expect(summary.notes.map(\.code) == [.incompletePayload])
        try await shop.merge(#"{"id": 1, "name": "x"}"#, into: Tag.self) {
            $0.records = .all
            $0.completeness = .complete
        }
        #expect(try shop.rows("SELECT id FROM tag") == ["1"])
    }

    @Test("M8 A record that embeds another owner lacks none: the scope's is not filled in")
    func embeddedOwner() async throws {
        let shop = try RuleFixture(
            ShopSchema.self, "INSERT INTO article (id, title, body_text) VALUES (1, 'One', ''), (2, 'Two', '')")
        let json = """
            [{"id": 10, "name": "a", "text": "", "article": {"id": 2, "title": "Two", "body_text": ""}},
             {"id": 11, "name": "b", "text": ""}]
            """
        try await shop.store.merge(
            json, into: ArticleComment.self, scope: .children(of: 1, in: Article.Relationships.comments))
        #expect(try shop.rows("SELECT id, article_id FROM article_comment ORDER BY id") == ["10 2", "11 1"])
    }

    private static func tags(_ ids: ClosedRange<Int>, _ name: (Int) -> String) -> String {
        "[" + ids.map { #"{"id": \#($0), "name": "\#(name($0))"}"# }.joined(separator: ",") + "]"
    }
}
