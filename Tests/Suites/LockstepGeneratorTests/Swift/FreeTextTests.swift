import LockstepEvolution
import LockstepGenerator
import LockstepJSON
import Testing

@testable import LockstepSchema

@Suite("Free text of a schema reaches code only in literals and comments")
struct FreeTextTests {
    /// `«entity.table»` is where the text of that key of the grammar is.
    private static let template = """
        lockstep: 1
        schema: Journal
        doc: «schema.doc»
        wire: { dates: «wire.dates» }
        enums:
          Mood:
            doc: «enum.doc»
            cases: { sad: { value: «case.value», doc: «case.doc», renamedFrom: «case.renamedFrom» }, happy: H }
        types:
          Money: { stored: decimal, module: «type.module», doc: «type.doc» }
        entities:
          Dated:
            doc: «entity.doc»
            abstract: true
            attributes: { createdAt: { type: date?, doc: «attribute.doc», wire: «attribute.wire» } }
          Entry:
            doc: «entity.doc»
            table: «entity.table»
            renamedFrom: «entity.renamedFrom»
            extends: Dated
            identity: id
            attributes:
              id: uuid
              text: { type: string, column: «attribute.column», key: «attribute.key», doc: «attribute.doc» }
              old: { type: string?, deprecated: «attribute.deprecated», renamedFrom: «attribute.renamedFrom» }
              path: { type: string?, key: [a, «attribute.key»], formerKeys: [[b, «attribute.formerKeys»]] }
              note: { type: string, default: «attribute.default» }
              list: { type: [string], default: [«attribute.default»] }
              extra: { type: json, default: { «attribute.default»: [«attribute.default»] } }
              mood: { type: Mood, default: sad }
            relationships:
              owner:
                to: Person?
                inverse: entries
                key: «relationship.key»
                embeddedKey: «relationship.embeddedKey»
                column: «relationship.column»
                doc: «relationship.doc»
                renamedFrom: «relationship.renamedFrom»
            remote: { path: «remote.path», wrap: «remote.wrap» }
          Person:
            attributes: { id: int }
            relationships:
              entries: { to: [Entry], inverse: owner, onDelete: cascade, deprecated: «relationship.deprecated» }
              pets: { to: [Pet], inverse: owner, wire: embedded, idsKey: «relationship.idsKey» }
              toys: { to: [Toy], inverse: owners, wire: ids, table: «relationship.table» }
          Pet:
            attributes: { id: int }
            relationships: { owner: { to: Person?, inverse: pets } }
          Toy:
            attributes: { id: int }
            relationships: { owners: { to: [Person], inverse: toys, wire: none } }

        """

    private static let texts = [
        "ents`.\n}\nfunc print(_ items: Any...) {}\nextension Entry {\n    /// `",
        "a\rb", "a\r\nfatalError()\r\n// ", "a\u{B}b\u{C}c", "a\u{85}b", "a\u{2028}b\u{2029}c", "\u{0}a",
        "\u{1B}]0;title\u{7}\u{1B}[2J", "a\u{202E}b\u{2066}c\u{2069}", "*/ x /*", "/* x", "\\(fatalError())", "\"\"\"",
        "\"#\"\"\"##", "\\", "\"", "'; DROP TABLE a; --", "\n-- x\n;", "`", "#if x\n#endif", "a\u{7F}b",
        "\u{FEFF}a", "é🙂",
    ]

    /// The parts of the template, and the names of the places between them.
    private static let parts = template.split(separator: "«", omittingEmptySubsequences: false).map(String.init)
    private static let places = parts.dropFirst().map { String($0.prefix { $0 != "»" }) }

    /// The schema with a text at one of the places, in double quotes, and plain texts at all others.
    private static func schema(_ text: String, at index: Int?) -> String {
        let rest = parts.dropFirst().map { String($0.drop { $0 != "»" }.dropFirst()) }
        return parts[0]
            + zip(places, rest).enumerated().map { number, part in
                let plain =
                    ["attribute.wire", "wire.dates"].contains(part.0)
                    ? "yyyy-MM-dd" : part.0 == "type.module" ? "Shop" : "plain\(number)"
                return (number == index ? YAMLText.scalar(text) : plain) + part.1
            }.joined()
    }

    private static func tokens(_ schema: Schema, history: SchemaHistory? = nil) -> [String: [String]] {
        let options = GenerationOptions(dialects: [.sqlite, .postgresql])
        return Dictionary(
            uniqueKeysWithValues: generate(schema, options: options, history: history).map {
                ($0.path, $0.path.hasSuffix(".sql") ? CodeTokens.sql($0.contents) : CodeTokens.swift($0.contents))
            })
    }

    private static func read(_ text: String, path: String = "Schemas/Journal.yaml") -> SchemaReading {
        readSchemas([SchemaSource(path: path, bytes: Array(text.utf8))])
    }

