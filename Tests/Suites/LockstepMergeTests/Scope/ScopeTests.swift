import Foundation
import GRDB
import KitchenSink
import LinkSamples
import LockstepStore
import Shop
import Testing

@testable import LockstepMerge

@Suite("Resolving a scope")
struct ScopeTests {
    private let shop: SweepStage
    private let forest: SweepStage
    private static let mark = "00000000-0000-0000-0000-000000000001"

    init() throws {
        shop = try SweepStage(
            ShopSchema.self,
            "INSERT INTO article (id, title, body_text) VALUES (3, '', ''); INSERT INTO product (id, name) VALUES (1, '')"
        )
        forest = try SweepStage(
            ForestSchema.self, "INSERT INTO mark (local_id, remote_id, text) VALUES ('\(Self.mark)', 7, '')")
    }

    @Test("M8 The scope of everything has no condition and fills in nothing")
    func everything() throws {
        let scope = try shop.resolve(MergeScope<Article>.all)
        #expect(scope.condition == nil && scope.fills.isEmpty && scope.obstacles.isEmpty)
    }

    @Test("M8 A parent's children get only the parent filled in, whichever way it is named")
    func parents() throws {
        let url = try #require(URL(string: "https://example.com/comments?article_id=3"))
        let scopes: [MergeScope<ArticleComment>] = [
            .children(of: 3, in: Article.Relationships.comments), .matching(\.articleID, 3), .query(of: url),
            .query([URLQueryItem(name: "articleID", value: "3")]),
            .query([URLQueryItem(name: "ArticleId", value: " 3".trimmingCharacters(in: .whitespaces))]),
            .query([URLQueryItem(name: "article", value: "3")]),
        ]
        for scope in scopes {
            let resolved = try shop.resolve(scope)
            #expect(resolved.fills == ["article_id": 3.databaseValue])
            #expect(resolved.condition == "\"article_id\" = ?")
            #expect(resolved.obstacles.isEmpty)
        }
    }

    @Test("M8 A parameter that matches no attribute makes the payload partial, unless it is declared complete")
    func pages() throws {
        let scope = MergeScope<ArticleComment>.query([
            URLQueryItem(name: "article_id", value: "3"), URLQueryItem(name: "page", value: "2"),
        ])
        #expect(try shop.resolve(scope).obstacles == [.incompletePayload])
        #expect(try shop.resolve(scope).fills == ["article_id": 3.databaseValue])
        #expect(try shop.resolve(scope, completeness: .complete).obstacles.isEmpty)
        #expect(try shop.resolve(MergeScope<Article>.all, completeness: .partial).obstacles == [.incompletePayload])
    }

    @Test("M8 Values are read like the server's JSON")
    func values() throws {
        func fill(_ name: String, _ value: String) throws -> DatabaseValue? {
            let scope = try shop.resolve(MergeScope<Product>.query([URLQueryItem(name: name, value: value)]))
            return scope.obstacles.isEmpty ? scope.fills.first?.value : nil
        }
        #expect(try fill("stock", "12") == 12.databaseValue)
        #expect(try fill("price", "9.50") == "9.5".databaseValue)
        #expect(try fill("weight", "0.5") == 0.5.databaseValue)
        #expect(try fill("name", "12") == "12".databaseValue)
        #expect(try fill("released_at", "2024-03-01 08:30:00 +0000") == 1_709_281_800.0.databaseValue)
        #expect(try fill("brand[url]", "https://example.com/a") == "https://example.com/a".databaseValue)
        #expect(try fill("brandURL", "https://example.com/a") == "https://example.com/a".databaseValue)
        #expect(try fill("stock", "many") == nil)
        #expect(try fill("stock", "99999999999999999999") == nil)
    }

    @Test("M8 A local identity is found by the server's; one that does not exist leaves the scope unresolved")
    func localIdentities() throws {
        let known: [MergeScope<Note>] = [
            .children(of: 7, in: Mark.Relationships.notes), .query([URLQueryItem(name: "mark_id", value: "7")]),
        ]
        for scope in known {
            let resolved = try forest.resolve(scope)
            #expect(resolved.fills == ["mark_id": Self.mark.databaseValue] && resolved.obstacles.isEmpty)
        }
        let unknown: [MergeScope<Note>] = [
            .children(of: 8, in: Mark.Relationships.notes), .query([URLQueryItem(name: "mark_id", value: "8")]),
        ]
        for scope in unknown {
            let resolved = try forest.resolve(scope)
            #expect(resolved.fills.isEmpty && resolved.obstacles == [.unresolvedScope])
        }
    }

    @Test("M8 An identity is never filled in, nor a part of a foreign key")
    func notFilled() throws {
        #expect(try shop.resolve(MergeScope<Article>.matching(\.id, 3)).fills.isEmpty)
        let kitchen = try SweepStage(
            KitchenSinkSchema.self, "INSERT INTO person (created_at, name, country, number) VALUES (0, 'A', 'CH', 1)")
        let part = try kitchen.resolve(MergeScope<Everything>.matching(\.ownerCountry, "CH"))
        #expect(part.fills.isEmpty && part.condition == "\"owner_country\" = ?" && part.obstacles.isEmpty)
        let whole = try kitchen.resolve(
            MergeScope<Everything>.matching(\.ownerCountry, "CH").matching(\.ownerNumber, 1))
        #expect(whole.fills == ["owner_country": "CH".databaseValue, "owner_number": 1.databaseValue])
    }
}
