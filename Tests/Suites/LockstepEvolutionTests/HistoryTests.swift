import LockstepEvolution
import LockstepJSON
import Testing

@Suite("A history")
struct HistoryTests {
    private static func journal() -> SchemaTree {
        let entry = EntityStructure(
            name: "Entry", table: "entry", identity: .attributes(["identifier"]),
            attributes: [
                AttributeStructure(
                    name: "identifier", column: "identifier", type: .scalar(.uuid), defaultValue: .newUUID,
                    wire: WireStructure(path: ["identifier"])),
                AttributeStructure(
                    name: "bodyText", column: "body_text", type: .scalar(.string), isOptional: true,
                    wire: WireStructure(path: ["bodyText"])),
            ], remote: RemoteStructure(path: "/entries", writes: [.create, .update, .delete]))
        return SchemaTree(SchemaStructure(name: "Journal", entities: [entry]))
    }

    private static func renamed() throws -> SchemaHistory {
        var history = SchemaHistory(beginningWith: journal(), version: 1, isReleased: true)
        var next = journal()
        let change = SchemaChange(MemberPath("Entry", member: "bodyText"), action: .rename(to: "text"))
        try next.apply(change)
        history.versions.append(
            SchemaHistory.Version(number: 2, name: "text", hash: StructureHash(next), changes: [change]))
        return history
    }

    @Test("A history is the same after it was written and read")
    func roundTrip() throws {
        let history = try Self.renamed()
        let read = try SchemaHistory(json: JSONValue(json: history.json.json()))
        #expect(read == history)
        #expect(try read.verified() == (try read.structure(at: 2)))
        #expect(try read.structure(at: 1) == Self.journal())
    }

    @Test("A changed line is found by the hash of its version")
    func edited() throws {
        var history = try Self.renamed()
        history.versions[1].changes = [
            SchemaChange(MemberPath("Entry", member: "bodyText"), action: .rename(to: "words"))
        ]
        #expect(throws: StructureError.self) { try history.verified() }
    }
}