    @Test("The template has every key of the grammar that takes a text")
    func coverage() {
        func isFree(_ shape: ValueShape) -> Bool {
            switch shape {
            case .text, .prose, .name, .anything: true
            case .list(let element, _): isFree(element)
            case .either(let shapes): shapes.contains(where: isFree)
            default: false
            }
        }
        let keys = Grammar.sections.flatMap { section in
            section.keys.filter { isFree($0.shape) }.map { "\(section.name).\($0.name)" }
        }
        // Names that are declared elsewhere, or are identifiers: other rules report them. The claim of a user is in no
        // code of an app.
        let identifiers: Set = [
            "schema.schema", "identity.local", "identity.remote", "enum.cases", "schema.version", "schema.include",
            "server.user",
        ]
        #expect(Set(keys).subtracting(Self.places).subtracting(identifiers) == [])
    }

    @Test("What is generated has the tokens of the plain schema, or the text is an error at its place")
    func everyText() throws {
        let plain = Self.read(Self.schema("", at: nil))
        #expect(plain.diagnostics.isEmpty)
        let expected = Self.tokens(try #require(plain.schemas.first))
        var accepted = 0
        for text in Self.texts {
            for (index, place) in Self.places.enumerated() {
                let yaml = Self.schema(text, at: index)
                let reading = Self.read(yaml)
                guard let schema = reading.schemas.first else {
                    let line = yaml.split(separator: "\n", omittingEmptySubsequences: false)
                        .firstIndex { $0.contains(YAMLText.scalar(text)) }
                    #expect(reading.diagnostics.contains { $0.location.start.line - 1 == line }, "\(place)")
                    continue
                }
                accepted += 1
                let tokens = Self.tokens(schema)
                for (path, file) in expected {
                    // A value with NUL is an expression in SQL.
                    if text.utf8.contains(0), path.hasSuffix(".sql") { continue }
                    #expect(tokens[path] == file, "\(place), \(path): \(text.debugDescription)")
                }
                #expect(tokens.count == expected.count)
            }
        }
        #expect(accepted > Self.texts.count * 10)
    }

    @Test("A name with a control character, a line separator or a direction of text is an error at its place")
    func names() {
        let named = ["entity.table", "attribute.column", "attribute.key", "relationship.column", "remote.path"]
        for (index, place) in Self.places.enumerated() where named.contains(place) {
            for scalar in "\n\r\t\u{0}\u{1B}\u{7F}\u{85}\u{2028}\u{2029}\u{202E}\u{2066}".unicodeScalars {
                let text = "a\(scalar)b"
                let reading = Self.read(Self.schema(text, at: index))
                #expect(reading.diagnostics.map(\.code) == [.unusableName], "\(place): \(text.debugDescription)")
            }
        }
    }

    @Test("No text is invisible in what is generated, or turns what is written after it")
    func visible() throws {
        for text in Self.texts where text.unicodeScalars.allSatisfy({ $0 != "\0" }) {
            for index in Self.places.indices {
                guard let schema = Self.read(Self.schema(text, at: index)).schemas.first else { continue }
                for file in generate(schema, options: GenerationOptions(dialects: [])) {
                    let hidden = String(decoding: file.contents, as: UTF8.self).unicodeScalars.filter {
                        $0 != "\n" && $0.properties.generalCategory == .control || $0.properties.isBidiControl
                            || "\u{2028}\u{2029}".unicodeScalars.contains($0)
                    }
                    #expect(hidden.isEmpty, "\(Self.places[index]), \(file.path): \(hidden.map(\.value))")
                }
            }
        }
    }

    @Test("The name of a schema's file stays in its comment")
    func fileName() throws {
        let text = Self.schema("", at: nil)
        let expected = Self.tokens(try #require(Self.read(text).schemas.first))
        for path in Self.texts {
            let schema = try #require(Self.read(text, path: path).schemas.first)
            #expect(Self.tokens(schema) == expected, "\(path.debugDescription)")
        }
    }

    @Test("The name of a version stays in its comments, and so do the names of its entities")
    func versionName() throws {
        let schema = try #require(Self.read(Self.schema("", at: nil)).schemas.first)
        func history(named name: String) -> SchemaHistory {
            let tree = SchemaTree(schema.structure)
            var former = tree
            former.entities["Entry"]?.members["note"]?["type"] = "int"
            former.entities["Entry"]?.members["note"]?["default"] = nil
            var history = SchemaHistory(beginningWith: former, version: 1)
            var answers = ChangeAnswers()
            answers.convert = ChangeAnswers.swift
            let change = SchemaChange(
                MemberPath("Entry", member: "note"),
                action: .change(
                    from: ["type": "int", "default": .null], to: tree.entities["Entry"]?.members["note"] ?? [:]),
                answers: answers)
            history.append([change], resultingIn: tree, name: name)
            return history
        }
        let expected = Self.tokens(schema, history: history(named: "two"))["Journal/JournalSchema.swift"] ?? []
        #expect(expected.contains("EntryBeforeTwo"))
        for text in Self.texts + ["½a", "a\u{20DD}b"] {
            let tokens = Self.tokens(schema, history: history(named: "two" + text))["Journal/JournalSchema.swift"] ?? []
            #expect(tokens.count == expected.count, "\(text.debugDescription)")
            #expect(zip(tokens, expected).allSatisfy { $0 == $1 || Identifier.isValid($0) }, "\(text.debugDescription)")
        }
    }
}
