import Checklist
import Foundation
import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import Shop
import Testing
import TestSupport

@Suite("Trees and cycles")
struct TreeTests {
    private static let nodes = "SELECT id, parent_id FROM node ORDER BY id"
    private static let wings = "SELECT id, parent_id FROM wing ORDER BY id"

    // MARK: R7

    @Test("R7 Nested or flat, in any order: the same tree")
    func nestedAndFlat() async throws {
        let nested = """
            [{"id": 1, "title": "1", "wings": [{"id": 2, "title": "2", "wings": [{"id": 4, "title": "4"}]},
                                                  {"id": 3, "title": "3"}]}]
            """
        let flat = [
            #"{"id": 1, "title": "1", "parent_id": null}"#, #"{"id": 2, "title": "2", "parent_id": 1}"#,
            #"{"id": 3, "title": "3", "parent_id": 1}"#, #"{"id": 4, "title": "4", "parent_id": 2}"#,
        ]
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(nested, into: Wing.self)
        #expect(try museum.rows(Self.wings) == ["1 -", "2 1", "3 1", "4 2"])
        var random = SeededRandom(seed: 7)
        for _ in 0..<8 {
            let order = flat.shuffled(using: &random)
            let again = try await museum.merge("[\(order.joined(separator: ","))]", into: Wing.self)
            #expect(again.unchanged == 4)
            let other = try RuleFixture(MuseumSchema.self)
            for record in order { try await other.merge("[\(record)]", into: Wing.self) }
            #expect(try other.rows(Self.wings) == ["1 -", "2 1", "3 1", "4 2"])
        }
    }

    @Test(
        "R7 A subtree moves: none of it is deleted, wherever it is in the payload",
        arguments: [
            #"[{"id": 1, "wings": [{"id": 3, "wings": [{"id": 2, "wings": [{"id": 4}]}]}]}]"#,
            #"[{"id": 2, "wings": [{"id": 4}], "parent_id": 3}, {"id": 1, "wings": [{"id": 3}]}]"#,
            #"[{"id": 1, "wings": [{"id": 3, "wings": [{"id": 2}]}]}]"#,
            #"[{"id": 3, "wings": [{"id": 2}]}, {"id": 1, "wings": [{"id": 3}]}]"#,
            #"[{"id": 1, "wings": [{"id": 3}]}, {"id": 3, "wings": [{"id": 2}]}]"#,
        ])
    func moves(json: String) async throws {
        let museum = try RuleFixture(
            MuseumSchema.self,
            """
            INSERT INTO wing (id, title, parent_id) VALUES (1, 'a', NULL), (2, 'b', 1), (3, 'c', 1), (4, 'd', 2);
            """)
        let summary = try await museum.merge(json, into: Wing.self)
        #expect(summary.deleted == 0)
        #expect(try museum.rows(Self.wings) == ["1 -", "2 3", "3 1", "4 2"])
    }

    @Test("R7 The tree is inverted: the child becomes the parent")
    func turnedRound() async throws {
        let forest = try RuleFixture(
            ForestSchema.self, "INSERT INTO node (id, title, parent_id) VALUES (1, 'a', NULL), (2, 'b', 1), (3, 'c', 2)"
        )
        try await forest.merge(
            #"[{"id": 3, "parent_id": null, "children": [{"id": 2, "children": [{"id": 1, "children": []}]}]}]"#,
            into: Node.self)
        #expect(try forest.rows(Self.nodes) == ["1 2", "2 3", "3 -"])
    }

