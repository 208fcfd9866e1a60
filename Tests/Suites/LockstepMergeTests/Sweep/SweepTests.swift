import Checklist
import Foundation
import GRDB
import KitchenSink
import LinkSamples
import LockstepStore
import OfflineTasks
import SchematicCapture
import Shop
import Testing

@testable import LockstepMerge

@Suite("Sweeping records that the server no longer lists")
struct SweepTests {
    static let articles = """
        INSERT INTO article (id, title, body_text) VALUES (1, 'One', ''), (2, 'Two', ''), (3, 'Three', '');
        INSERT INTO article_comment (id, name, text, article_id)
            VALUES (10, 'a', '', 1), (11, 'b', '', 1), (12, 'c', '', 2), (13, 'd', '', NULL);
        """

    @Test("M7 Unlisted records are deleted by their delete rules, and all deletes are counted")
    func deletes() async throws {
        let stage = try SweepStage(ShopSchema.self, Self.articles)
        let summary = try await stage.sweep(MergeScope<Article>.all, listing: ["Article": [2, 3]])
        #expect(try stage.rows("SELECT id FROM article") == ["2", "3"])
        #expect(try stage.rows("SELECT id FROM article_comment ORDER BY id") == ["12", "13"])
        #expect(summary.identities(.deleted, of: Article.self) == [1])
        #expect(summary.identities(.deleted, of: ArticleComment.self).sorted() == [10, 11])
        #expect(summary.description == "Article: 1 deleted\nArticleComment: 2 deleted")
    }

    @Test("M7 If everything is listed, nothing is written")
    func nothingToDelete() async throws {
        let stage = try SweepStage(ShopSchema.self, Self.articles)
        let summary = try await stage.sweep(MergeScope<Article>.all, listing: ["Article": [1, 2, 3]])
        #expect(!summary.hasChanges && summary.notes.isEmpty)
        #expect(try stage.rows("SELECT count(*) FROM article_comment") == ["4"])
    }

    @Test("M7.1, M8 Only records inside the scope are deleted")
    func insideTheScope() async throws {
        let stage = try SweepStage(ShopSchema.self, Self.articles)
        let scope = MergeScope.children(of: 1, in: Article.Relationships.comments)
        try await stage.sweep(scope, listing: ["ArticleComment": [11]])
        #expect(try stage.rows("SELECT id FROM article_comment ORDER BY id") == ["11", "12", "13"])
        try await stage.sweep(MergeScope<ArticleComment>.matching(\.articleID, nil), listing: [:])
        #expect(try stage.rows("SELECT id FROM article_comment ORDER BY id") == ["11", "12"])
    }

    @Test("M7.5 A scope of an unknown parent deletes nothing and reports it")
    func unknownParent() async throws {
        let stage = try SweepStage(ShopSchema.self, Self.articles)
        let scopes: [MergeScope<ArticleComment>] = [
            .children(of: 99, in: Article.Relationships.comments), .matching(\.articleID, 99),
            .query([.init(name: "article_id", value: "99")]), .query([.init(name: "article_id", value: "first")]),
            .query([.init(name: "article_id", value: nil)]), .matching(\.name, "a").matching(\.name, "b"),
        ]
        for scope in scopes {
            let summary = try await stage.sweep(scope, listing: [:])
            #expect(summary.notes.map(\.code) == [.unresolvedScope])
            #expect(!summary.hasChanges)
        }
        #expect(try stage.rows("SELECT count(*) FROM article_comment") == ["4"])
    }

