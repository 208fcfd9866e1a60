import Foundation
import LinkSamples
import LockstepStore
import LockstepSync
import RuntimeTestSupport
import Testing

@Suite("Former keys")
struct FormerKeyTests {
    /// A guard's JSON, and its name and date.
    private static let guards: [(json: String, row: String)] = [
        (#"{"id": "a", "name": "A", "full_name": "B", "person": {"name": "C"}}"#, "A -"),
        (#"{"person": {"name": "C"}, "full_name": "B", "id": "a", "name": "A"}"#, "A -"),
        (#"{"person": {"name": "C"}, "full_name": "B", "id": "a"}"#, "B -"),
        (#"{"id": "a", "person": {"name": "C", "age": 40}}"#, "C -"),
        (#"{"id": "a", "fullName": "B", "since": "1970-01-02"}"#, "B 86400.0"),
        (#"{"id": "a", "name": "A", "since": "1970-01-02", "hired_at": "1970-01-03"}"#, "A 172800.0"),
        (#"{"id": "a", "name": "A", "since": "1970-01-02", "hired_at": null}"#, "A -"),
        (#"{"id": "a", "name": "A", "hired_at": null, "since": "1970-01-02"}"#, "A -"),
    ]

    @Test("N8 V12 The key counts if it is present; otherwise, the first of the former ones that is", arguments: guards)
    func reading(json: String, row: String) async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        let summary = try await museum.merge("[\(json)]", into: Guard.self)
        #expect(summary.description == "Guard: 1 inserted")
        #expect(try museum.rows("SELECT name, hired_at FROM guard") == [row])
    }

    @Test("N8 Representations from a decoder are the same", arguments: guards)
    func decoding(json: String, row: String) async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        let read = try JSONDecoder().decode(GuardRepresentation.self, from: Data(json.utf8))
        try await museum.store.merge([read])
        #expect(try museum.rows("SELECT name, hired_at FROM guard") == [row])
    }

    @Test("N8 An invalid value under a former key is reported under that key")
    func invalid() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        let summary = try await museum.mergeOnce(#"[{"id": "a", "person": {"name": []}}]"#, into: Guard.self)
        #expect(summary.skippedTexts == ["0 person.name: is not a string"])
    }

    @Test("N8 null under a former key clears an optional value, and all keys missing keeps it")
    func null() async throws {
        let museum = try RuleFixture(
            MuseumSchema.self, "INSERT INTO guard (id, name, hired_at) VALUES ('a', 'A', 0), ('b', 'B', 0)")
        try await museum.merge(#"[{"id": "a", "since": null}, {"id": "b", "full_name": "C"}]"#, into: Guard.self)
        #expect(try museum.rows("SELECT name, hired_at FROM guard ORDER BY id") == ["A -", "C 0.0"])
    }

    @Test("N8 Former keys are read in embedded records, each from its own object")
    func embedded() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            #"[{"cameras": [{"id": 1, "kind": "A"}, {"kind": "C", "id": 2, "model": "B"}], "id": 1, "name": "Hall"}]"#,
            into: Room.self)
        #expect(try museum.rows("SELECT model, room_id FROM camera ORDER BY id") == ["A 1", "B 1"])
    }

    @Test("N8 Only the key is sent")
    func sending() throws {
        let json = #"{"id": "a", "full_name": "B", "since": "1970-01-02"}"#
        let read = try JSONDecoder().decode(GuardRepresentation.self, from: Data(json.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let sent = String(decoding: try encoder.encode(read), as: UTF8.self)
        #expect(sent.contains(#""name":"B""#) && sent.contains(#""hired_at":"1970-01-02""#))
        #expect(!sent.contains("full_name") && !sent.contains("since") && !sent.contains("person"))
    }
}