    @Test("R7 A node that its parent no longer lists is deleted with its subtree, except nodes listed elsewhere")
    func nodeGoes() async throws {
        let tree =
            "INSERT INTO node (id, title, parent_id) VALUES (1, 'a', NULL), (2, 'b', 1), (3, 'c', 2), (4, 'd', 3), (5, 'e', 2);"
        let forest = try RuleFixture(ForestSchema.self, tree)
        let gone = try await forest.merge(#"[{"id": 1, "children": []}]"#, into: Node.self)
        #expect(gone.identities(.deleted, of: Node.self).sorted() == [2, 3, 4, 5])
        #expect(try forest.rows(Self.nodes) == ["1 -"])

        let other = try RuleFixture(MuseumSchema.self, tree.replacingOccurrences(of: "node", with: "wing"))
        try await other.merge(#"[{"id": 1, "wings": []}, {"id": 3, "parent_id": null}]"#, into: Wing.self)
        #expect(try other.rows(Self.wings) == ["1 -", "3 -", "4 3"])
    }

    @Test("R7 M7 A sweep of a nested tree deletes no node that the payload contains at any depth")
    func sweep() async throws {
        let forest = try RuleFixture(
            ForestSchema.self,
            "INSERT INTO node (id, title, parent_id) VALUES (1, 'a', NULL), (2, 'b', 1), (3, 'c', 2), (8, 'x', NULL), (9, 'y', 8)"
        )
        let summary = try await forest.merge(
            #"[{"id": 1, "children": [{"id": 2, "children": [{"id": 3}]}]}]"#, into: Node.self
        ) { $0.records = .all }
        #expect(summary.deleted == 2)
        #expect(try forest.rows(Self.nodes) == ["1 -", "2 1", "3 2"])
    }

    @Test(
        "R7 M7 A list of roots, whole or without their children, deletes exactly the trees of the others",
        arguments: Seeds.some(8, of: UInt64(0)...299))
    func roots(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let parents = (1...Int.random(in: 2...12, using: &random)).map { id in
            random.isOne(in: 3) ? 0 : Int.random(in: 0..<id, using: &random)
        }
        let rows = parents.enumerated().map { "(\($0 + 1), 't', \($1 == 0 ? "NULL" : "\($1)"))" }
        let forest = try RuleFixture(
            ForestSchema.self, "INSERT INTO node (id, title, parent_id) VALUES \(rows.joined(separator: ", "))")
        func root(_ id: Int) -> Int { parents[id - 1] == 0 ? id : root(parents[id - 1]) }
        let listed = (1...parents.count).filter { parents[$0 - 1] == 0 && random.isOne(in: 2) }
        let isWhole = random.isOne(in: 2)
        func json(_ id: Int) -> String {
            let children = (1...parents.count).filter { parents[$0 - 1] == id }.map(json).joined(separator: ",")
            return #"{"id": \#(id)\#(isWhole ? #", "children": [\#(children)]"# : "")}"#
        }
        try await forest.merge("[\(listed.map(json).joined(separator: ","))]", into: Node.self) { $0.records = .all }
        let kept = (1...parents.count).filter { listed.contains(root($0)) }
        #expect(try forest.rows("SELECT id FROM node ORDER BY id") == kept.map { "\($0)" }, "\(parents), \(listed)")
    }

    @Test("R7 A node whose delete is denied by a rule is kept with a note, and the merge continues")
    func denied() async throws {
        let forest = try RuleFixture(
            ForestSchema.self,
            """
            INSERT INTO node (id, title, parent_id) VALUES (1, 'a', NULL), (2, 'b', 1);
            INSERT INTO permit (id, text, node_id) VALUES (1, 'p', 2);
            """)
        let summary = try await forest.merge(#"[{"id": 1, "title": "A", "children": []}]"#, into: Node.self)
        #expect(try forest.rows("SELECT id, title FROM node ORDER BY id") == ["1 A", "2 b"])
        #expect(summary.notes.map(\.code) == [.keptRecord])
    }

    @Test("R7 In a flat tree by key, a task and its parts can come in any order")
    func checklist() async throws {
        let list = try RuleFixture(ChecklistSchema.self)
        try await list.merge(
            #"[{"id": 3, "title": "c", "parentTaskID": 2}, {"id": 2, "title": "b", "parentTaskID": 1}]"#,
            into: Checklist.Task.self)
        try await list.merge(#"[{"id": 1, "title": "a", "parentTaskID": null}]"#, into: Checklist.Task.self)
        #expect(try list.rows("SELECT id, parent_task_id FROM task ORDER BY id") == ["1 -", "2 1", "3 2"])
    }

    @Test("R7 A tree two hundred deep")
    func deep() async throws {
        let forest = try RuleFixture(ForestSchema.self)
        let opening = (1...200).map { #"{"id": \#($0), "title": "n", "children": ["# }.joined()
        try await forest.merge("[" + opening + String(repeating: "]}", count: 200) + "]", into: Node.self)
        #expect(try forest.rows("SELECT count(*), max(parent_id) FROM node") == ["200 199"])
        try await forest.merge(#"[{"id": 1, "children": []}]"#, into: Node.self)
        #expect(try forest.rows("SELECT id FROM node") == ["1"])
    }

    // MARK: R8

    @Test("R8 Records that embed each other do not loop, and create no second copy")
    func backReference() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        let summary = try await museum.merge(
            """
            [{"id": 1, "title": "a", "crate": {"id": 5, "size": "L", "exhibit": {"id": 1, "title": "b", "crate": {"id": 5}}}}]
            """, into: Exhibit.self)
        #expect(summary.description == "Exhibit: 1 inserted\nCrate: 1 inserted")
        #expect(try museum.rows("SELECT id, crate_id FROM exhibit") == ["1 5"])
    }

    @Test("R8 A embeds B, which embeds A again with other values: one A, with the inner values last")
    func embedsAgain() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let summary = try await shop.merge(
            """
            [{"id": 10, "name": "x", "text": "t", "article": {"id": 1, "title": "A", "body_text": ""}},
             {"id": 11, "name": "y", "text": "u", "article": {"id": 1, "title": "B"}}]
            """, into: ArticleComment.self)
        #expect(summary.description == "Article: 1 inserted\nArticleComment: 2 inserted")
        #expect(try shop.rows("SELECT title FROM article") == ["B"])

        let sink = try RuleFixture(KitchenSinkSchema.self)
        try await sink.merge(
            """
            [{"country": "CH", "number": 1, "name": "A", "manager": {"country": "CH", "number": 2, "name": "B",
              "manager": {"country": "CH", "number": 1, "name": "A", "manager_country": "CH", "manager_number": 2}}}]
            """, into: Person.self)
        #expect(
            try sink.rows("SELECT number, manager_number FROM person ORDER BY number") == ["1 2", "2 1"])
    }

    @Test("R8 A record can refer to itself, by id or by embedding itself")
    func itself() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self)
        try await sink.merge(
            #"[{"id": 1, "func_id": 1}, {"id": 2, "func": {"id": 2, "in": 3}}, {"id": 3, "func": {"id": 4, "func": {"id": 3}}}]"#,
            into: Keyword.self)
        #expect(try sink.rows("SELECT id, func_id FROM keyword ORDER BY id") == ["1 1", "2 2", "3 4", "4 3"])
    }

    @Test("R8 Two nodes that are each other's child do not loop; both are kept")
    func ring() async throws {
        let forest = try RuleFixture(ForestSchema.self)
        try await forest.merge(
            #"[{"id": 1, "title": "a", "children": [{"id": 2, "title": "b", "children": [{"id": 1}]}]}]"#,
            into: Node.self)
        #expect(try forest.rows(Self.nodes) == ["1 2", "2 1"])
        // And the cycle is deleted as a whole.
        try await forest.merge("[]", into: Node.self) { $0.records = .all }
        #expect(try forest.rows(Self.nodes) == [])
    }

    @Test("R8 By the server's numbers: a cycle of links to records that have not arrived yet")
    func remoteRing() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            #"[{"id": 1, "title": "a", "holder": {"id": 2, "title": "b", "holder": {"id": 1}}}]"#, into: Loan.self)
        #expect(
            try museum.rows(
                "SELECT a.remote_id, b.remote_id FROM loan a JOIN loan b ON b.local_id = a.holder_id ORDER BY 1")
                == ["1 2", "2 1"])
        #expect(try museum.rows("SELECT count(*) FROM loan") == ["2"])
    }
}
