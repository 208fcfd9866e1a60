import Checklist
import Foundation
import GRDB
import LinkSamples
import LockstepStore
import LockstepSync
import OfflineTasks
import RuntimeTestSupport
import Shop
import Testing

@Suite("Merging within a scope")
struct ScopedMergeTests {
    private let shop: Store
    private var deleting: MergeOptions { MergeOptions(records: .all) }

    init() throws {
        shop = try Store(ShopSchema.self, at: .inMemory)
        try shop.writer.write {
            try $0.execute(
                sql: """
                    INSERT INTO article (id, title, body_text) VALUES (1, 'One', ''), (2, 'Two', '');
                    INSERT INTO article_comment (id, name, text, article_id)
                        VALUES (10, 'a', '', 1), (11, 'b', '', 1), (12, 'c', '', 2);
                    """)
        }
        try shop.confirmAll()
    }

    private func rows(_ store: Store, _ sql: String) throws -> [String] {
        try store.writer.read { try Row.fetchAll($0, sql: sql) }.map { row in
            row.databaseValues.map { $0.isNull ? "none" : "\($0.storage.value ?? "")" }.joined(separator: " ")
        }
    }

    private var comments: [String] {
        get throws { try rows(shop, "SELECT id, article_id FROM article_comment ORDER BY id") }
    }

    @Test("M7.1 Nothing is deleted unless requested")
    func notAsked() async throws {
        let summary = try await shop.merge(Data("[]".utf8), into: ArticleComment.self)
        #expect(!summary.hasChanges && summary.notes.isEmpty)
        #expect(try comments.count == 3)
    }

    @Test("M7 An empty list deletes everything in scope; the second time nothing (M15)")
    func emptyList() async throws {
        let first = try await shop.merge(
            Data("[]".utf8), into: ArticleComment.self, scope: .matching(\.articleID, 1), options: deleting)
        #expect(first.identities(.deleted, of: ArticleComment.self).sorted() == [10, 11])
        #expect(try comments == ["12 2"])
        let second = try await shop.merge(
            Data("[]".utf8), into: ArticleComment.self, scope: .matching(\.articleID, 1), options: deleting)
        #expect(!second.hasChanges)
    }

    @Test("M2, M8 A filter fills in missing values, and moves a record from outside into the scope")
    func fillsIn() async throws {
        let body = Data(
            """
            [{"id": 10, "name": "a", "text": ""}, {"id": 12, "name": "c", "text": ""}, {"id": 13, "name": "d", "text": ""},
             {"id": 14, "name": "e", "text": "", "article_id": 2}]
            """.utf8)
        let url = try #require(URL(string: "https://example.com/comments?article_id=1"))
        let summary = try await shop.merge(body, into: ArticleComment.self, scope: .query(of: url), options: deleting)
        #expect(try comments == ["10 1", "12 1", "13 1", "14 2"])
        #expect(summary.inserted == 2 && summary.updated == 1 && summary.unchanged == 1 && summary.deleted == 1)
    }

