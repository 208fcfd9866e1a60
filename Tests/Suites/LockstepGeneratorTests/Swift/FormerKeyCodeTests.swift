import LockstepGenerator
import LockstepSchema
import Testing

@Suite("Former keys in generated code")
struct FormerKeyCodeTests {
    @Test("They are printed only if there are any")
    func printed() throws {
        let text = """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: int
                  title: string
                  text: { type: string?, formerKeys: [bodyText] }
                  at: { type: date, wire: secondsSince1970, formerKeys: [time, [meta, at]] }

            """
        let schema = try #require(
            readSchemas([SchemaSource(path: "Schemas/Journal.yaml", bytes: Array(text.utf8))]).schemas.first)
        let code = generate(schema, options: GenerationOptions()).map { String(decoding: $0.contents, as: UTF8.self) }
            .joined()
        #expect(code.contains(#""text":{"formerKeys":["bodyText"],"type":"string?"}"#))
        #expect(
            code.contains(
                #""at":{"formerKeys":["time",["meta","at"]],"type":"date","wire":"secondsSince1970"}"#))
        #expect(code.contains(#""title":{"type":"string"}"#))
    }
}
