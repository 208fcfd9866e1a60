import Testing

@testable import LockstepSchema

@Suite("Reserved names")
struct SwiftNamesTests {
    @Test(
        "every keyword can be an attribute, and keeps its JSON key and column",
        arguments: SwiftName.keywords.union(SwiftName.unusableMembers).sorted())
    func attributes(word: String) throws {
        let schema = try resolved("  A: { attributes: { \"\(word)\": string } }", header: "columns: asWritten")
        let attribute = try schema.entity("A").attribute(word)
        #expect(attribute.swiftName == (SwiftName.unusableMembers.contains(word) ? word + "_" : "`\(word)`"))
        #expect(attribute.wire?.path == [word])
        #expect(attribute.columnName == word)
    }

    @Test("every keyword can be a relationship; its key needs no backticks", arguments: SwiftName.keywords.sorted())
    func relationships(word: String) throws {
        let schema = try resolved(
            "  A: { attributes: { id: int }, relationships: { \"\(word)\": B? } }\n  B: { attributes: { id: int } }")
        let relationship = try schema.entity("A").relationship(word)
        #expect(relationship.swiftName == SwiftName.member(word))
        #expect(relationship.foreignKey?.property == word + "ID")
    }

    @Test("every keyword can be a case")
    func cases() throws {
        let words = (SwiftName.keywords.union(SwiftName.unusableCases)).sorted()
        let cases = words.map { "\"\($0)\"" }.joined(separator: ", ")
        let schema = try resolved("  A: { attributes: { id: int } }", header: "enums: { E: [\(cases)] }")
        for enumerationCase in schema.enumerations[0].cases {
            #expect(enumerationCase.swiftName != enumerationCase.name)
            #expect(enumerationCase.rawValue == .string(enumerationCase.name))
        }
    }

    @Test("every keyword can be an entity, with a capital letter")
    func entities() throws {
        let words = Set(SwiftName.keywords.map(\.capitalizingFirst)).union(SwiftName.unusableTypes).sorted()
        // `Self` and `self`, `Type` … have the same name; `Any` and `Self` have capitals already.
        let schema = try resolved(words.map { "  \($0): { attributes: { id: int } }" }.joined(separator: "\n"))
        for entity in schema.entities {
            #expect(
                entity.swiftName == (SwiftName.unusableTypes.contains(entity.name) ? entity.name + "_" : entity.name))
            #expect(entity.representationName == entity.name + "Representation")
            #expect(entity.tableName == NameSpelling.snake_case.spell(entity.name))
        }
    }

    @Test("SQL names and keys can contain quotes")
    func quotes() throws {
        let schema = try resolved(
            "  A: { table: 'it''s \"A\"', attributes: { id: { type: int, column: 'i\"d', key: 'i\"d' } } }")
        #expect(schema.entities[0].tableName == "it's \"A\"")
        #expect(schema.entities[0].columns[0].name == "i\"d")
        #expect(schema.entities[0].attributes[0].wire?.path == ["i\"d"])
    }
}
