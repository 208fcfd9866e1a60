import Foundation
import GRDB
import LinkSamples
import LockstepStore
import LockstepSync
import OfflineTasks
import Shop
import Testing
import TestSupport

@Suite("The batches of a payload do not affect the result")
struct BatchTests {
    @Test("M11 A child removed from its parent's list is unlinked, whether it comes first or last", arguments: [0, 1])
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

    @Test("M11 A child that a later copy of its parent lists again stays linked")
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

    @Test("R2 M11 A link to a record skipped in an earlier batch resolves once the record arrives")
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

    @Test("M11 Unique values are shifted by one for 20,000 records")
    func shift() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let count = 20_000
        try await shop.mergeOnce(Self.tags(1...count) { "n\($0)" }, into: Tag.self)
        let summary = try await shop.mergeOnce(Self.tags(1...count) { "n\($0 + 1)" }, into: Tag.self)
        #expect(summary.updated == count && summary.skipped.isEmpty)
        let back = try await shop.mergeOnce(Self.tags(1...count) { "n\($0)" }, into: Tag.self)
        #expect(back.updated == count && back.skipped.isEmpty)
    }

    @Test("M3 100,000 copies of one record become one record")
    func copies() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let json = "[" + (0..<100_000).map { #"{"id": 1, "name": "n\#($0)"}"# }.joined(separator: ",") + "]"
        let summary = try await shop.mergeOnce(json, into: Tag.self)
        #expect(summary.inserted == 1)
        #expect(try shop.rows("SELECT name FROM tag") == ["n99999"])
    }

    @Test("R5 100,000 children of one owner are inserted and then removed")
    func children() async throws {
        let forest = try RuleFixture(ForestSchema.self)
        let children = (1...100_000).map { #"{"id": \#($0), "title": ""}"# }.joined(separator: ",")
        let first = try await forest.mergeOnce(
            #"[{"id": 0, "title": "", "children": [\#(children)]}]"#, into: Node.self)
        #expect(first.inserted == 100_001)
        let second = try await forest.mergeOnce(#"[{"id": 0, "title": "", "children": []}]"#, into: Node.self)
        #expect(second.deleted == 100_000)
    }

    @Test("M12 100,000 records are skipped")
    func skipped() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let json = "[" + (0..<100_000).map { #"{"id": \#($0), "name": []}"# }.joined(separator: ",") + "]"
        let summary = try await shop.mergeOnce(json, into: Tag.self)
        #expect(summary.skipped.count == 100_000)
    }

    @Test("R7 N7 A tree of the maximum JSON depth is merged; one level more is rejected")
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

    @Test("N1 Another spelling of a key counts, however many unknown keys came before")
    func manyUnknownKeys() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let unknown = (0..<10_000).map { "\"k\($0)\": 1" }.joined(separator: ", ")
        try await shop.merge("[{\"id\": 1, \"name\": \"a\", \(unknown)}, {\"ID\": 2, \"Name\": \"b\"}]", into: Tag.self)
        #expect(try shop.rows("SELECT id, name FROM tag ORDER BY id") == ["1 a", "2 b"])
    }

    @Test("N7 No input hangs: another spelling of a key 200,000 times, of which the last counts")
    func repeatedSpelling() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let names = (0..<200_000).map { "\"Name\": \"n\($0)\"" }.joined(separator: ", ")
        try await shop.mergeOnce("[{\"id\": 1, \(names)}]", into: Tag.self)
        #expect(try shop.rows("SELECT name FROM tag") == ["n199999"])
    }

    // MARK: Scopes

    @Test("M7 A single record is not a list: it implies nothing about other records unless the app says so")
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

    @Test("M8 The scope's owner is not filled in for a record that embeds another one")
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
