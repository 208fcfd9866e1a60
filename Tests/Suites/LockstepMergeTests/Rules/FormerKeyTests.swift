import Foundation
import LinkSamples
import LockstepStore
import LockstepSync
import RuntimeTestSupport
import TestSupport
import Testing

@Suite("Former keys")
struct FormerKeyTests {
    @Test(
        """
        N8 V12 The key counts if it is present; otherwise, the first of the former ones that is, from bytes and from a \
        decoder
        """,
        arguments: Seeds.some(12, of: UInt64(0)...499))
    func reading(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let names = [
            (random.element(of: ["name", "Name"]), "A"), (random.element(of: ["full_name", "fullName"]), "B"),
        ]
        let person = random.element(of: [#""person": {"name": "C"}"#, #""person": {"age": 40, "name": "C"}"#])
        var members = names.map { #""\#($0.0)": "\#($0.1)""# } + [person]
        let count = Int.random(in: 0..<members.count, using: &random)
        // Which of them are there, in the order of the schema.
        let there = members.indices.filter { $0 == count || random.isOne(in: 2) }
        members = there.map { members[$0] }
        let days = [("hired_at", random.element(of: ["\"1970-01-03\"", "null"])), ("since", "\"1970-01-02\"")]
            .filter { _ in random.isOne(in: 2) }
        members += days.map { #""\#($0.0)": \#($0.1)"# } + [#""id": "a""#]
        let json = "{\(members.shuffled(using: &random).joined(separator: ", "))}"
        let hired = days.first.map { $0.1 == "null" ? "-" : $0.0 == "since" ? "86400.0" : "172800.0" } ?? "-"
        let row = "\(["A", "B", "C"][there[0]]) \(hired)"

        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge("[\(json)]", into: Guard.self)
        #expect(try museum.rows("SELECT name, hired_at FROM guard") == [row], "\(json)")
        let other = try RuleFixture(MuseumSchema.self)
        try await other.store.merge([JSONDecoder().decode(GuardRepresentation.self, from: Data(json.utf8))])
        #expect(try other.rows("SELECT name, hired_at FROM guard") == [row], "\(json)")
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
