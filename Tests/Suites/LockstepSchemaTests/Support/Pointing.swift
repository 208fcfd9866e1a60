import Testing

@testable import LockstepSchema

// A schema text that contains the expected diagnostics. Under the offending line is a comment whose caret is
// under the offending column; after the caret are the code and, after a colon, a part of the message:
//
//     schema: journal
//     #       ^ not-upper-case: 'journal'
//
// `#<` in place of a caret points at column 1. `note` in place of a code expects a note of a diagnostic there. A
// diagnostic without a marker fails the test, as does a marker without a diagnostic. All markers are YAML comments,
// and stay in.

/// Reads `text` whole (`readSchemas`) and expects the diagnostics that its markers point at, no others.
func expectDiagnostics(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let source = SchemaSource(path: "test.yaml", bytes: Array(text.utf8))
    expect(readSchemas([source]).diagnostics, areThosePointedAtIn: text, sourceLocation: sourceLocation)
}

/// Expects `diagnostics` to be those that the markers in `text` point at.
func expect(
    _ diagnostics: [Diagnostic], areThosePointedAtIn text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    let markers = Marker.all(in: text)
    var unexpected = diagnostics
    for marker in markers where !marker.isNote {
        if let index = unexpected.firstIndex(where: marker.matches) {
            unexpected.remove(at: index)
        } else {
            Issue.record("expected, not found: \(marker); found: \(list(diagnostics))", sourceLocation: sourceLocation)
        }
    }
    for diagnostic in unexpected {
        Issue.record("not expected: \(describe(diagnostic))", sourceLocation: sourceLocation)
    }
    let notes = diagnostics.flatMap(\.notes)
    for marker in markers where marker.isNote && !notes.contains(where: marker.matches) {
        Issue.record("expected note, not found: \(marker); found: \(list(diagnostics))", sourceLocation: sourceLocation)
    }
}

struct Marker: CustomStringConvertible {
    var code: String
    var messagePart: String
    var position: SourcePosition

    var isNote: Bool { code == "note" }

    var description: String { "\(position.line):\(position.column): \(code): …\(messagePart)…" }

    func matches(_ diagnostic: Diagnostic) -> Bool {
        diagnostic.code.rawValue == code && diagnostic.location.start == position && has(diagnostic.message)
    }

    func matches(_ note: Diagnostic.Note) -> Bool {
        note.location.start == position && has(note.message)
    }

    private func has(_ message: String) -> Bool {
        messagePart.isEmpty || message.contains(messagePart)
    }

    /// The markers in `text`; each points into the nearest line above that is not a marker.
    static func all(in text: String) -> [Marker] {
        var markers: [Marker] = []
        var pointedLine = 0
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let marker = Marker(line: line, pointedLine: pointedLine) {
                markers.append(marker)
            } else {
                pointedLine = index + 1
            }
        }
        return markers
    }

    private init?(line: Substring, pointedLine: Int) {
        let trimmed = line.drop { $0 == " " }
        guard trimmed.first == "#" else { return nil }
        let pointer = trimmed.dropFirst().drop { $0 == " " }
        let column: Int
        switch pointer.first {
        case "^": column = line.unicodeScalars.distance(from: line.startIndex, to: pointer.startIndex) + 1
        case "<": column = 1
        default: return nil
        }
        let parts = pointer.dropFirst().split(separator: ":", maxSplits: 1)
        guard let code = parts.first else { return nil }
        self.code = code.trimmed
        messagePart = parts.count > 1 ? parts[1].trimmed : ""
        position = SourcePosition(line: pointedLine, column: column)
    }
}

private func list(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.isEmpty ? "nothing" : diagnostics.map(describe).joined(separator: "; ")
}

private func describe(_ diagnostic: Diagnostic) -> String {
    let start = diagnostic.location.start
    return "\(start.line):\(start.column): \(diagnostic.code.rawValue): \(diagnostic.message)"
}

extension Substring {
    fileprivate var trimmed: String {
        var rest = self.drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
