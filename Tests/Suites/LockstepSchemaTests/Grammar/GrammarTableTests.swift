import Testing

@testable import LockstepSchema

@Suite("The parser, the JSON Schema and the reference are one table")
struct GrammarTableTests {
    /// A key of the table together with its section.
    struct Member: CustomTestStringConvertible, Sendable {
        var section: GrammarSection
        var key: KeyDescription

        var testDescription: String { "\(section.name).\(key.name)" }
    }

    static let members = Grammar.sections.flatMap { section in section.keys.map { Member(section: section, key: $0) } }

    /// The smallest mapping of a section: its required keys, and `key` if it is not one of them.
    private func mapping(of section: GrammarSection, with key: KeyDescription?) -> String {
        var lines = section.requiredKeys.map(\.example)
        if let key, !key.isRequired { lines.append(key.example) }
        return lines.joined(separator: "\n")
    }

    /// A whole schema around a mapping of a section.
    private func schema(around mapping: String, of section: GrammarSection) -> String {
        func indented(_ levels: Int) -> String {
            let lines = mapping.split(separator: "\n", omittingEmptySubsequences: false)
            guard !mapping.isEmpty else { return " {}" }
            return "\n" + lines.map { String(repeating: "  ", count: levels) + $0 }.joined(separator: "\n")
        }
        let head = "lockstep: 1\nschema: S\n"
        let entity = head + "entities:\n  E:"
        switch section.name {
        case "schema": return mapping
        case "wire": return head + "entities: {}\nwire:" + indented(1)
        case "server": return head + "entities: {}\nserver:" + indented(1)
        case "enum": return head + "entities: {}\nenums:\n  E:" + indented(2)
        case "case": return head + "entities: {}\nenums:\n  E:\n    cases:\n      c:" + indented(4)
        case "type": return head + "entities: {}\ntypes:\n  T:" + indented(2)
        case "entity": return entity + indented(2)
        case "identity": return entity + "\n    identity:" + indented(3)
        case "access": return entity + "\n    access:" + indented(3)
        case "attribute": return entity + "\n    attributes:\n      a:" + indented(4)
        case "relationship": return entity + "\n    relationships:\n      r:" + indented(4)
        case "index": return entity + "\n    indexes:\n      -" + indented(4)
        case "remote": return entity + "\n    remote:" + indented(3)
        default: return ""
        }
    }

