import Foundation

/// A statement of a Ruby file: a line, or several if a literal in it has line breaks.
struct RubyStatement {
    let text: String
    /// The text without comments, and without what is in literals.
    let code: String
    /// From 1.
    let line: Int
    /// Whether lines below it are its text, as those below `<<-SQL` are.
    let hasHeredoc: Bool

    /// Whether it begins what an `end` closes.
    var opensBlock: Bool {
        let word = code.prefix { $0.isLetter || $0 == "_" }
        return code.contains(/(^|[^\w.:])do\s*(\|[^|]*\|)?$/)
            || Self.keywords.contains(String(word)) && !code.hasSuffix(" end")
    }

    private static let keywords: Set = [
        "begin", "case", "class", "def", "for", "if", "module", "unless", "until", "while",
    ]
}

/// Divides a Ruby file into statements, so that nothing in a string, a comment or a heredoc is taken for code.
struct RubyStatements {
    private let bytes: [UInt8]
    private let path: String
    private var index = 0
    private var line = 1
    private var code: [UInt8] = []
    /// What begins in the statement, and ends in the lines below.
    private var heredocs: [(name: [UInt8], isIndented: Bool)] = []

    /// - Parameter path: The path of the file, for errors.
    init(_ text: String, path: String) { (bytes, self.path) = (Array(text.utf8), path) }

    /// The next statement or comment; `nil` at the end.
    ///
    /// - Throws: ``ImportFailure`` with the line of a literal that is not closed.
    mutating func next() throws(ImportFailure) -> RubyStatement? {
        while peek != nil {
            if starts("=begin") {
                try skipLines(from: line) { $0.starts(with: "=end".utf8) }
                continue
            }
            let (start, first) = (index, line)
            (code, heredocs) = ([], [])
            while let byte = peek, byte != Self.newline { try read(byte) }
            let statement = RubyStatement(
                text: Self.trimmed(bytes[start..<index]), code: Self.trimmed(code[...]), line: first,
                hasHeredoc: !heredocs.isEmpty)
            if statement.text == "__END__" { return nil }
            (index, line) = (index + 1, line + 1)
            for (name, isIndented) in heredocs {
                try skipLines(from: first) { text in
                    (isIndented ? text.drop { " \t".utf8.contains($0) } : text).elementsEqual(name)
                }
            }
            if !statement.text.isEmpty { return statement }
        }
        return nil
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: Lines

    private static let newline = UInt8(ascii: "\n")

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func starts(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    /// Skips the lines to the first that fulfils a condition, and that line.
    ///
    /// - Parameter first: The line of what begins them, for the error.
    private mutating func skipLines(
        from first: Int, to isLast: (ArraySlice<UInt8>) -> Bool
    ) throws(ImportFailure) {
        while peek != nil {
            let end = bytes[index...].firstIndex(of: Self.newline) ?? bytes.count
            let text = bytes[index..<end]
            (index, line) = (end + 1, line + 1)
            if isLast(text.last == UInt8(ascii: "\r") ? text.dropLast() : text) { return }
        }
        throw unclosed(first)
    }

    private func unclosed(_ line: Int) -> ImportFailure {
        ImportFailure(
            path, line: line,
            reason: "The text that begins here has no end. Get the file again, or dump it with 'rails db:schema:dump'.")
    }

    // MARK: Literals

    private mutating func read(_ byte: UInt8) throws(ImportFailure) {
        switch byte {
        case UInt8(ascii: "#"): while let next = peek, next != Self.newline { index += 1 }
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): try skipLiteral(to: byte, after: 1)
        case UInt8(ascii: "%") where beginsOperand: try readPercent()
        case UInt8(ascii: "<") where beginsOperand && starts("<<"): readHeredoc()
        default: keep(1)
        }
    }

    /// Takes bytes as code.
    private mutating func keep(_ count: Int) {
        code += bytes[index..<index + count]
        index += count
    }

    /// Whether what follows can be a value, and not only an operator: `%w[a b]`, but not the `%` of `4%2`.
    private var beginsOperand: Bool { code.last.map { " \t(,=[{|:!&".utf8.contains($0) } ?? true }

    /// Reads `%w[a b]`, `%q(it's)` and `%(a)`.
    private mutating func readPercent() throws(ImportFailure) {
        let kind = bytes[(index + 1)...].prefix { "qQwWiIrsx".utf8.contains($0) }.count
        let start = index + 1 + kind
        guard kind < 2, start < bytes.count, let pair = Self.pairs[bytes[start]] else { return keep(1) }
        try skipLiteral(to: pair, opening: pair == bytes[start] ? nil : bytes[start], after: 2 + kind)
    }

    /// The ends of literals, by their beginnings.
    private static let pairs = Dictionary(uniqueKeysWithValues: zip("([{<|/!".utf8, ")]}>|/!".utf8))

    /// - Parameters:
    ///   - open: What another end is needed for.
    ///   - count: The number of bytes at the beginning.
    private mutating func skipLiteral(
        to close: UInt8, opening open: UInt8? = nil, after count: Int
    ) throws(ImportFailure) {
        let first = line
        var depth = 1
        index += count
        while let byte = peek {
            index += 1
            if byte == UInt8(ascii: "\\"), peek != nil {
                if peek == Self.newline { line += 1 }
                index += 1
            }
            if byte == Self.newline { line += 1 }
            if byte == close { depth -= 1 } else if byte == open { depth += 1 }
            if depth == 0 { return code += Array("\"\"".utf8) }
        }
        throw unclosed(first)
    }

    /// Reads `<<-SQL`, `<<~"END"` and `<<SQL`.
    private mutating func readHeredoc() {
        var start = index + 2
        func take(_ bytes: String) -> UInt8? {
            guard start < self.bytes.count, bytes.utf8.contains(self.bytes[start]) else { return nil }
            start += 1
            return self.bytes[start - 1]
        }
        let isIndented = take("-~") != nil
        let quote = take("\"'`")
        let name = bytes[start...].prefix { byte in
            quote.map { byte != $0 && byte != Self.newline } ?? RubyLineScanner.isWord(byte)
        }
        let isClosed = quote == nil || bytes[name.endIndex...].first == quote
        guard let first = name.first, isClosed, quote != nil || !"0123456789".utf8.contains(first) else {
            return keep(2)
        }
        heredocs.append((Array(name), isIndented))
        index = name.endIndex + (quote == nil ? 0 : 1)
        code += Array("\"\"".utf8)
    }
}
