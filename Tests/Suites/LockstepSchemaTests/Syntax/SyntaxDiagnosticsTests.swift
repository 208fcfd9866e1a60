import Testing

@testable import LockstepSchema

@Suite("Invalid YAML is reported with its position")
struct SyntaxDiagnosticsTests {
    private func findings(_ bytes: [UInt8]) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        #expect(parseYAML(SchemaSource(path: "test.yaml", bytes: bytes), diagnostics: &diagnostics) == nil)
        return diagnostics
    }

    @Test("libyaml's message is reported where it stopped, with a note at the beginning of the construct")
    func refusedByLibYAML() throws {
        let finding = try #require(findings(Array("entities:\n  Entry: [a, b\n  Other: x\n".utf8)).first)
        #expect(finding.code == .yamlSyntax)
        #expect(finding.message == "Invalid YAML: did not find expected ',' or ']'")
        #expect(finding.location.short == "3:8-3:8")
        #expect(finding.notes.map(\.message) == ["The flow sequence begins here"])
        #expect(finding.notes.map(\.location.short) == ["2:10-2:10"])
    }

    @Test(
        "Common mistakes are reported with a remedy",
        arguments: [
            ("a: b: c", "1:5", "mapping values are not allowed", "text that contains ': ' in quotes"),
            ("a:\n\tb: c", "2:1", "a tab in the indentation", "Use spaces"),
            ("a:\n  \tb: c\n  \td: e", "2:3", "a tab in the indentation", "Use spaces"),
            ("a:\n  b: c\n\n\td: e", "4:1", "a tab in the indentation", "Use spaces"),
            ("a: [string]?", "1:4", "'[string]?' is not in quotes", #"Write '"[string]?"' with the quotes."#),
            ("a: { b: [ Tag ] ?, c: d }", "1:9", "'[Tag]?' is not in quotes", "write '[Tag]'"),
            ("a: @b", "1:4", "cannot start any token", "in quotes"),
            ("a: [b, c", "1:9", "did not find expected ',' or ']'", "Close the list"),
            ("a: {b: c", "1:9", "did not find expected ',' or '}'", "Close the mapping"),
            ("a: 'b", "1:6", "found unexpected end of stream", "Close the quote"),
            ("a: 1\n  b: 2", "2:4", "mapping values are not allowed", "indentation"),
            ("a: \"\\q\"", "1:5", "found unknown escape character", "single quotes"),
            ("a: 1\nkey\nb: 2", "3:1", "could not find expected ':'", "space after the colon"),
        ])
    func remedies(text: String, place: String, problem: String, remedy: String) throws {
        let finding = try #require(findings(Array(text.utf8)).first)
        #expect(finding.code == .yamlSyntax)
        #expect("\(finding.location.start.line):\(finding.location.start.column)" == place)
        #expect(finding.message.contains(problem))
        #expect(finding.remedy.contains(remedy))
    }

    @Test("Invalid UTF-8 is reported at its line and column")
    func notUTF8() throws {
        let bytes = Array("a: 1\nbü: ".utf8) + [0xE9] + Array("\nc: 2".utf8)
        let finding = try #require(findings(bytes).first)
        #expect(finding.code == .notUTF8)
        #expect(finding.location.start == SourcePosition(line: 2, column: 5))
    }

    @Test("UTF-16 is not UTF-8 either, with or without a byte order mark")
    func utf16() {
        #expect(findings([0xFF, 0xFE, 0x61, 0x00]).map(\.code) == [.notUTF8])
        #expect(findings([0xFE, 0xFF, 0x00, 0x61]).map(\.code) == [.notUTF8])
    }

    @Test("A control character is rejected at its position")
    func controlCharacter() throws {
        let finding = try #require(findings(Array("a: x\u{1}y".utf8)).first)
        #expect(finding.code == .yamlSyntax)
        #expect(finding.location.start == SourcePosition(line: 1, column: 5))
    }

    @Test(
        "An empty file is reported",
        arguments: ["", "\n\n", "# only a comment\n", "---\n", "---\n...\n", "\u{FEFF}"])
    func empty(text: String) {
        let findings = findings(Array(text.utf8))
        #expect(findings.map(\.code) == [.emptyFile])
        #expect(findings.first?.location.start == SourcePosition(line: 1, column: 1))
    }

    @Test("A second document is reported at its beginning")
    func severalDocuments() {
        expectParsing(
            """
            schema: Journal
            #< note: first document
            ---
            #< several-documents
            schema: Other
            """)
    }

    @Test("A duplicate key is reported at the second, with a note at the first; the first is kept")
    func duplicateKey() {
        let node = expectParsing(
            """
            attributes:
              id: int
            # ^ note: First used here
              title: string
              id: uuid
            # ^ duplicate-key: 'id' is used twice
            """)
        #expect(node?["attributes"]?.outline == "{id: int, title: string}")
    }

    @Test("Duplicates are also found in large mappings")
    func duplicateKeyAmongMany() {
        let keys = (1...20).map { "k\($0): x\n" }.joined()
        expectParsing(keys + "k7: y\n#< duplicate-key: 'k7'\n\"k8\": y\n#< duplicate-key: 'k8'\n")
    }

    @Test("An alias without an anchor suggests the closest anchor")
    func unknownAlias() throws {
        var diagnostics: [Diagnostic] = []
        _ = parseYAML(SchemaSource("a: &common x\nb: *comon"), diagnostics: &diagnostics)
        let finding = try #require(diagnostics.first)
        #expect(finding.code == .unknownAlias)
        #expect(finding.location.start == SourcePosition(line: 2, column: 4))
        #expect(finding.remedy == "Did you mean '*common'?")
    }

    @Test("An alias inside its own anchor is reported, not followed")
    func recursiveAlias() {
        expectParsing(
            """
            a: &a [x, *a]
            #         ^ unknown-alias: inside its own anchor
            """)
    }

    @Test("'<<' of a value that is not a mapping is reported at that value")
    func badMerge() {
        expectParsing(
            """
            base: &base [x]
            a: { <<: text, id: int }
            #        ^ bad-merge
            b: { <<: [*base, { x: y }] }
            #         ^ bad-merge
            """)
    }

    @Test("Two '<<' in one mapping are a duplicate key")
    func twoMerges() {
        expectParsing(
            """
            a: &a { x: 1 }
            b: { <<: *a, <<: *a }
            #            ^ duplicate-key: '<<'
            """)
    }

    @Test("A tag that is unknown in YAML, or does not fit, is reported")
    func unknownTag() {
        expectParsing(
            """
            a: !uuid x
            #  ^ unknown-tag: '!uuid'
            b: !!map [x]
            #  ^ unknown-tag: '!!map'
            c: !!binary aGk=
            #  ^ unknown-tag: '!!binary'
            """)
    }
}
