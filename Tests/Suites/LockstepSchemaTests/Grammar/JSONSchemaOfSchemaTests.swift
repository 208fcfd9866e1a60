import Foundation
import TestSupport
import Testing

@testable import LockstepSchema

@Suite("The JSON Schema of one schema")
struct JSONSchemaOfSchemaTests {
    private static let shop = """
        lockstep: 1
        schema: Shop
        enums:
          Size: [small, large]
          State: { type: int, cases: { draft: 0, live: 10 } }
        types:
          Money: { stored: decimal, module: Values }
        entities:
          Dated:
            abstract: true
            attributes: { createdAt: date }
          Product:
            extends: Dated
            identity: [id]
            version: lock
            indexes: [[size, createdAt], { on: [state] }]
            attributes:
              id: int
              lock: { type: int?, default: null }
              isNew: { type: bool, default: true }
              count: { type: int16, default: 7 }
              ratio: { type: double?, default: 0.5 }
              seenAt: { type: date, default: now }
              size: { type: Size?, default: small }
              sizes: { type: [Size], default: [small] }
              state: State
              price: Money?
              words: "[string]?"
            relationships:
              reviews: { to: [Review], inverse: product, sortedBy: [-writtenAt, id] }
          Review:
            identity: { local: key, remote: id }
            attributes: { key: uuid, id: int?, writtenAt: date }
            indexes: [[product, writtenAt]]
            relationships: { product: { to: Product?, inverse: reviews } }

        """

    private func problems(of text: String, by schema: String = shop) throws -> [String] {
        let validator = try JSONSchemaValidator(try #require(Grammar.jsonSchema(for: SchemaSource(schema)).text))
        return validator.problems(of: try #require(expectParsing(text)))
    }

    @Test("It accepts the schema")
    func accepts() throws {
        #expect(try problems(of: Self.shop) == [])
    }

    @Test(
        "It rejects names that the schema does not declare",
        arguments: [
            ("state: State", "state: Stat"), ("price: Money?", "price: Mony?"), ("id: int?", "id: integer"),
            ("words: \"[string]?\"", "words: \"[strin]?\""), ("{ type: [Size],", "{ type: [Sise],"),
            ("to: [Review]", "to: [Reviews]"), ("to: Product?", "to: Dated"), ("to: [Review]", "to: \"[Review]?\""),
            ("inverse: product", "inverse: products"), ("extends: Dated", "extends: Product"),
            ("default: small }", "default: medium }"), ("default: [small] }", "default: [small, huge] }"),
            ("default: [small] }", "default: small }"), ("identity: [id]", "identity: [ident]"),
            ("identity: [id]", "identity: ident"), ("local: key", "local: kee"), ("remote: id", "remote: it"),
            ("version: lock", "version: look"), ("[[size, createdAt]", "[[size, made]"), ("on: [state]", "on: [stat]"),
            ("[-writtenAt, id]", "[-written, id]"), ("[-writtenAt, id]", "+id"), ("default: true", "default: zz"),
            ("default: true", "default: \"true\""), ("default: 7", "default: 7.5"), ("default: 7", "default: seven"),
            ("default: 0.5", "default: half"), ("default: now", "default: soon"), ("default: now", "default: 7"),
        ])
    func rejects(_ written: String, _ wrong: String) throws {
        #expect(Self.shop.contains(written))
        #expect(try !problems(of: Self.shop.replacing(written, with: wrong)).isEmpty)
    }

    private static let lists = """
        lockstep: 1
        schema: Tasks
        server: { user: sub, access: schema }
        entities:
          List:
            scope: self
            access: { read: owner, write: [owner, members.user] }
            attributes: { id: uuid, owner: uuid }
            relationships: { members: { to: [Member], inverse: list } }
          Member:
            scope: list
            access: { write: list.owner }
            attributes: { id: uuid, user: uuid }
            relationships: { list: { to: List, inverse: members } }

        """

    @Test("It accepts scopes and access")
    func scopes() throws {
        #expect(try problems(of: Self.lists, by: Self.lists) == [])
        #expect(try problems(of: Self.lists.replacing("scope: self", with: "scope: public"), by: Self.lists) == [])
    }

    @Test(
        "It rejects scopes that are no members, and what is no path",
        arguments: [
            ("scope: self", "scope: slef"), ("scope: list", "scope: lists"), ("list.owner", "list."),
            ("list.owner", "[]"), ("[owner,", "[owner..id,"), ("read: owner", "reed: owner"),
            ("access: schema", "access: everyone"),
        ])
    func rejectsScopes(_ written: String, _ wrong: String) throws {
        #expect(Self.lists.contains(written))
        #expect(try !problems(of: Self.lists.replacing(written, with: wrong), by: Self.lists).isEmpty)
    }

    @Test("A schema with errors has one, so that the editor can help to correct them")
    func withErrors() throws {
        let wrong = Self.shop.replacing("state: State", with: "state: Stat")
        let reading = Grammar.jsonSchema(for: SchemaSource(wrong))
        #expect(reading.text == Grammar.jsonSchema(for: SchemaSource(Self.shop)).text)
        let unreadable = Grammar.jsonSchema(for: SchemaSource("lockstep: 1\nentities: 7\n"))
        #expect(unreadable.text == nil)
        #expect(!unreadable.diagnostics.isEmpty)
    }

    static let paths = [
        "Schemas", "Tests/Samples/RandomSchemas", "Tests/Samples/StoreSamples", "Tests/Samples/LinkSamples",
    ].flatMap { folder in
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: Documentation.root.appendingPathComponent(folder).path)
        return (names ?? []).filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" }
    }

    @Test("Every schema of the repository is valid by its own and by the general one", arguments: paths)
    func repository(_ path: String) throws {
        let text = try Documentation.text(of: path)
        #expect(try problems(of: text, by: text) == [])
        #expect(try JSONSchemaValidator(Grammar.jsonSchema()).problems(of: try #require(expectParsing(text))) == [])
    }

    @Test("The general one completes the types of the language, and checks the form of others")
    func general() throws {
        let validator = try JSONSchemaValidator(Grammar.jsonSchema())
        let typed = { (type: String) in
            "lockstep: 1\nschema: S\nentities: { E: { attributes: { a: { type: \(type) } } } }\n"
        }
        for type in ["string", "\"string?\"", "[Mood]", "\"[Mood]?\""] {
            #expect(validator.problems(of: try #require(expectParsing(typed(type)))).isEmpty, "\(type)")
        }
        for type in ["\"string??\"", "\"[string\"", "\"[string?]\"", "[\"string?\"]", "\"?\""] {
            #expect(!validator.problems(of: try #require(expectParsing(typed(type)))).isEmpty, "\(type)")
        }
        #expect(Grammar.jsonSchema().contains("\"[decimal]?\""))
    }
}
