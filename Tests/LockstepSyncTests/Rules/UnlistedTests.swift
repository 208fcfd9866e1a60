import GRDB
import LockstepStore
import LockstepSync
import Social
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
