import Foundation
import LinkSamples
import LockstepStore
import LockstepSync
import RuntimeTestSupport
import Shop
import Testing

/// A save of many new records fires no triggers where it knows what they record.
@Suite("Many new records are recorded as each alone would be")
struct ManyNewRecordsTests {
    /// A way to create a record, by a number.
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What the server has of the records with these numbers.
        var seed: @Sendable (ClosedRange<Int>) -> String = { _ in "" }
        /// Deletes some of them locally.
        var delete = ""
        let create: @Sendable (Int, ManagedObjectContext) throws -> Void
    }

    private static func numbers(_ range: ClosedRange<Int>) -> String {
        """
        WITH RECURSIVE n(i) AS (SELECT \(range.lowerBound) UNION ALL SELECT i + 1 FROM n \
        WHERE i < \(range.upperBound))
        """
    }

    private static func id(_ number: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)))
    }

    static let kinds = [
        Kind(
            testDescription: "numbers",
            seed: { "\(numbers($0)) INSERT INTO room (id, name) SELECT i, 'Hall' FROM n" },
            delete: "DELETE FROM room WHERE id % 3 = 0",
            create: { Room(id: $0, name: "Hall \($0)", context: $1) }),
        Kind(
            testDescription: "texts",
            seed: { "\(numbers($0)) INSERT INTO guard (id, name) SELECT 'g' || i, 'Ann' FROM n" },
            delete: "DELETE FROM guard WHERE rowid % 3 = 0",
            create: { Guard(id: "g\($0)", name: "Ann \($0)", context: $1) }),
        Kind(
            testDescription: "two values",
            seed: { "\(numbers($0)) INSERT INTO lender (country, number) SELECT 'D,''E', i FROM n" },
            delete: "DELETE FROM lender WHERE number % 3 = 0",
            create: { Lender(country: "D,'E", number: $0, context: $1) }),
        Kind(testDescription: "UUIDs", create: { Ticket(id: id($0), holder: "Bo", context: $1) }),
        Kind(testDescription: "local identities", create: { Loan(localID: id($0), title: "Vase", context: $1) }),
        Kind(
            testDescription: "a tree, sent inside its root",
            create: { number, context in
                let wing = Wing(id: number, title: "W", context: context)
                wing.parent = try context.find(Wing.self, number / 2)
            }),
        Kind(
            testDescription: "records inside others, and these",
            create: { number, context in
                if number % 2 == 1 {
                    Letter(id: number, title: "L", context: context)
                } else {
                    let letter = try context.find(Letter.self, number - 1)
                    Stamp(id: number, text: "S", letter: letter, context: context)
                }
            }),
    ]

    /// A store with deletes that are pending, sent, parked and failed, and then with new records, of which `size` are
    /// saved at once.
    private func outbox(_ kind: Kind, savedBy size: Int) async throws -> [[String]] {
        let stage = try OutboxStage(MuseumSchema.self)
        if !kind.delete.isEmpty {
            try stage.seed(kind.seed(1...900))
            try stage.run(kind.delete)
            try stage.run(
                """
                UPDATE lockstep_outbox SET idempotency_key = 'key' WHERE id % 2 = 0;
                UPDATE lockstep_outbox SET parked_status = 422, parked_body = 'no', attempts = 3 WHERE id % 5 = 0;
                UPDATE lockstep_outbox SET retry_at = 5, error = 'x' WHERE id % 7 = 0;
                UPDATE lockstep_outbox SET version = id * 100;
                """)
        }
        let again = kind.delete.isEmpty ? [] : Array(stride(from: 3, through: 900, by: 3))
        let created = again + Array(901...1600)
        try await stage.store.perform { context in
            for start in stride(from: 0, to: created.count, by: size) {
                for number in created[start..<min(start + size, created.count)] { try kind.create(number, context) }
                try context.save()
            }
        }
        let columns = """
            id, entity, record, typeof(record), change, version > 1000000, attempts, retry_at, error, parked_status, \
            parked_body, idempotency_key, is_touched, abs(changed_at - strftime('%s', 'now')) < 86400
            """
        return [
            try stage.rows("SELECT \(columns) FROM lockstep_outbox ORDER BY id"), try stage.links(),
            try stage.rows("SELECT id, version FROM lockstep_outbox WHERE version < 1000000 ORDER BY id"),
        ]
    }

    @Test("The outbox is the same", arguments: kinds)
    func same(_ kind: Kind) async throws {
        let (together, apart) = (try await outbox(kind, savedBy: 5000), try await outbox(kind, savedBy: 90))
        #expect(together == apart)
        #expect(together[0].count >= 700)
    }

    @Test(
        "It is known what the triggers of an entity record, unless they change an owner",
        arguments: [
            ("Room", true), ("Guard", true), ("Lender", true), ("Ticket", true), ("Poster", true), ("Letter", true),
            ("Loan", true), ("Camera", true), ("Stamp", false), ("Seal", false), ("Wing", true),
        ])
    func known(_ entity: String, isKnown: Bool) throws {
        let stage = try OutboxStage(MuseumSchema.self)
        let plan = try #require(stage.store.plans[entity])
        let triggers = try stage.store.writer.read { try InsertTriggers(of: plan, in: $0) }
        #expect(triggers.areOutboxOnly)
        if case .statement = triggers.creation { #expect(isKnown) } else { #expect(!isKnown) }
    }

    @Test("A trigger of the app fires for each of them", arguments: ["TRIGGER", "temp trigger"])
    func appTrigger(_ words: String) async throws {
        let stage = try OutboxStage(ShopSchema.self)
        try stage.run(
            """
            PRAGMA case_sensitive_like = ON;
            CREATE TABLE word (text TEXT);
            create \(words) index_words after insert on tag begin insert into word \
            VALUES (NEW.name); END
            """)
        try await stage.store.perform { context in
            for number in 1...700 { Tag(id: number, name: "tag \(number)", context: context) }
            try context.save()
        }
        #expect(try stage.strings("SELECT COUNT(*) FROM word") == ["700"])
        #expect(try stage.changes().count == 700)
        let json = (701...1400).map { #"{"id": \#($0), "name": "tag \#($0)"}"# }
        try await stage.store.merge(Data("[\(json.joined(separator: ","))]".utf8), into: Tag.self)
        #expect(try stage.strings("SELECT COUNT(*) FROM word") == ["1400"])
        #expect(try stage.changes().count == 700)
    }

    @Test("After a save or a merge of many, each trigger fires again: of the outbox, and of delete rules")
    func afterwards() async throws {
        let stage = try OutboxStage(ShopSchema.self)
        let json = (1...700).map { #"{"id": \#($0), "title": "One", "body_text": "…", "comments": []}"# }
        try await stage.store.merge(Data("[\(json.joined(separator: ","))]".utf8), into: Article.self)
        #expect(try stage.changes() == [])
        try await stage.store.perform { context in
            for number in 701...1400 { Article(id: number, title: "Two", bodyText: "…", context: context) }
            try context.save()
        }
        #expect(try stage.changes().count == 700)
        try stage.run("INSERT INTO article (id, title, body_text) VALUES (2000, 'x', 'y')")
        try stage.run("UPDATE article SET title = 'Three' WHERE id = 1")
        #expect(try stage.changes().suffix(2) == ["create Article 2000", "update Article 1"])
        try stage.seed("INSERT INTO article_comment (id, name, text, article_id) VALUES (1, 'a', 'b', 2)")
        try stage.run("DELETE FROM article WHERE id = 2")
        #expect(try stage.strings("SELECT id FROM article_comment") == [])
        #expect(try stage.changes().suffix(2).contains("delete Article 2"))
    }

    @Test("A save of many that fails records nothing, and the triggers fire again")
    func failed() async throws {
        let stage = try OutboxStage(ShopSchema.self)
        try stage.seed("INSERT INTO tag VALUES (9000, 'tag 650')")
        try await stage.store.perform { context in
            for number in 1...700 { Tag(id: number, name: "tag \(number)", context: context) }
            #expect(throws: StoreError.self) { try context.save() }
            context.rollback()
        }
        #expect(try stage.changes() == [])
        try stage.run("INSERT INTO tag VALUES (1, 'red')")
        #expect(try stage.changes() == ["create Tag 1"])
    }

    @Test("They take the unique values of records that the same save deletes")
    func uniqueValues() async throws {
        let stage = try OutboxStage(ShopSchema.self)
        try await stage.store.perform { context in
            for number in 1...700 { Tag(id: number, name: "tag \(number)", context: context) }
            try context.save()
            for tag in try context.fetch(Tag.all()) where tag.id <= 600 { context.delete(tag) }
            for number in 701...1300 { Tag(id: number, name: "tag \(number - 700)", context: context) }
            try context.save()
        }
        #expect(try stage.changes() == (601...1300).map { "create Tag \($0)" })
    }
}
