import Foundation
import GRDB
import LockstepStore
import LockstepSync
import ServerSamples
import Testing

/// `unlisted:` decides about embedded records that the server no longer lists, and the delete rule does not.
@Suite("R4 R5 Unlisted records")
struct UnlistedTests {
    private static let person = """
        [{"id": 1, "name": "A", "albums": [{"id": 1, "title": "x"}, {"id": 2, "title": "y"}],
          "letters": [{"id": 1, "text": "x"}, {"id": 2, "text": "y"}], "portrait": {"id": 1, "url": "x"},
          "badge": {"id": 1, "label": "x"}, "pass": {"id": 1, "label": "x"}}]
        """

    @Test("R5 `unlisted: delete` deletes a record without a cascade, and `unlisted: unlink` unlinks it despite one")
    func lists() async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.person, into: Person.self)
        let next = #"[{"id": 1, "albums": [{"id": 2}], "letters": [{"id": 2}]}]"#
        let summary = try await social.merge(next, into: Person.self)
        #expect(summary[Album.self].deleted == 1)
        #expect(summary[Letter.self].updated == 1 && summary[Letter.self].deleted == 0)
        #expect(try await social.rows("SELECT id, owner_id FROM album") == ["2 1"])
        #expect(try await social.rows("SELECT id, writer_id FROM letter ORDER BY id") == ["1 NULL", "2 1"])
        #expect(try await social.merge(next, into: Person.self).hasChanges == false)
    }

    @Test("R5 A record that another owner lists is not deleted, in both orders", arguments: [true, false])
    func moved(isFirst: Bool) async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.person, into: Person.self)
        let former = #"{"id": 1, "albums": []}"#
        let owner = #"{"id": 2, "name": "B", "albums": [{"id": 1}]}"#
        let summary = try await social.merge(
            "[\((isFirst ? [former, owner] : [owner, former]).joined(separator: ", "))]", into: Person.self)
        #expect(summary[Album.self].deleted == 1)
        #expect(try await social.rows("SELECT id, owner_id FROM album") == ["1 2"])
    }

    @Test("R4 The same for one record, whichever end holds the key, replaced or null", arguments: ["null", "other"])
    func one(replacement: String) async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.person, into: Person.self)
        func value(_ other: String) -> String { replacement == "null" ? "null" : other }
        try await social.merge(
            """
            [{"id": 1, "portrait": \(value(#"{"id": 2, "url": "y"}"#)), "badge": \(value(#"{"id": 2, "label": "y"}"#)),
              "pass": \(value(#"{"id": 2, "label": "y"}"#))}]
            """, into: Person.self)
        let isNull = replacement == "null"
        #expect(try await social.rows("SELECT id, person_id FROM portrait") == (isNull ? [] : ["2 1"]))
        #expect(try await social.rows("SELECT id FROM badge") == (isNull ? [] : ["2"]))
        #expect(
            try await social.rows("SELECT id, bearer_id FROM pass ORDER BY id")
                == (isNull ? ["1 NULL"] : ["1 NULL", "2 1"]))
    }

    @Test("R4 A record that is replaced and was never received is not counted as deleted")
    func neverReceived() async throws {
        let social = try TwoRoads(SocialSchema.self)
        let skipped = try await social.merge(#"[{"id": 1, "name": "A", "badge": {"id": 1}}]"#, into: Person.self)
        #expect(skipped.skipped.count == 1)
        let summary = try await social.merge(#"[{"id": 1, "badge": {"id": 2, "label": "y"}}]"#, into: Person.self)
        #expect(summary[Badge.self].inserted == 1 && summary[Badge.self].deleted == 0)
    }

    @Test(
        "M16 A new record whose required owner only a later top-level record states is skipped, whatever the batches",
        arguments: [1, .max])
    func requiredOwner(batchRecordLimit: Int) async throws {
        let social = try RuleFixture(SocialSchema.self)
        let first = #"{"id": 1, "name": "A", "cover": {"id": 7, "text": "x"}}"#
        let second = """
            {"id": 2, "name": "B", "albums": [{"id": 1, "title": "t", "pages": [{"id": 7, "text": "x"}]}]}
            """
        let summary = try await social.mergeOnce("[\(first), \(second)]", into: Person.self) {
            $0.batchRecordLimit = batchRecordLimit
        }
        #expect(summary.skipped.map(\.keyPath) == ["cover.album"])
        #expect(try social.rows("SELECT id, album_id FROM page") == ["7 1"])
        #expect(try social.rows("SELECT id, cover_id FROM person ORDER BY id") == ["1 7", "2 -"])
    }

    @Test("R8 A list and a to-one that embed each other's records end where the circle closes, in both forms of JSON")
    func circle() async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(
            #"[{"id": 1, "title": "t", "pages": [{"id": 7, "text": "x", "supplement": {"id": 1}}]}]"#, into: Album.self)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let album = try await social.typed.perform { try encoder.encode(Album.find(1, in: $0)?.representation) }
        let page = try await social.typed.perform { try encoder.encode(Page.find(7, in: $0)?.representation) }
        #expect(
            String(decoding: album, as: UTF8.self) == """
                {"id":1,"owner_id":null,"pages":[{"id":7,"supplement":null,"text":"x"}],"title":"t"}
                """)
        #expect(
            String(decoding: page, as: UTF8.self) == """
                {"id":7,"supplement":{"id":1,"owner_id":null,"pages":[],"title":"t"},"text":"x"}
                """)
    }

    @Test("A deleted owner follows the delete rule, not `unlisted`")
    func deletedOwner() async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.person, into: Person.self)
        try await social.typed.perform { context in
            for person in try context.fetch(Person.all()) { context.delete(person) }
            try context.save()
        }
        #expect(try await social.rows("SELECT id, owner_id FROM album ORDER BY id") == ["1 NULL", "2 NULL"])
        #expect(try await social.rows("SELECT id FROM letter").isEmpty)
    }
}