    @Test("M8 Page 2 does not delete page 1")
    func pages() async throws {
        let scope = MergeScope<ArticleComment>.query([
            URLQueryItem(name: "article_id", value: "1"), URLQueryItem(name: "page", value: "2"),
        ])
        let body = Data(#"[{"id": 20, "name": "z", "text": ""}]"#.utf8)
        let summary = try await shop.merge(body, into: ArticleComment.self, scope: scope, options: deleting)
        #expect(summary.deleted == 0 && summary.notes.map(\.code) == [.incompletePayload])
        #expect(try comments == ["10 1", "11 1", "12 2", "20 1"])
    }

    @Test("M7.5, R2 Children of an unknown parent are merged and filled in; nothing is deleted")
    func unknownParent() async throws {
        let body = Data(#"[{"id": 20, "name": "z", "text": ""}]"#.utf8)
        let summary = try await shop.merge(
            body, into: ArticleComment.self, scope: .children(of: 9, in: Article.Relationships.comments),
            options: deleting)
        #expect(summary.notes.map(\.code) == [.unresolvedScope] && summary.inserted == 1)
        #expect(try comments == ["10 1", "11 1", "12 2", "20 9"])
    }

    @Test("M7.5 Records that the list of an unknown parent lacks stay, although they refer to that parent")
    func danglingChildren() async throws {
        try await shop.writeRaw("moving a comment", suppressesOutbox: true) { database, _ in
            try database.execute(sql: "UPDATE article_comment SET article_id = 9 WHERE id = 12")
        }
        let body = Data(#"[{"id": 20, "name": "z", "text": ""}]"#.utf8)
        let scopes: [MergeScope<ArticleComment>] = [
            .children(of: 9, in: Article.Relationships.comments), .matching(\.articleID, 9),
            .query([URLQueryItem(name: "article_id", value: "9")]),
        ]
        for scope in scopes {
            let summary = try await shop.merge(body, into: ArticleComment.self, scope: scope, options: deleting)
            #expect(summary.notes.map(\.code) == [.unresolvedScope] && summary.deleted == 0)
            #expect(try comments == ["10 1", "11 1", "12 9", "20 9"])
        }
    }

    @Test("M7.2 Truncated JSON deletes nothing")
    func brokenOff() async throws {
        await #expect(throws: MergeError.self) {
            try await shop.merge(
                Data(#"[{"id": 10, "name": "a", "text": ""}"#.utf8), into: ArticleComment.self, options: deleting)
        }
        #expect(try comments.count == 3)
    }

    @Test("M7, M12 An invalid record counts as listed; one without identity prevents all deletes")
    func invalidRecords() async throws {
        let invalid = Data(#"[{"id": 10, "name": 5.5, "text": null}, {"id": 11, "name": "b", "text": ""}]"#.utf8)
        let summary = try await shop.merge(invalid, into: ArticleComment.self, options: deleting)
        #expect(summary.skipped.map(\.identity) == ["10"])
        #expect(try comments == ["10 1", "11 1"])
        let unknown = Data(#"[{"name": "x", "text": ""}]"#.utf8)
        let second = try await shop.merge(unknown, into: ArticleComment.self, options: deleting)
        #expect(second.deleted == 0 && second.notes.map(\.code) == [.incompletePayload, .remark])
    }

    @Test("M8 Records of a many-to-many scope are linked to the owner, and only unlinked")
    func manyToMany() async throws {
        try await shop.writer.write {
            try $0.execute(
                sql: """
                    INSERT INTO product (id, name) VALUES (1, 'P'), (2, 'Q');
                    INSERT INTO tag (id, name) VALUES (1, 'a'), (2, 'b');
                    INSERT INTO product_tag VALUES (1, 1), (1, 2), (2, 1);
                    """)
        }
        try shop.confirmAll()
        let body = Data(#"[{"id": 2, "name": "b"}, {"id": 3, "name": "c"}]"#.utf8)
        let scope = MergeScope.children(of: 1, in: Product.Relationships.tags)
        let summary = try await shop.merge(body, into: Tag.self, scope: scope, options: deleting)
        #expect(try rows(shop, "SELECT * FROM product_tag ORDER BY 1, 2") == ["1 2", "1 3", "2 1"])
        #expect(try rows(shop, "SELECT id FROM tag ORDER BY id") == ["1", "2", "3"])
        #expect(summary[Tag.self].inserted == 1 && summary[Tag.self].deleted == 0)
        #expect(summary.identities(.updated, of: Product.self) == [1])
        let again = try await shop.merge(body, into: Tag.self, scope: scope, options: deleting)
        #expect(!again.hasChanges)
    }

    @Test("M9 Switches: each of insert, update and delete, on or off", arguments: 0..<8)
    func switches(_ bits: Int) async throws {
        let switches = MergeOperations(rawValue: UInt8(bits))
        let body = Data(
            #"[{"id": 10, "name": "changed", "text": ""}, {"id": 20, "name": "new", "text": ""}]"#.utf8)
        let summary = try await shop.merge(
            body, into: ArticleComment.self, options: MergeOptions(records: switches))
        let ids = try rows(shop, "SELECT id FROM article_comment ORDER BY id")
        #expect(ids.contains("20") == switches.contains(.insert))
        #expect(ids.contains("11") == !switches.contains(.delete))
        #expect(
            try rows(shop, "SELECT name FROM article_comment WHERE id = 10")
                == [switches.contains(.update) ? "changed" : "a"])
        #expect(summary.deleted == (switches.contains(.delete) ? 2 : 0))
    }

    @Test("M7 A dry run reports the deletes, and deletes nothing")
    func dryRun() async throws {
        var options = deleting
        options.isDryRun = true
        let summary = try await shop.merge(Data("[]".utf8), into: Article.self, options: options)
        #expect(summary.isDryRun && summary[Article.self].deleted == 2 && summary[ArticleComment.self].deleted == 3)
        #expect(try comments.count == 3)
    }

    @Test("M7 A record that the server does not have yet is kept")
    func notYetPushed() async throws {
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        try await store.writer.write {
            try $0.execute(
                sql: """
                    INSERT INTO task (local_id, remote_id, title, created_at)
                        VALUES ('00000000-0000-0000-0000-000000000001', NULL, 'Mine', 0),
                            ('00000000-0000-0000-0000-000000000002', 7, 'Gone', 0),
                            ('00000000-0000-0000-0000-000000000003', 8, 'Here', 0)
                    """)
        }
        try store.confirmAll()
        let body = Data(#"[{"id": 8, "title": "Here"}]"#.utf8)
        let summary = try await store.merge(body, into: OfflineTasks.Task.self, options: deleting)
        #expect(try rows(store, "SELECT title FROM task ORDER BY title") == ["Here", "Mine"])
        #expect(summary.deleted == 1)
    }

    @Test("R7 A nested tree merged repeatedly deletes none of its subtrees")
    func tree() async throws {
        let store = try Store(ForestSchema.self, at: .inMemory)
        let body = Data(
            """
            [{"id": 1, "title": "root", "children": [{"id": 2, "title": "child", "children": [{"id": 3, "title": "leaf"}]}]}]
            """.utf8)
        #expect(try await store.merge(body, into: Node.self, options: deleting).inserted == 3)
        #expect(try await store.merge(body, into: Node.self, options: deleting).hasChanges == false)
        let roots = Data(#"[{"id": 1, "title": "root"}]"#.utf8)
        #expect(try await store.merge(roots, into: Node.self, options: deleting).hasChanges == false)
        let none = try await store.merge(Data("[]".utf8), into: Node.self, options: deleting)
        #expect(none.identities(.deleted, of: Node.self).sorted() == [1, 2, 3])
    }
}
