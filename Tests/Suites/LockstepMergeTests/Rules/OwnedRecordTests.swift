import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import Testing

@Suite("R6 Embedded without identity")
struct OwnedRecordTests {
    private static let person = "INSERT INTO person (country, number, name, created_at) VALUES ('CH', 1, 'A', 0);"
    private static let scraps = "SELECT text, page, everything_id FROM scrap ORDER BY everything_id, lockstep_id"

    private func everything(_ id: Int, _ rest: String) -> String {
        #"{"id": \#(id), "name": "E", "slug": "s\#(id)", "days": [], "owner_country": "CH", "owner_number": 1, \#(rest)}"#
    }

    @Test("R6 They belong to their owner and are replaced with it; merging the same again writes nothing")
    func replaced() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self, Self.person)
        let first = try await sink.merge(
            "[\(everything(1, #""scraps": [{"text": "a", "page": 1}, {"text": "b"}, {"text": "a", "page": 1}]"#))]",
            into: Everything.self)
        #expect(first[Scrap.self].inserted == 3)
        #expect(try sink.rows(Self.scraps) == ["a 1 1", "b - 1", "a 1 1"])
        try await sink.merge(
            #"[{"id": 1, "scraps": [{"text": "a", "page": 1}, {"text": "c"}]}]"#, into: Everything.self)
        #expect(try sink.rows(Self.scraps) == ["a 1 1", "c - 1"])
    }

    @Test("R6 Another order is another list; a missing key keeps it, [] and null empty it")
    func order() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self, Self.person)
        try await sink.merge(
            "[\(everything(1, #""scraps": [{"text": "a"}, {"text": "b"}]"#))]", into: Everything.self)
        try await sink.merge(#"[{"id": 1, "scraps": [{"text": "b"}, {"text": "a"}]}]"#, into: Everything.self)
        #expect(try sink.rows(Self.scraps) == ["b - 1", "a - 1"])
        try await sink.merge(#"[{"id": 1}]"#, into: Everything.self)
        #expect(try sink.rows(Self.scraps) == ["b - 1", "a - 1"])
        try await sink.merge(#"[{"id": 1, "scraps": null}]"#, into: Everything.self)
        #expect(try sink.rows(Self.scraps) == [])
        try await sink.merge(#"[{"id": 1, "scraps": [{"text": "c"}]}]"#, into: Everything.self)
        try await sink.merge(#"[{"id": 1, "scraps": []}]"#, into: Everything.self)
        #expect(try sink.rows(Self.scraps) == [])
    }

    @Test("R6 A missing value is the default, not the value of the previous record")
    func leftOut() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self, Self.person)
        try await sink.merge(
            "[\(everything(1, #""scraps": [{"text": "a", "page": 3}]"#))]", into: Everything.self)
        try await sink.merge(#"[{"id": 1, "scraps": [{"text": "a"}]}]"#, into: Everything.self)
        #expect(try sink.rows(Self.scraps) == ["a - 1"])
    }

    @Test(
        "R6 M12 An invalid record is skipped; the others are the list",
        arguments: [
            (#"{"page": 2}"#, "scraps[1].text"), (#"{"text": null}"#, "scraps[1].text"),
            (#"{"text": "x", "page": 0}"#, "scraps[1].page"),
            (#"{"text": "x", "page": "y"}"#, "scraps[1].page"), ("7", "scraps[1]"), ("null", "scraps[1]"),
        ])
    func invalid(scrap: String, path: String) async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self, Self.person)
        let summary = try await sink.merge(
            "[\(everything(1, #""scraps": [{"text": "a"}, \#(scrap), {"text": "b"}]"#))]", into: Everything.self)
        #expect(summary.skipped.map(\.keyPath) == [path])
        #expect(try sink.rows(Self.scraps) == ["a - 1", "b - 1"])
        #expect(summary[Everything.self].inserted == 1)
    }

    @Test("R6 Each owner has its own records, even if the owners are nested")
    func owners() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self, Self.person)
        try await sink.merge(
            """
            [\(everything(1, #""scraps": [{"text": "a"}]"#)), \(everything(2, #""scraps": [{"text": "b"}]"#)),
             \(everything(3, #""name": "E""#))]
            """, into: Everything.self)
        try await sink.merge(#"[{"id": 2, "scraps": []}, {"id": 3, "scraps": [{"text": "c"}]}]"#, into: Everything.self)
        #expect(try sink.rows(Self.scraps) == ["a - 1", "c - 3"])
    }

    @Test("R6 With a list, a link and a date: merging the same again changes nothing")
    func withMembers() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        let json = """
            [{"id": 1, "title": "a", "repairs": [
              {"text": "glued", "parts": ["foot", "b\\u0061se"], "maker": {"id": 3, "name": "M"}},
              {"text": "washed", "maker_id": 4}, {"text": "dusted", "recorded_at": "2024-01-01T00:00:00Z"}]}]
            """
        let first = try await museum.merge(json, into: Exhibit.self)
        #expect(first.description == "Exhibit: 1 inserted\nMaker: 1 inserted\nRepair: 3 inserted")
        #expect(
            try museum.rows("SELECT text, parts, maker_id, exhibit_id FROM repair ORDER BY lockstep_id")
                == [#"glued ["foot","base"] 3 1"#, "washed [] 4 1", "dusted [] - 1"])
        try await museum.merge(
            #"[{"id": 1, "repairs": [{"text": "glued", "parts": ["foot"], "maker_id": 4}]}]"#, into: Exhibit.self)
        #expect(try museum.rows("SELECT text, parts, maker_id FROM repair") == [#"glued ["foot"] 4"#])
    }

    @Test("R6 A to-one without identity: new, changed, unchanged, null")
    func one() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        let plaques = "SELECT text, lines, exhibit_id FROM plaque"
        try await museum.merge(#"[{"id": 1, "title": "a", "plaque": {"text": "Do not touch"}}]"#, into: Exhibit.self)
        #expect(try museum.rows(plaques) == ["Do not touch 1 1"])
        let other = try await museum.merge(
            #"[{"id": 1, "plaque": {"text": "Please touch", "lines": 2}}]"#, into: Exhibit.self)
        #expect(other[Plaque.self].hasChanges)
        #expect(try museum.rows(plaques) == ["Please touch 2 1"])
        try await museum.merge(#"[{"id": 1}]"#, into: Exhibit.self)
        let skipped = try await museum.merge(#"[{"id": 1, "plaque": {"lines": 2}}]"#, into: Exhibit.self)
        #expect(skipped.skipped.map(\.keyPath) == ["plaque.text"])
        #expect(try museum.rows(plaques) == ["Please touch 2 1"])
        try await museum.merge(#"[{"id": 1, "plaque": null}]"#, into: Exhibit.self)
        #expect(try museum.rows(plaques) == [])
    }

    @Test("R6 M3 If an owner is repeated, only its last list counts")
    func ownerTwice() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            """
            [{"id": 1, "title": "a", "repairs": [{"text": "x"}], "plaque": {"text": "p"}},
             {"id": 1, "repairs": [{"text": "y"}, {"text": "z"}]}]
            """, into: Exhibit.self)
        #expect(try museum.rows("SELECT text FROM repair ORDER BY lockstep_id") == ["y", "z"])
        #expect(try museum.rows("SELECT text FROM plaque") == ["p"])
    }

    @Test("R6 At the top level of a payload they are rejected, because they cannot be told apart")
    func atTheTop() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self)
        let error = await #expect(throws: MergeError.self) {
            try await sink.mergeOnce(#"[{"text": "a"}]"#, into: Scrap.self)
        }
        #expect(error?.code == .noIdentity && error?.entity == "Scrap")
        #expect(try sink.rows("SELECT * FROM scrap") == [])
    }

    @Test("R6 M9 If nested writes are off, they are unchanged")
    func switches() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(#"[{"id": 1, "title": "a", "repairs": [{"text": "x"}]}]"#, into: Exhibit.self) {
            $0.nested = []
        }
        #expect(try museum.rows("SELECT text FROM repair") == [])
        try await museum.merge(#"[{"id": 1, "title": "a", "repairs": [{"text": "x"}]}]"#, into: Exhibit.self) {
            $0.nested = [.insert]
        }
        #expect(try museum.rows("SELECT text FROM repair") == ["x"])
        try await museum.merge(#"[{"id": 1, "title": "b", "repairs": [{"text": "y"}]}]"#, into: Exhibit.self) {
            $0.nested = [.insert]
        }
        #expect(try museum.rows("SELECT text FROM repair") == ["x"])
        try await museum.merge(#"[{"id": 1, "title": "b", "repairs": []}]"#, into: Exhibit.self) {
            $0.nested = [.insert, .update]
        }
        #expect(try museum.rows("SELECT text FROM repair") == ["x"])
        try await museum.merge(#"[{"id": 1, "title": "b", "repairs": [{"text": "y"}]}]"#, into: Exhibit.self) {
            $0.nested = [.insert, .update]
        }
        #expect(try museum.rows("SELECT text FROM repair") == ["y"])
        try await museum.merge(#"[{"id": 1, "title": "b", "repairs": []}]"#, into: Exhibit.self)
        #expect(try museum.rows("SELECT text FROM repair") == [])
    }
}
