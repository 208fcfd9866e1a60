package import LockstepJSON

/// Formats diagnostics for people and machines. It has the sources, for the excerpts.
///
///     let renderer = DiagnosticRenderer(sources: sources, isColoured: isatty(2) == 1)
///     print(renderer.text(reading.diagnostics))
package struct DiagnosticRenderer: Sendable {
    let isColoured: Bool
    private let sources: [String: SchemaSource]

    /// Creates a renderer for diagnostics of these sources.
    ///
    /// - Parameters:
    ///   - sources: The texts for the excerpts.
    ///   - isColoured: Whether `text` contains the escape sequences of a terminal.
    package init(sources: [SchemaSource], isColoured: Bool = false) {
        self.isColoured = isColoured
        let files = sources.flatMap { [$0] + $0.included }
        self.sources = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The diagnostics, each with an excerpt and a remedy, followed by a line with their number. They are sorted by
    /// file, position and code. Empty if there are none.
    package func text(_ diagnostics: [Diagnostic]) -> String { terminalText(diagnostics).description }

    /// The same. What is not our own, such as names, paths and lines of the source, is made visible.
    package func terminalText(_ diagnostics: [Diagnostic]) -> TerminalText {
        guard !diagnostics.isEmpty else { return "" }
        let ordered = Diagnostic.sortedWithoutRepeats(diagnostics)
        let paths = Set(ordered.flatMap { [$0.location.path] + $0.notes.map(\.location.path) })
        let shown = sources.filter { paths.contains($0.key) && !$0.value.isTooLarge }
        let lines = shown.mapValues { TextLines($0.bytes) }
        return (ordered.map { text($0, lines: lines) } + ["\(summary(ordered))\n"]).joined(separator: "\n")
    }

    /// "2 errors, 1 warning, 1 note".
    package func summary(_ diagnostics: [Diagnostic]) -> String {
        func count(_ severity: Diagnostic.Severity) -> String? {
            let count = diagnostics.count { $0.severity == severity }
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        let counts = [count(.error), count(.warning), count(.note)].compactMap(\.self)
        return counts.isEmpty ? "no findings" : counts.joined(separator: ", ")
    }

    private func text(_ diagnostic: Diagnostic, lines: [String: TextLines]) -> TerminalText {
        let style = TextStyle(diagnostic.severity)
        var output =
            styled("\(position(diagnostic.location)): ", style: .strong)
            + styled("\(diagnostic.severity.rawValue): ", style: style)
            + styled("\(diagnostic.message)", style: .strong) + " [\(diagnostic.code.rawValue)]\n"
        output += excerpt(diagnostic.location, lines: lines, style: style)
        for note in diagnostic.notes {
            output += "\(position(note.location)): " + styled("note: ", style: .note) + "\(note.message)\n"
            output += excerpt(note.location, lines: lines, style: .note)
        }
        let remedies = diagnostic.remedies.map { "\($0)" as TerminalText }
        return output + styled("help: ", style: .help) + remedies.joined(separator: "\n      ") + "\n"
    }

    private func position(_ location: SourceRange) -> String {
        "\(location.path):\(location.start.line):\(location.start.column)"
    }

    private func excerpt(_ location: SourceRange, lines: [String: TextLines], style: TextStyle) -> TerminalText {
        guard let line = lines[location.path]?.line(location.start.line) else { return "" }
        let isOneLine = location.start.line == location.end.line
        let excerpt = Excerpt(line, column: location.start.column, endColumn: isOneLine ? location.end.column : nil)
        let number = String(location.start.line)
        let margin = String(repeating: " ", count: number.utf8.count)
        return styled(" \(number) | ", style: .margin) + "\(excerpt.text)\n"
            + styled(" \(margin) | ", style: .margin) + "\(excerpt.indentation)"
            + styled("\(excerpt.marker)", style: style) + "\n"
    }

    private func styled(_ text: TerminalText, style: TextStyle) -> TerminalText {
        isColoured && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// Select Graphic Rendition codes of ECMA-48.
private enum TextStyle: String {
    case strong = "1"
    case error = "1;31"
    case warning = "1;33"
    case note = "1;36"
    case help = "1;32"
    case margin = "34"

    init(_ severity: Diagnostic.Severity) {
        switch severity {
        case .error: self = .error
        case .warning: self = .warning
        case .note: self = .note
        }
    }
}
