/// The words of an SQL statement.
struct SQLTokens {
    struct Token: Hashable {
        enum Kind { case word, name, text, number, symbol }

        let kind: Kind
        /// Without quotes.
        let text: String
        /// Where it is, in bytes.
        let bytes: Range<Int>

        func isWord(_ word: String) -> Bool { kind == .word && text.uppercased() == word }

        func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
    }

    private(set) var tokens: [Token] = []
    private let bytes: [UInt8]

    init(_ sql: String) {
        bytes = Array(sql.utf8)
        var index = 0
        while index < bytes.count {
            let start = index
            switch bytes[index] {
            case UInt8(ascii: " "), 9...13: index += 1
            case UInt8(ascii: "-") where next(index) == UInt8(ascii: "-"):
                while index < bytes.count, bytes[index] != 10 { index += 1 }
            case UInt8(ascii: "/") where next(index) == UInt8(ascii: "*"):
                index += 2
                while index < bytes.count, !(bytes[index] == UInt8(ascii: "*") && next(index) == UInt8(ascii: "/")) {
                    index += 1
                }
                index = min(index + 2, bytes.count)
            case UInt8(ascii: "'"): index = quoted(start, mark: UInt8(ascii: "'"), kind: .text)
            case UInt8(ascii: "\""): index = quoted(start, mark: UInt8(ascii: "\""), kind: .name)
            case UInt8(ascii: "`"): index = quoted(start, mark: UInt8(ascii: "`"), kind: .name)
            case UInt8(ascii: "["): index = quoted(start, mark: UInt8(ascii: "]"), kind: .name)
            case UInt8(ascii: "0")...UInt8(ascii: "9"): index = number(start)
            case UInt8(ascii: ".") where next(index).map(Self.isDigit) == true: index = number(start)
            case let byte where Self.isPart(byte):
                while index < bytes.count, Self.isPart(bytes[index]) { index += 1 }
                append(.word, from: start, end: index)
            default:
                let pair = String(decoding: bytes[start..<min(start + 2, bytes.count)], as: UTF8.self)
                index += ["<=", ">=", "<>", "!=", "==", "||"].contains(pair) ? 2 : 1
                append(.symbol, from: start, end: index)
            }
        }
    }

    /// The text that some tokens were written as.
    func text(_ range: Range<Int>) -> String {
        guard let first = tokens[range].first, let last = tokens[range].last else { return "" }
        return String(decoding: bytes[first.bytes.lowerBound..<last.bytes.upperBound], as: UTF8.self).oneLine
    }

    /// The position after the parenthesis that closes the one at `index`; `nil` if none does.
    func end(ofParenthesis index: Int) -> Int? {
        var depth = 0
        for position in index..<tokens.count {
            if tokens[position].isSymbol("(") { depth += 1 }
            if tokens[position].isSymbol(")") { depth -= 1 }
            if depth == 0 { return position + 1 }
        }
        return nil
    }

    private func next(_ index: Int) -> UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Adds a number, with an exponent that can have a sign.
    private mutating func number(_ start: Int) -> Int {
        var index = start
        let isHexadecimal = bytes[start] == UInt8(ascii: "0") && next(start).map { $0 | 0x20 } == UInt8(ascii: "x")
        while index < bytes.count {
            let isSign = bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-")
            let isExponent = index > start && bytes[index - 1] | 0x20 == UInt8(ascii: "e") && !isHexadecimal
            guard Self.isPart(bytes[index]) || bytes[index] == UInt8(ascii: ".") || isSign && isExponent else { break }
            index += 1
        }
        append(.number, from: start, end: index)
        return index
    }

    private mutating func append(_ kind: Token.Kind, from start: Int, end: Int) {
        tokens.append(Token(kind: kind, text: String(decoding: bytes[start..<end], as: UTF8.self), bytes: start..<end))
    }

    /// Adds what is in quotes, in which a doubled quote stands for one.
    private mutating func quoted(_ start: Int, mark: UInt8, kind: Token.Kind) -> Int {
        var (index, content): (Int, [UInt8]) = (start + 1, [])
        while index < bytes.count {
            if bytes[index] == mark {
                guard mark != UInt8(ascii: "]"), next(index) == mark else { break }
                index += 1
            }
            content.append(bytes[index])
            index += 1
        }
        let end = min(index + 1, bytes.count)
        tokens.append(Token(kind: kind, text: String(decoding: content, as: UTF8.self), bytes: start..<end))
        return end
    }
}

extension String {
    /// The text in one line, with one space between words.
    var oneLine: String { split { $0.isWhitespace }.joined(separator: " ") }
}
