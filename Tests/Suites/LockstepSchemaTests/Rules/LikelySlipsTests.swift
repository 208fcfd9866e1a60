import Testing

@testable import LockstepSchema

@Suite("Likely mistakes")
struct LikelySlipsTests {
    @Test("a to-many and a to-one back without an inverse are two relationships, with a warning")
    func missingInverse() {
        let text = """
            lockstep: 1
            schema: Shop
            entities:
              A:
                attributes: { id: int }
                relationships: { items: [I] }
            #                    ^ missing-inverse: 'A.items' and 'I.a' are two relationships
              I:
                attributes: { id: int }
                relationships: { a: A? }
            #                    ^ note: 'a' is declared here
            """
        expectDiagnostics(text)
        let reading = readSchemas([SchemaSource(text)])
        #expect(reading.diagnostics.map(\.severity) == [.warning])
        #expect(reading.schemas.count == 1)
    }

    @Test("a composite identity is not sent in a list of ids")
    func compositeIDs() throws {
        let text = """
            lockstep: 1
            schema: Shop
            entities:
              A:
                attributes: { id: int }
                relationships:
                  lines: { to: [Line], inverse: owners }
                  others: { to: [Line], inverse: holders, wire: ids }
            #                                                   ^ relationship-option: has 2 attributes
              Line:
                identity: [order, line]
                attributes: { order: int, line: int }
                relationships:
                  owners: { to: [A], inverse: lines }
                  holders: { to: [A], inverse: others }
            """
        expectDiagnostics(text)
        let corrected = text.replacing(", wire: ids", with: "")
        let schema = try #require(readSchemas([SchemaSource(corrected)]).schemas.first)
        #expect(schema.entities[0].relationships.map(\.wire) == [.none, .none])
    }

    @Test("an identity is not deprecated")
    func deprecatedIdentity() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              A:
                attributes: { id: { type: int, deprecated: Use code. }, code: string }
            #                 ^ option-does-not-fit: 'id' is the identity of 'A'
            """)
    }
}
