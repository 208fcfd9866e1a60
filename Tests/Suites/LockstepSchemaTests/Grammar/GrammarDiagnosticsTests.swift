import Testing

@testable import LockstepSchema

@Suite("Unknown syntax is reported with its position and a remedy")
struct GrammarDiagnosticsTests {
    private func remedies(_ text: String) -> [String] {
        var diagnostics: [Diagnostic] = []
        _ = readDeclaration(SchemaSource(text), diagnostics: &diagnostics)
        return diagnostics.map(\.remedy)
    }

    @Test("Unknown keys of every section, all in one run")
    func unknownKeys() {
        expectReading(
            """
            lockstep: 1
            schema: Shop
            colour: red
            #< unknown-key: 'colour' in a schema
            wire: { name: snake_case }
            #       ^ unknown-key: 'name' in 'wire'
            enums:
              Size: { cases: { small: { valu: S } }, close: true }
              #                         ^ unknown-key: 'valu' in a case
              #                                      ^ unknown-key: 'close' in an enum
            types:
              Money: { stored: decimal, modul: M }
              #                         ^ unknown-key: 'modul' in a type
            entities:
              Product:
                tabel: products
            #   ^ unknown-key: 'tabel' in an entity
                identity: { local: a, remote: b, remot: c }
                #                                ^ unknown-key: in an identity
                attributes:
                  name: { type: string, uniqe: true }
                  #                     ^ unknown-key: 'uniqe' in an attribute
                relationships:
                  tags: { to: [Tag], invers: products }
                  #                  ^ unknown-key: 'invers' in a relationship
                indexes:
                  - { on: [a], uniq: true }
                  #            ^ unknown-key: 'uniq' in an index
                remote: { paht: /x }
                #         ^ unknown-key: 'paht' in 'remote'
            """)
    }

    @Test("A similar key is suggested, and so is a common synonym")
    func suggestions() {
        func remedy(_ attribute: String) -> [String] {
            remedies("lockstep: 1\nschema: S\nentities: { E: { attributes: { a: { type: int, \(attribute): 1 } } } }")
        }
        #expect(remedy("maxx").first == "Did you mean 'max'?")
        #expect(remedy("Default").first == "Did you mean 'default'?")
        #expect(remedy("minimum").first == "Did you mean 'min'?")
        #expect(remedy("colour").first?.hasPrefix("Remove it, or use 'type', 'optional', ") == true)
    }

    @Test("A misspelled required key is one mistake, not two, and its value is read")
    func misspeltRequiredKey() throws {
        let schema = expectReading(
            """
            lockstep: 1
            schema: Shop
            entites:
            #< unknown-key
              Product:
                attributes:
                  name: { typ: string? }
                  #       ^ unknown-key
            """)
        #expect(try #require(schema?.entities.first?.attributes.first).isOptional)
    }

