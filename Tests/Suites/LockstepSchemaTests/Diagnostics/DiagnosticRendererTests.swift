import Testing

@testable import LockstepSchema

@Suite("Diagnostics as text for people")
struct DiagnosticRendererTests {
    private func range(_ line: Int, _ column: Int, to endColumn: Int? = nil, path: String = "Shop.yaml") -> SourceRange
    {
        SourceRange(
            path: path, start: SourcePosition(line: line, column: column),
            end: SourcePosition(line: line, column: endColumn ?? column))
    }

    private func text(
        _ source: String, _ location: SourceRange, notes: [Diagnostic.Note] = [], isColoured: Bool = false
    ) -> String {
        let diagnostic = Diagnostic(.unknownKey, at: location, message: "A message", remedy: "Do this.", notes: notes)
        return DiagnosticRenderer(sources: [SchemaSource(source, path: "Shop.yaml")], isColoured: isColoured).text([
            diagnostic
        ])
    }

    /// The source line and the caret line, without the margin.
    private func excerpt(_ line: String, column: Int, to endColumn: Int? = nil) -> [String] {
        let lines = text(line, range(1, column, to: endColumn)).split(separator: "\n").dropFirst().prefix(2)
        return lines.map { String($0.dropFirst(5)) }
    }

    @Test("Position, message and code; the line with a caret; notes; remedy; count")
    func whole() {
        let source = "lockstep: 1\nschema: Shop\nschema: Store\n"
        let notes = [Diagnostic.Note("First here", at: range(2, 1, to: 7))]
        #expect(
            text(source, range(3, 1, to: 7), notes: notes) == """
                Shop.yaml:3:1: error: A message [unknown-key]
                 3 | schema: Store
                   | ^~~~~~
                Shop.yaml:2:1: note: First here
                 2 | schema: Shop
                   | ^~~~~~
                help: Do this.

                1 error

                """)
    }

    @Test("The margin is as wide as the line number")
    func margin() {
        let source = String(repeating: "\n", count: 99) + "a: b"
        let lines = text(source, range(100, 4)).split(separator: "\n")
        #expect(lines[1...2] == [" 100 | a: b", "     |    ^"])
    }

    @Test("A tab is four spaces in the source line and the caret line")
    func tabs() {
        #expect(excerpt("\ta:\tb", column: 5) == ["    a:    b", "          ^"])
    }

    @Test("Wide letters and emoji take two columns, combining marks none")
    func wide() {
        #expect(excerpt("é: 字🎂x", column: 6, to: 7) == ["é: 字🎂x", "       ^"])
        #expect(excerpt("a: 字字", column: 4, to: 6) == ["a: 字字", "   ^~~~"])
        #expect(excerpt("e\u{301}: x", column: 5) == ["e\u{301}: x", "   ^"])
    }

    @Test("Control characters are not written to the terminal")
    func control() {
        #expect(excerpt("a: \u{1B}[31m\u{202E}x", column: 10) == ["a: \u{FFFD}[31m\u{FFFD}x", "         ^"])
    }

    @Test("A position after the end of the line, or of the file, still has a caret")
    func behindTheEnd() {
        #expect(excerpt("a: b", column: 5) == ["a: b", "    ^"])
        #expect(text("a: b\n", range(2, 1)).contains("\n 2 | \n   | ^\n"))
        #expect(text("a: b\n", range(9, 9)).contains("\n 9 | \n   | ^\n"))
    }

    @Test("A range that continues on the next line is marked to the end of its first line")
    func severalLines() {
        let location = SourceRange(
            path: "Shop.yaml", start: SourcePosition(line: 1, column: 4), end: SourcePosition(line: 2, column: 3))
        #expect(text("a: [b,\n  c]\n", location).contains(" 1 | a: [b,\n   |    ^~~\n"))
    }

    @Test("For a long line, the part around the caret is shown")
    func longLine() {
        let line = String(repeating: "a", count: 500) + "X" + String(repeating: "b", count: 500)
        let shown = excerpt(line, column: 501, to: 502)
        #expect(shown[0].count == 112 && shown[0].hasPrefix("…a") && shown[0].hasSuffix("b…"))
        #expect(shown[0].firstIndex(of: "X") == shown[0].index(shown[0].startIndex, offsetBy: shown[1].count - 1))
    }

    @Test("A diagnostic in an unavailable file has no excerpt")
    func unknownFile() {
        #expect(!text("a: b", range(1, 1, path: "Other.yaml")).contains("|"))
    }

    @Test("Colors only on request")
    func colour() {
        #expect(!text("a: b", range(1, 1)).contains("\u{1B}"))
        let coloured = text("a: b", range(1, 1), isColoured: true)
        #expect(coloured.contains("\u{1B}[1;31merror: \u{1B}[0m"))
        #expect(coloured.contains("\u{1B}[1;31m^\u{1B}[0m"))
    }

    @Test("Sorted by file, position and code, without duplicates")
    func order() {
        let findings = [
            Diagnostic(.unknownKey, at: range(2, 1), message: "d", remedy: ""),
            Diagnostic(.wrongKind, at: range(1, 9), message: "c", remedy: ""),
            Diagnostic(.missingKey, at: range(1, 9), message: "b", remedy: ""),
            Diagnostic(.unknownKey, at: range(7, 7, path: "A.yaml"), message: "a", remedy: "", severity: .warning),
        ]
        let renderer = DiagnosticRenderer(sources: [])
        let messages = renderer.text((findings + findings).reversed()).split(separator: "\n").compactMap { line in
            line.split(separator: ": ").count > 2 ? line.split(separator: ": ")[2].first : nil
        }
        #expect(messages == ["a", "b", "c", "d"])
        #expect(renderer.summary(findings) == "3 errors, 1 warning")
        #expect(renderer.text([]) == "" && renderer.summary([]) == "no findings")
    }
}
