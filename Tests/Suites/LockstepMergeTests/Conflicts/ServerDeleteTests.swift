import LinkSamples
import LockstepStore
import Shop
import Testing

@testable import LockstepMerge
@testable import LockstepSync

@Suite("C3 Records deleted on the server")
struct ServerDeleteTests {
    private static let articles = """
        INSERT INTO article (id, title, body_text) VALUES (1, 'A', 'a'), (2, 'B', 'b'), (3, 'C', 'c');
        INSERT INTO article_comment (id, name, text, article_id) VALUES (10, 'Ann', 'x', 1), (11, 'Bob', 'y', 1);
        """

    private func identities(_ numbers: [Int64]) -> [RemoteIdentity] { numbers.map { RemoteIdentity([.integer($0)]) } }

    @Test("C3 They are deleted with their dependents, and nothing of them is pending")
    func cascade() async throws {
        let shop = try ConflictStage(ShopSchema.self, .localChangesWin, Self.articles)
        let summary = try await shop.store.applyServerDeletes(of: Article.self, identities: identities([1, 99]))
        #expect(summary.description == "Article: 1 deleted\nArticleComment: 2 deleted")
        #expect(try shop.rows("SELECT id FROM article") == ["2", "3"])
        #expect(try shop.pending().isEmpty)
    }

    @Test("C3 Local edits create the record again; local deletes are no longer pending")
    func edited() async throws {
        let shop = try ConflictStage(ShopSchema.self, .localChangesWin, Self.articles)
        try shop.edit("UPDATE article SET title = 'Here' WHERE id = 2; DELETE FROM article WHERE id = 3")
        let summary = try await shop.store.applyServerDeletes(of: Article.self, identities: identities([2, 3]))
        #expect(!summary.hasChanges)
        #expect(try shop.rows("SELECT title FROM article ORDER BY id") == ["A", "Here"])
        #expect(try shop.pending() == ["Article 2 create"])
        #expect(try shop.rows("SELECT title FROM lockstep_base_article") == ["B"])
    }

    @Test("C3 If the server wins they are deleted, edited or not")
    func serverWins() async throws {
        let shop = try ConflictStage(ShopSchema.self, .serverWins, Self.articles)
        try shop.edit("UPDATE article SET title = 'Here' WHERE id = 2")
        let summary = try await shop.store.applyServerDeletes(of: Article.self, identities: identities([2]))
        #expect(summary.deleted == 1)
        #expect(try shop.pending().isEmpty)
    }

    @Test("C3 Links to them that were added or removed locally are no longer pending")
    func links() async throws {
        let shop = try ConflictStage(
            ShopSchema.self, .localChangesWin,
            """
            INSERT INTO product (id, name) VALUES (1, 'A'), (2, 'B');
            INSERT INTO tag (id, name) VALUES (1, 'one'), (2, 'two'), (3, 'three');
            INSERT INTO product_tag VALUES (1, 1);
            """)
        try shop.edit(
            """
            INSERT INTO product_tag VALUES (1, 2), (2, 2), (2, 3);
            DELETE FROM product_tag WHERE product_id = 1 AND tag_id = 1
            """)
        let summary = try await shop.store.applyServerDeletes(of: Tag.self, identities: identities([1, 2]))
        #expect(summary.deleted == 2)
        #expect(try shop.rows("SELECT source, destination, is_added FROM lockstep_outbox_link") == ["2 3 1"])
        #expect(try shop.pending() == ["Product 2 update"])
    }

    @Test("C4 The version of a record that was deleted on both sides is not kept")
    func version() async throws {
        let shop = try ConflictStage(
            ShopSchema.self, .localChangesWin,
            Self.articles + "; INSERT INTO lockstep_version VALUES ('Article', '2', '7'), ('Article', '3', '8')")
        try shop.edit("DELETE FROM article WHERE id = 3")
        _ = try await shop.store.applyServerDeletes(of: Article.self, identities: identities([3]))
        #expect(try shop.rows("SELECT record FROM lockstep_version") == ["2"])
    }

    @Test("M7 A locally edited comment outlives its article")
    func protected() async throws {
        let shop = try ConflictStage(ShopSchema.self, .localChangesWin, Self.articles)
        try shop.edit("UPDATE article_comment SET text = 'Here' WHERE id = 10")
        let summary = try await shop.store.applyServerDeletes(of: Article.self, identities: identities([1]))
        #expect(summary.description == "Article: 1 deleted\nArticleComment: 1 deleted")
        #expect(try shop.rows("SELECT id, article_id FROM article_comment") == ["10 1"])
        #expect(try shop.pending() == ["ArticleComment 10 update"])
    }

    @Test("M5 They are found by the server's identity, and by composite keys")
    func identity() async throws {
        let museum = try ConflictStage(
            MuseumSchema.self, .localChangesWin,
            """
            INSERT INTO loan (local_id, remote_id, title) VALUES ('00000000-0000-0000-0000-000000000001', 7, 'Urn');
            INSERT INTO lender (country, number) VALUES ('DE', 1), ('DE', 2);
            """)
        let loans = try await museum.store.applyServerDeletes(
            of: Loan.self, identities: [RemoteIdentity([.string("7")]), RemoteIdentity([.integer(8)])])
        #expect(loans.deleted == 1)
        let lenders = try await museum.store.applyServerDeletes(
            of: Lender.self, identities: [RemoteIdentity([.string("DE"), .integer(2)]), RemoteIdentity([.integer(8)])])
        #expect(lenders.deleted == 1)
        #expect(try museum.rows("SELECT number FROM lender") == ["1"])
    }
}