    @Test("Missing keys are reported at the name of the declaration")
    func missingKeys() {
        expectReading(
            """
            version: 2
            #< missing-key: 'lockstep'
            #< missing-key: 'schema'
            #< missing-key: 'entities'
            types:
              Money: {}
            # ^ missing-key: 'stored' is missing in a type
            """)
        expectReading(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                identity: { local: a }
                #         ^ missing-key: 'remote' is missing in an identity
                attributes:
                  price: { default: 0 }
                # ^ missing-key: 'type' is missing in an attribute
                relationships:
                  tags: { inverse: products }
                # ^ missing-key: 'to' is missing in a relationship
                indexes:
                  - { unique: true }
                #   ^ missing-key: 'on' is missing in an index
            """)
    }

    @Test("Values of the wrong kind, all in one run")
    func wrongKinds() {
        expectReading(
            """
            lockstep: one
            #         ^ wrong-kind: 'lockstep' must be a whole number, not the text 'one'
            schema: [Shop]
            #       ^ wrong-kind: 'schema' must be a name, not a list
            version: "1"
            #        ^ wrong-kind: not the quoted text '1'
            doc: true
            #    ^ wrong-kind: 'doc' must be text, not 'true'
            access: {}
            #       ^ wrong-kind: a mapping
            wire: snake_case
            #     ^ wrong-kind: 'wire'
            enums:
              Size: small
              #     ^ wrong-kind: The enum 'Size'
              Mood: []
              #     ^ wrong-kind: an empty list
            types: [Money]
            #      ^ wrong-kind: 'types' must be a mapping of type names, not a list
            entities:
              Product:
                attributes: [id, name]
                #           ^ wrong-kind: 'attributes' must be a mapping of attribute names, not a list
                abstract: yes
                #         ^ wrong-kind: 'true' or 'false', not the text 'yes'
                remote: always
                #       ^ wrong-kind: 'remote'
                indexes: [name, size]
                #         ^ wrong-kind: not the text 'name'
                #               ^ wrong-kind: not the text 'size'
              Tag: string
              #    ^ wrong-kind: The entity 'Tag' must be a mapping, not the text 'string'
            """)
    }

    @Test("Options of the wrong kind")
    func wrongKindsOfOptions() {
        expectReading(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                identity: []
                #         ^ wrong-kind
                attributes:
                  a: { type: int, min: low, max: "7", unique: 1, maxLength: 1.5 }
                  #                    ^ wrong-kind: 'min' must be a number, not the text 'low'
                  #                              ^ wrong-kind: quoted
                  #                                           ^ wrong-kind: the number 1
                  #                                                         ^ wrong-kind: not the number 1.5
                  b: { type: { a: b }, key: [], doc: 7 }
                  #          ^ wrong-kind: 'type' must be a type, not a mapping
                  #                         ^ wrong-kind: an empty list
                  #                                  ^ wrong-kind
                relationships:
                  r: { to: A, onDelete: [cascade], sortedBy: { a: b }, ordered: yes }
                  #                     ^ wrong-kind
                  #                                          ^ wrong-kind
                  #                                                             ^ wrong-kind
            """)
    }

    @Test("Empty values, '~' and 'null' are not values", arguments: ["~", "null", "Null", "NULL"])
    func nothing(null: String) {
        expectReading(
            """
            lockstep: 1
            schema: Shop
            doc: \(null)
            #    ^ wrong-kind: not nothing
            entities:
              Product:
                attributes:
                  name: \(null)
                  #     ^ wrong-kind: The attribute 'name' must be a type or a mapping, not nothing
                relationships: \(null)
                #              ^ wrong-kind: not nothing
            """)
    }

    @Test("If nothing is written, the position is after the colon")
    func empty() {
        expectReading(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
            #              ^ wrong-kind: not nothing
            """)
    }

    @Test("For an invalid value, the closest is suggested, or all are listed")
    func notAllowed() {
        expectReading(
            """
            lockstep: 1
            schema: Shop
            version: 0
            #        ^ not-allowed: 'version' must be at least 1, not 0
            access: pubic
            #       ^ not-allowed: 'pubic' is not a value of 'access'
            wire: { names: kebab, dates: iso8602 }
            #              ^ not-allowed: 'kebab' is not a value of 'names'
            #                            ^ not-allowed: 'iso8602' is not a value of 'dates'
            columns: camelCase
            #        ^ not-allowed
            enums:
              Size: { type: float, cases: [a] }
              #             ^ not-allowed
            types:
              Money: { stored: decimals }
              #                ^ not-allowed
            entities:
              Product:
                attributes:
                  a: { type: date, wire: String, maxLength: -1 }
                  #                      ^ not-allowed
                  #                                         ^ not-allowed: at least 0
                relationships:
                  r: { to: A, onDelete: cascad, wire: embeded }
                  #                     ^ not-allowed
                  #                                   ^ not-allowed
                remote: { write: [create, updat] }
                #                         ^ not-allowed
            """)
        let suggestion = remedies("lockstep: 1\nschema: S\naccess: pubic\nentities: {}")
        #expect(suggestion == ["Did you mean 'public'?"])
        let list = remedies("lockstep: 1\nschema: S\naccess: everyone\nentities: {}")
        #expect(list == ["Write 'public', 'package' or 'internal'."])
    }

    @Test("Raw values of the wrong type for the enum")
    func rawValues() {
        expectReading(
            """
            lockstep: 1
            schema: Shop
            enums:
              Priority: { low: 0, high: ten }
              #                ^ wrong-kind: The case 'low' must be text, not the number 0
              Level: { type: int, cases: { low: none, high: "1", top: } }
              #                                 ^ wrong-kind: a whole number, not the text 'none'
              #                                             ^ wrong-kind: the quoted text '1'
              #                                                       ^ wrong-kind: not nothing
            entities: {}
            """)
    }

    @Test(
        "Types that cannot be parsed",
        arguments: [
            "\"string??\"", "\"?\"", "\"[string\"", "\"string]\"", "\"[string?]\"", "\"[[string]]\"", "\"[]\"",
            "\"[string]?]\"",
        ])
    func malformedTypes(type: String) {
        expectReading(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  a: \(type)
                  #  ^ malformed-type: is not a valid type
            """)
    }

