import LockstepSchema

extension Code {
    /// A doc comment with the schema's text, line by line, each at most 120 columns at the given indentation; empty if
    /// there is none.
    static func documentation(_ text: String?, indentation: Int = 4) -> Code {
        guard let text, !text.allSatisfy(\.isWhitespace) else { return Code() }
        let width = 120 - indentation - 4
        if isPlainLine(text, width: width) { return "/// \(text)" }
        var lines: [Code] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            lines += wrap(line, width: width).map { $0.isEmpty ? "///" : "/// \($0)" }
        }
        while lines.last?.bytes == Array("///".utf8) { lines.removeLast() }
        return .lines(lines)
    }

    /// `@available(*, deprecated, …)`, or nothing.
    static func deprecation(_ text: String?) -> Code {
        guard let text else { return Code() }
        return "@available(*, deprecated, message: \(SwiftLiteral.string(text)))"
    }

    /// Whether a text is a line of printable ASCII that need not be wrapped, as most are.
    private static func isPlainLine(_ text: String, width: Int) -> Bool {
        text.utf8.count <= width && text.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
    }

    private static func wrap(_ line: Substring, width: Int) -> [String] {
        guard line.utf8.count > width, line.count > width else { return [String(line)] }
        var lines: [String] = []
        var current = ""
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            if !current.isEmpty, current.count + 1 + word.count > width {
                lines.append(current)
                current = String(word)
            } else {
                current += current.isEmpty && lines.isEmpty ? String(word) : (current.isEmpty ? "" : " ") + word
            }
        }
        return lines + [current]
    }
}