    @Test("M7.3 A record with local changes is kept, and keeps its foreign key if its parent is deleted")
    func localChanges() async throws {
        let stage = try SweepStage(ShopSchema.self, Self.articles)
        let local = MadeUpChanges(records: ["Article": [1], "ArticleComment": [12]])
        let summary = try await stage.sweep(MergeScope<Article>.all, listing: [:], localChanges: local)
        #expect(try stage.rows("SELECT id FROM article") == ["1"])
        #expect(
            try stage.rows("SELECT id, article_id FROM article_comment ORDER BY id")
                == ["10 1", "11 1", "12 2", "13 none"])
        #expect(summary[Article.self].deleted == 2)
        #expect(summary[ArticleComment.self].isEmpty)
    }

    @Test("M7.3 A record that never reached the server is kept, whether it is in scope or belongs to a deleted one")
    func neverReached() async throws {
        let tasks = try SweepStage(
            OfflineTasksSchema.self,
            """
            INSERT INTO task (local_id, remote_id, title, created_at)
                VALUES ('00000000-0000-0000-0000-000000000001', NULL, 'Mine', 0),
                    ('00000000-0000-0000-0000-000000000002', 7, 'Gone', 0)
            """)
        let summary = try await tasks.sweep(MergeScope<OfflineTasks.Task>.all, listing: [:])
        #expect(try tasks.rows("SELECT title FROM task") == ["Mine"])
        #expect(summary[OfflineTasks.Task.self].deleted == 1)

        let forest = try SweepStage(
            ForestSchema.self,
            """
            INSERT INTO node (id, title) VALUES (1, 'Gone');
            INSERT INTO mark (local_id, remote_id, text, node_id)
                VALUES ('00000000-0000-0000-0000-000000000001', NULL, 'mine', 1),
                    ('00000000-0000-0000-0000-000000000002', 7, 'theirs', 1);
            INSERT INTO note (id, text, mark_id)
                VALUES ('00000000-0000-0000-0000-00000000000a', 'on mine', '00000000-0000-0000-0000-000000000001'),
                    ('00000000-0000-0000-0000-00000000000b', 'on theirs', '00000000-0000-0000-0000-000000000002');
            """)
        try await forest.sweep(MergeScope<Node>.all, listing: [:])
        #expect(try forest.rows("SELECT count(*) FROM node") == ["0"])
        #expect(try forest.rows("SELECT text, node_id FROM mark") == ["mine 1"])
        #expect(try forest.rows("SELECT text FROM note") == ["on mine"])
    }

    @Test("M7 A listed record keeps a foreign key that the schema requires, or that the delete rule would clear")
    func requiredForeignKey() async throws {
        let stage = try SweepStage(
            ForestSchema.self,
            """
            INSERT INTO node (id, title) VALUES (1, 'Gone'), (2, 'Here');
            INSERT INTO leaf (id, text, node_id) VALUES (10, 'listed', 1), (11, 'not', 1), (12, 'listed', 1);
            INSERT INTO ranger (id, name, node_id) VALUES ('a', 'listed', 1), ('b', 'not', 1);
            """)
        let summary = try await stage.sweep(
            MergeScope<Node>.all, listing: ["Node": [2], "Leaf": [10, 12], "Ranger": ["a"]])
        #expect(try stage.rows("SELECT id FROM node") == ["2"])
        #expect(try stage.rows("SELECT id, node_id FROM leaf") == ["10 1", "12 1"])
        #expect(try stage.rows("SELECT id, node_id FROM ranger") == ["a 1", "b none"])
        #expect(summary[Leaf.self].deleted == 1 && summary[Ranger.self].isEmpty)
    }

    @Test("M7 A deny rule keeps the record with a note; a record that is deleted too denies nothing")
    func denied() async throws {
        let stage = try SweepStage(
            ForestSchema.self,
            """
            INSERT INTO node (id, title, parent_id) VALUES (1, 'Root', NULL), (2, 'Child', 1), (3, 'Free', NULL);
            INSERT INTO permit (id, text, node_id) VALUES (5, 'p', 2);
            """)
        let summary = try await stage.sweep(MergeScope<Node>.all, listing: [:])
        #expect(try stage.rows("SELECT id, parent_id FROM node") == ["1 none", "2 1"])
        #expect(summary.notes.map(\.code) == [.keptRecord, .keptRecord])
        #expect(Set(summary.notes.map(\.record)) == ["1", "2"])
        #expect(summary.identities(.deleted, of: Node.self) == [3])

        let people = try SweepStage(
            KitchenSinkSchema.self,
            "INSERT INTO person (created_at, name, country, number) VALUES (0, 'A', 'CH', 1), (0, 'B', 'CH', 2)")
        let all = try await people.sweep(
            MergeScope<Person>.matching(\.country, "CH"),
            listing: ["Person": [RecordKey(["CH".databaseValue, 2.databaseValue])]])
        #expect(all.identities(.deleted, of: Person.self) == [Person.Identity(country: "CH", number: 1)])
    }

    @Test("M7 A trigger of the app keeps the record, and the merge continues")
    func foreignTrigger() async throws {
        let stage = try SweepStage(
            ShopSchema.self,
            Self.articles + """
                CREATE TRIGGER keep BEFORE DELETE ON article WHEN OLD.id = 1
                BEGIN SELECT RAISE(ABORT, 'not this one'); END;
                """)
        let summary = try await stage.sweep(MergeScope<Article>.all, listing: [:])
        #expect(try stage.rows("SELECT id FROM article") == ["1"])
        #expect(summary.notes.map(\.code) == [.keptRecord])
    }

    @Test("M7.16 A many-to-many scope only unlinks, and keeps local links")
    func unlinks() async throws {
        let stage = try SweepStage(
            ShopSchema.self,
            """
            INSERT INTO product (id, name) VALUES (1, 'P'), (2, 'Q');
            INSERT INTO tag (id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c');
            INSERT INTO product_tag VALUES (1, 1), (1, 2), (1, 3), (1, 99), (2, 2);
            """)
        let scope = MergeScope.children(of: 1, in: Product.Relationships.tags)
        let summary = try await stage.sweep(
            scope, listing: ["Tag": [1]], localChanges: MadeUpChanges(members: [3]))
        #expect(try stage.rows("SELECT * FROM product_tag ORDER BY 1, 2") == ["1 1", "1 3", "2 2"])
        #expect(try stage.rows("SELECT count(*) FROM tag") == ["3"])
        #expect(summary.deleted == 0)
        let unknown = MergeScope.children(of: 5, in: Product.Relationships.tags)
        #expect(try await stage.sweep(unknown, listing: [:]).notes.map(\.code) == [.unresolvedScope])
    }

    @Test("M7 A link to a record that never reached the server is kept")
    func linkOfTheDevice() async throws {
        let stage = try SweepStage(
            ForestSchema.self,
            """
            INSERT INTO ranger (id, name) VALUES ('r', 'R');
            INSERT INTO mark (local_id, remote_id, text) VALUES
                ('00000000-0000-0000-0000-000000000001', NULL, 'mine'),
                ('00000000-0000-0000-0000-000000000002', 7, 'theirs');
            INSERT INTO mark_ranger SELECT local_id, 'r' FROM mark;
            """)
        try await stage.sweep(MergeScope.children(of: "r", in: Ranger.Relationships.marks), listing: [:])
        #expect(
            try stage.rows("SELECT text FROM mark JOIN mark_ranger ON mark_id = local_id") == ["mine"])
    }

    @Test("R7 A flat list of a tree is swept record by record; listed children of deleted ones stay where they were")
    func flatTree() async throws {
        let stage = try SweepStage(
            ChecklistSchema.self,
            """
            INSERT INTO task (id, title, parent_task_id) VALUES (1, 'a', NULL), (2, 'b', 1), (3, 'c', 2), (4, 'd', 3);
            """)
        let summary = try await stage.sweep(MergeScope<Checklist.Task>.all, listing: ["Task": [1, 3]])
        #expect(try stage.rows("SELECT id, parent_task_id FROM task") == ["1 none", "3 2"])
        #expect(summary.identities(.deleted, of: Checklist.Task.self).sorted() == [2, 4])
    }

    @Test("R7 If JSON nests the tree, the descendants of a kept record are never swept")
    func nestedTree() async throws {
        let stage = try SweepStage(
            ForestSchema.self,
            """
            INSERT INTO node (id, title, parent_id)
                VALUES (1, 'a', NULL), (2, 'b', 1), (3, 'c', 2), (4, 'd', NULL), (5, 'e', 4), (6, 'f', 77);
            """)
        try await stage.sweep(MergeScope<Node>.all, listing: ["Node": [1]])
        #expect(try stage.rows("SELECT id FROM node") == ["1", "2", "3"])
    }

    @Test("R7, R8 A chain longer than SQLite's trigger limit, and a cycle, are deleted")
    func longChain() async throws {
        let stage = try SweepStage(
            ForestSchema.self,
            """
            WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 5000)
            INSERT INTO node (id, title, parent_id) SELECT id, '', nullif(id - 1, 0) FROM n;
            INSERT INTO node (id, title, parent_id) VALUES (9001, '', 9003), (9002, '', 9001), (9003, '', 9002);
            """)
        let summary = try await stage.sweep(MergeScope<Node>.all, listing: [:])
        #expect(try stage.rows("SELECT count(*) FROM node") == ["0"])
        #expect(summary.deleted == 5003)
    }

    @Test("M7 Cascades are deleted level by level, from the leaves up", arguments: [true, false])
    func levels(isSheetListed: Bool) async throws {
        let stage = try SweepStage(
            SchematicCaptureSchema.self,
            """
            INSERT INTO project (id, name, client, client_id) VALUES (1, '', '', 1), (2, '', '', 1);
            INSERT INTO job_sheet (id, name, status, project_id) VALUES (10, '', '', 1), (11, '', '', 1);
            INSERT INTO component (id, component_id, job_sheet_id) VALUES (20, '', 10), (21, '', 11);
            INSERT INTO photo (id, name, component_id) VALUES (30, '', 20), (31, '', 21);
            """)
        let listed: SweepStage.Listed = ["Project": [2], "JobSheet": isSheetListed ? [11] : []]
        let summary = try await stage.sweep(MergeScope<Project>.all, listing: listed)
        #expect(summary.deleted == (isSheetListed ? 4 : 7))
        #expect(try stage.rows("SELECT id, project_id FROM job_sheet") == (isSheetListed ? ["11 1"] : []))
        #expect(try stage.rows("SELECT id FROM photo") == (isSheetListed ? ["31"] : []))
    }

    @Test("M7 Contexts show the deletes of a sweep, including cascades")
    @MainActor func contexts() async throws {
        let stage = try SweepStage(ShopSchema.self, Self.articles)
        let context = stage.store.mainContext
        let comments = try context.fetch(ArticleComment.order(\.id))
        #expect(comments.count == 4)
        try await stage.sweep(MergeScope<Article>.all, listing: ["Article": [2, 3]])
        #expect(try context.fetch(ArticleComment.order(\.id)).map(\.id) == [12, 13])
        #expect(try context.count(Article.all()) == 2)
    }
}