    @Test("Lists of several types, of lists and of optionals, and contradictory optionals")
    func malformedLists() {
        expectReading(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  a: [string, int]
                  #  ^ malformed-type: this has 2
                  b: []
                  #  ^ malformed-type: this has none
                  c: [[string]]
                  #   ^ malformed-type
                  d: [string?]
                  #   ^ malformed-type: '[string?]'
                  e: { type: string?, optional: false }
                  #                             ^ malformed-type: contradicts
                  #          ^ note: The type is here
                relationships:
                  r: "[Tag]?"
                  #  ^ malformed-type: to-many relationship cannot be optional
            """)
    }

    @Test("A file of another language version is reported as such, without further findings")
    func unsupportedLanguage() {
        expectReading(
            """
            lockstep: 2
            #         ^ unsupported-language: version 2
            scheme: Journal
            """)
    }

    @Test("A file that is not a mapping", arguments: ["text", "[a, b]"])
    func noMapping(text: String) {
        expectReading(text + "\n#< wrong-kind: A schema file must be a mapping\n")
    }

    @Test("A list used as a key is reported at the key")
    func keyIsNoText() {
        expectReading(
            """
            lockstep: 1
            schema: Shop
            [a]: b
            #< wrong-kind: A key must be text
            entities:
              { a: b }: {}
            # ^ wrong-kind: A key must be text
            """)
    }

    @Test("A problem in an anchor is reported once, however many aliases there are")
    func aliasesDoNotRepeat() {
        let text = """
            lockstep: 1
            schema: Shop
            entities:
              A: &a
                attributes: { id: { type: int, uniq: true } }
              B: *a
              C: *a
            """
        var diagnostics: [Diagnostic] = []
        _ = readDeclaration(SchemaSource(text), diagnostics: &diagnostics)
        #expect(Diagnostic.sortedWithoutRepeats(diagnostics).map(\.code) == [.unknownKey])
    }

    @Test("An invalid member keeps its name, and the rules continue; without any names they would repeat the problem")
    func whatIsLost() {
        func isRead(_ attribute: String) -> Bool {
            var diagnostics: [Diagnostic] = []
            let text = "lockstep: 1\nschema: S\nentities: { E: { attributes: { a: \(attribute) } } }"
            defer { #expect(!diagnostics.isEmpty) }
            return readDeclaration(SchemaSource(text), diagnostics: &diagnostics) != nil
        }
        #expect(isRead("{ type: int, min: low }"))
        #expect(isRead("{ type: int, foo: bar }"))
        #expect(isRead("{ type: [] }"))
        #expect(isRead("{ type: int, optional: maybe }"))
    }

    @Test("a required key is not recommended to be removed")
    func requiredStays() {
        let text = "lockstep: 1\nschema: X\nversion:\nentities:\n"
        let reading = readSchemas([SchemaSource(path: "a.yaml", bytes: Array(text.utf8))])
        #expect(reading.diagnostics.map { $0.remedy.contains("remove the key") } == [true, false])
    }
}
