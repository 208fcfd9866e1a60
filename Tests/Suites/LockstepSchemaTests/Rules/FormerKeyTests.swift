import LockstepEvolution
import Testing

@testable import LockstepSchema

@Suite("Former keys, and the oldest version")
struct FormerKeyTests {
    @Test("A former key is a key or a path, and part of what is sent")
    func paths() throws {
        let schema = try resolved(
            """
              Entry:
                attributes: { id: uuid, text: { type: string?, formerKeys: [bodyText, [body, text]] } }
            """, header: "version: 3\noldest: 2\nwire: { compatible: full }")
        #expect(try schema.entity("Entry").attribute("text").wire?.formerPaths == [["bodyText"], ["body", "text"]])
        #expect(
            schema.structure.entity("Entry")?.attribute("text")?.wire?.formerPaths == [["bodyText"], ["body", "text"]])
        #expect(schema.oldest == 2 && schema.compatibility == .full)
        let again = try SchemaStructure(SchemaTree(schema.structure))
        #expect(again.entity("Entry")?.attribute("text")?.wire?.formerPaths == [["bodyText"], ["body", "text"]])
    }

    @Test("Adding a former key changes what is sent, not what is stored")
    func hash() throws {
        let with = try resolved("  Entry: { attributes: { id: uuid, text: { type: string?, formerKeys: [body] } } }")
        let without = try resolved("  Entry: { attributes: { id: uuid, text: string? } }")
        #expect(StructureHash(with.structure).store == StructureHash(without.structure).store)
        #expect(StructureHash(with.structure).wire != StructureHash(without.structure).wire)
    }

    @Test("A former key belongs to nothing else")
    func clash() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: int
                  title: { type: string, formerKeys: [title] }
            #                                         ^ former-key-clash: is the key of 'title' already
                  text: { type: string?, formerKeys: [body, summary] }
            #                                               ^ former-key-clash: is used for attribute 'summary'
                  summary: { type: string?, formerKeys: [body] }
            #                                            ^ former-key-clash: is used for attribute 'text'
                  image: { type: url?, key: [picture, url], formerKeys: [picture] }
            #                                                            ^ former-key-clash: lead through each other
                  secret: { type: string?, wire: none, formerKeys: [hidden] }
            #                                                      ^ option-does-not-fit: is not sent
                relationships:
                  tag: { to: Entry?, key: label }
                  other: Entry?
            """)
    }

    @Test("The oldest version is at most the current one")
    func oldest() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Journal
            oldest: 2
            #       ^ oldest-above-version: 2, but the schema's version is 1
            entities:
              Entry:
                attributes: { id: int }
            """)
    }
}
