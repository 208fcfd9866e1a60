import Testing

@testable import LockstepSchema

@Suite("Tests that point into their schema")
struct PointingTests {
    private let text = """
        schema: Journal
        entities: {}
        #         ^ wrong-kind: a list
        #< unknown-key
        #  ^ note: first
        """

    private func finding(_ code: String, line: Int, column: Int, _ message: String) -> Diagnostic {
        let position = SourcePosition(line: line, column: column)
        let range = SourceRange(path: "test.yaml", start: position, end: position)
        return Diagnostic(DiagnosticCode(rawValue: code), at: range, message: message, remedy: "")
    }

    @Test("A caret marks the column, the line above its line; a line of markers cannot be marked")
    func positions() {
        let markers = Marker.all(in: text)
        #expect(markers.map(\.position) == [11, 1, 4].map { SourcePosition(line: 2, column: $0) })
        #expect(markers.map(\.code) == ["wrong-kind", "unknown-key", "note"])
        #expect(markers[0].messagePart == "a list")
    }

    @Test("A diagnostic matches by code, position and a part of the message")
    func matching() {
        let marker = Marker.all(in: text)[0]
        #expect(marker.matches(finding("wrong-kind", line: 2, column: 11, "takes a list, not a mapping")))
        #expect(!marker.matches(finding("wrong-kind", line: 2, column: 10, "takes a list, not a mapping")))
        #expect(!marker.matches(finding("wrong-kind", line: 3, column: 11, "takes a list, not a mapping")))
        #expect(!marker.matches(finding("missing-key", line: 2, column: 11, "takes a list, not a mapping")))
        #expect(!marker.matches(finding("wrong-kind", line: 2, column: 11, "takes a text")))
    }

    @Test("A diagnostic without a marker fails, and so does a marker without a diagnostic")
    func strictness() {
        withKnownIssue { expect([], areThosePointedAtIn: "a: b\n#  ^ wrong-kind: x") }
        withKnownIssue { expect([finding("wrong-kind", line: 1, column: 4, "x")], areThosePointedAtIn: "a: b") }
    }
}
