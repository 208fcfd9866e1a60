import Testing

@testable import LockstepSchema

/// Parses and reads `text` by the grammar, without the rules, and expects the diagnostics that its markers point at.
@discardableResult
func expectReading(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> SchemaDeclaration? {
    var diagnostics: [Diagnostic] = []
    var source = SchemaSource(text)
    source.include { SchemaSource("lockstep: 1\nenums: { Included: [one] }", path: $0) }
    let declaration = readDeclaration(source, diagnostics: &diagnostics)
    expect(diagnostics, areThosePointedAtIn: text, sourceLocation: sourceLocation)
    return declaration
}

/// Parses `text` and expects the diagnostics that its markers point at.
@discardableResult
func expectParsing(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Node? {
    var diagnostics: [Diagnostic] = []
    let node = parseYAML(SchemaSource(text), diagnostics: &diagnostics)
    expect(diagnostics, areThosePointedAtIn: text, sourceLocation: sourceLocation)
    return node
}

extension SchemaSource {
    init(_ text: String, path: String = "test.yaml") {
        self.init(path: path, bytes: Array(text.utf8))
    }
}

extension Node {
    /// The node in one line: `{id: int, tags: [string]}`, quoted texts in double quotes.
    var outline: String {
        switch content {
        case .scalar(let text, let isPlain): isPlain ? text : "\"\(text)\""
        case .sequence(let elements): "[" + elements.map(\.outline).joined(separator: ", ") + "]"
        case .mapping(let entries):
            "{" + entries.map { "\($0.key.outline): \($0.value.outline)" }.joined(separator: ", ") + "}"
        }
    }

    subscript(key: String) -> Node? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.key.text == key }?.value
    }
}

extension SourceRange {
    /// `3:5-3:9`
    var short: String { "\(start.line):\(start.column)-\(end.line):\(end.column)" }
}

extension TextRange {
    /// `3:5-3:9`
    var short: String { "\(start.line):\(start.column)-\(end.line):\(end.column)" }
}