    /// The result of reading `text`, without positions: those change with every line.
    private func declaration(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> String {
        let range = /TextRange\(start: [^)]*\), end: [^)]*\)\)/
        return expectReading(text, sourceLocation: sourceLocation).map { "\($0)".replacing(range, with: "") }
            ?? "nothing"
    }

    @Test("The example of each key is read without diagnostics, and changes the result", arguments: members)
    func examplesAreRead(member: Member) {
        let with = schema(around: mapping(of: member.section, with: member.key), of: member.section)
        let declared = declaration(with)
        #expect(declared != "nothing")
        guard !member.key.isRequired else { return }
        let without = schema(around: mapping(of: member.section, with: nil), of: member.section)
        #expect(declared != declaration(without), "the key is accepted but not read")
    }

    @Test("A missing required key is reported, and no other", arguments: members)
    func requiredKeysAreMissed(member: Member) {
        let lines = member.section.requiredKeys.filter { $0.name != member.key.name }.map(\.example)
        let text = schema(around: lines.joined(separator: "\n"), of: member.section)
        // Without `cases` a mapping is the short form of an enum; without a key left, a file is empty.
        guard member.section.name != "enum", !text.isEmpty else { return }
        var diagnostics: [Diagnostic] = []
        _ = readDeclaration(SchemaSource(text), diagnostics: &diagnostics)
        #expect(diagnostics.map(\.code) == (member.key.isRequired ? [.missingKey] : []))
    }

    @Test("The example of each section is a schema, except for its header", arguments: Grammar.sections)
    func sectionExamplesAreRead(section: GrammarSection) {
        #expect(declaration(completed(section.example)) != "nothing")
    }

    private func completed(_ example: String) -> String {
        var text = example
        if !text.contains("lockstep: 1") { text = "lockstep: 1\nschema: S\n" + text }
        return text.contains("entities:") ? text : text + "\nentities: {}"
    }

    @Test("The JSON Schema accepts what the parser accepts", arguments: members)
    func jsonSchemaAccepts(member: Member) throws {
        let validator = try JSONSchemaValidator(Grammar.jsonSchema())
        let text = schema(around: mapping(of: member.section, with: member.key), of: member.section)
        #expect(try validator.problems(of: #require(expectParsing(text))) == [])
    }

    @Test("The JSON Schema accepts the example of each section", arguments: Grammar.sections)
    func jsonSchemaAcceptsSections(section: GrammarSection) throws {
        let validator = try JSONSchemaValidator(Grammar.jsonSchema())
        #expect(try validator.problems(of: #require(expectParsing(completed(section.example)))) == [])
    }

    @Test("The JSON Schema rejects what the parser rejects", arguments: members)
    func jsonSchemaRefuses(member: Member) throws {
        let validator = try JSONSchemaValidator(Grammar.jsonSchema())
        let keys = member.section.requiredKeys.filter { $0.name != member.key.name }.map(\.example)
        for value in ["", "{ a: { b: { c: { d: [[]] } } } }", "[[[[]]]]", "\"\\0\"", "true", "-1.5"] {
            let text = schema(
                around: (keys + ["\(member.key.name): \(value)"]).joined(separator: "\n"), of: member.section)
            var diagnostics: [Diagnostic] = []
            let node = try #require(parseYAML(SchemaSource(text), diagnostics: &diagnostics))
            _ = Grammar.read(node, path: "test.yaml", diagnostics: &diagnostics)
            // A JSON Schema cannot check type texts, texts that editors read as another type, and what a name contains.
            let isBeyond = diagnostics.allSatisfy { [.malformedType, .unusableName].contains($0.code) }
            if !isBeyond { #expect(!validator.problems(of: node).isEmpty, "\(member.testDescription): \(value)") }
        }
    }

    @Test("The JSON Schema rejects unknown keys and reports missing required ones")
    func jsonSchemaKeys() throws {
        let validator = try JSONSchemaValidator(Grammar.jsonSchema())
        #expect(
            try validator.problems(of: #require(expectParsing("lockstep: 1\nschema: S"))) == [": entities is missing"])
        let unknown = try #require(expectParsing("lockstep: 1\nschema: S\nentities: {}\nfoo: bar"))
        #expect(validator.problems(of: unknown) == [": unknown foo"])
    }

    @Test("The JSON Schema names its draft and contains each key's sentence")
    func jsonSchemaText() {
        let text = Grammar.jsonSchema()
        #expect(text.contains("\"$schema\": \"https://json-schema.org/draft/2020-12/schema\""))
        for member in Self.members {
            let sentence = member.key.documentation.replacing("\"", with: "\\\"")
            #expect(text.contains(sentence), "\(member.testDescription)")
        }
    }

    @Test("The reference contains each section with its example, each key with its sentence, each short form")
    func reference() throws {
        let page = Grammar.markdown()
        for section in Grammar.sections {
            let part = try #require(page.components(after: "\n## \(section.title)\n"))
            #expect(part.contains("```yaml\n\(section.example)\n```"))
            for key in section.keys {
                #expect(part.contains("| `\(key.name)` | "))
                #expect(part.contains("\(key.documentation) `\(key.example)` |"))
            }
            for form in section.shortForms { #expect(part.contains("| `\(form.example)` | \(form.documentation) |")) }
        }
    }

    @Test("Documentation is in sentences, names are unique, and synonyms are not keys")
    func tableIsTidy() {
        for section in Grammar.sections {
            #expect(section.documentation.hasSuffix("."))
            let names = section.keys.flatMap { [$0.name] + $0.synonyms }
            #expect(Set(names).count == names.count, "\(section.name)")
        }
        for member in Self.members { #expect(member.key.documentation.hasSuffix("."), "\(member.testDescription)") }
    }
}

extension String {
    /// The text after a heading, up to the next heading of its level.
    fileprivate func components(after heading: String) -> Substring? {
        guard let start = firstRange(of: heading)?.upperBound else { return nil }
        let rest = self[start...]
        return rest[..<(rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex)]
    }
}
