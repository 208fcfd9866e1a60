import LockstepEvolution
import Testing

@testable import LockstepSchema

@Suite("The spelling of UUIDs that are made here")
struct UUIDSpellingTests {
    private let entities = """
          Entry:
            attributes: { id: uuid, token: uuid, remoteID: int? }
            relationships: { next: Entry? }
          Task:
            identity: { local: localID, remote: remoteID }
            attributes: { localID: uuid, remoteID: { type: uuid?, key: id } }
        """

    @Test("wire: { uuids: upper } is about identities that the device makes, and nothing else")
    func upper() throws {
        let schema = try resolved(entities, header: "wire: { uuids: upper }")
        #expect(try schema.entity("Entry").attribute("id").wire?.format == .uppercase)
        #expect(try schema.entity("Entry").attribute("token").wire?.format == .plain)
        #expect(try schema.entity("Task").attribute("remoteID").wire?.format == .plain)
        let again = try SchemaStructure(SchemaTree(schema.structure))
        #expect(again.entity("Entry")?.attribute("id")?.wire?.format == "uppercase")
    }

    @Test("Without it, and with lower, histories keep their hashes")
    func hash() throws {
        let without = try StructureHash(resolved(entities).structure)
        let lower = try StructureHash(resolved(entities, header: "wire: { uuids: lower }").structure)
        let upper = try StructureHash(resolved(entities, header: "wire: { uuids: upper }").structure)
        #expect(without == lower)
        #expect(upper.store == without.store && upper.wire != without.wire)
    }

    @Test("Any other word is an error")
    func wrong() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Journal
            wire: { uuids: uppercase }
            #              ^ not-allowed: 'uppercase' is not a value of 'uuids'
            entities:
              Entry: { attributes: { id: uuid } }
            """)
    }
}
