/// The tokens of a program, without its comments. A literal counts as one token, whatever it contains, so that two
/// programs that differ only in their literals and comments have the same tokens.
enum CodeTokens {
    /// The tokens of Swift, by the chapter “Lexical Structure” of its reference.
    static func swift(_ text: [UInt8]) -> [String] {
        var reader = Reader(text)
        var tokens: [String] = []
        while !reader.isAtEnd {
            let start = reader.index
            if reader.skip("//") {
                reader.skipLine()
            } else if reader.skip("/*") {
                tokens.append(reader.skipComment() ? "" : "unterminated comment")
            } else if let pounds = reader.literalStart() {
                tokens.append(reader.skipLiteral(pounds: pounds))
            } else {
                reader.skipWord()
                tokens.append(reader.text(since: start))
            }
        }
        return tokens.filter { !$0.allSatisfy(\.isWhitespace) }
    }

    /// The tokens of SQL. A name in quotes is a literal.
    static func sql(_ text: [UInt8]) -> [String] {
        var reader = Reader(text)
        var tokens: [String] = []
        while !reader.isAtEnd {
            let start = reader.index
            if reader.skip("--") {
                reader.skipLine()
            } else if reader.skip("'") {
                tokens.append(reader.skipDoubled("'") ? "literal" : "unterminated literal")
            } else if reader.skip("\"") {
                tokens.append(reader.skipDoubled("\"") ? "name" : "unterminated name")
            } else {
                reader.skipWord()
                tokens.append(reader.text(since: start))
            }
        }
        return tokens.filter { !$0.allSatisfy(\.isWhitespace) }
    }

    private struct Reader {
        private let bytes: [UInt8]
        private(set) var index = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { index >= bytes.count }

        func text(since start: Int) -> String { String(decoding: bytes[start..<index], as: UTF8.self) }

        private func isNext(_ text: String, at offset: Int = 0) -> Bool {
            bytes[min(index + offset, bytes.count)...].starts(with: text.utf8)
        }

        mutating func skip(_ text: String) -> Bool {
            guard isNext(text) else { return false }
            index += text.utf8.count
            return true
        }

        mutating func skipLine() {
            while !isAtEnd, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") { index += 1 }
        }

        /// Comments can contain comments.
        mutating func skipComment() -> Bool {
            var depth = 1
            while !isAtEnd {
                if skip("/*") { depth += 1 } else if skip("*/") { depth -= 1 } else { index += 1 }
                if depth == 0 { return true }
            }
            return false
        }

        /// The number of `#` of the literal that begins here, of which the quote is next.
        mutating func literalStart() -> Int? {
            var count = 0
            while isNext("#", at: count) { count += 1 }
            guard isNext("\"", at: count) else { return nil }
            index += count
            return count
        }

        mutating func skipLiteral(pounds: Int) -> String {
            let delimiter = String(repeating: "#", count: pounds)
            let isLong = skip("\"\"\"")
            if !isLong { _ = skip("\"") }
            while !isAtEnd {
                if skip((isLong ? "\"\"\"" : "\"") + delimiter) { return "literal" }
                if skip("\\" + delimiter) {
                    if isNext("(") { return "interpolation" }
                    index += 1
                } else {
                    if !isLong, isNext("\n") || isNext("\r") { return "unterminated literal" }
                    index += 1
                }
            }
            return "unterminated literal"
        }

        mutating func skipDoubled(_ quote: String) -> Bool {
            while !isAtEnd {
                if skip(quote + quote) { continue }
                if skip(quote) { return true }
                index += 1
            }
            return false
        }

        /// A word, or one other character.
        mutating func skipWord() {
            let start = index
            while !isAtEnd, isPart(bytes[index]) { index += 1 }
            if index == start { index += 1 }
        }

        private func isPart(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
            default: false
            }
        }
    }
}
