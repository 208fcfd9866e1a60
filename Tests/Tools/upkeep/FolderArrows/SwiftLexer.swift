/// Splits Swift source into the tokens that name and nest declarations. It knows nested comments, raw and multi-line
/// strings, and interpolations; it does not know regular expression literals.
struct SwiftLexer {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private(set) var tokens: [SwiftToken] = []
    /// Where tokens and literals start, except in a literal.
    private var codeIndexes: [Int] = []
    private var literalDepth = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        readCode(untilParenthesis: false)
    }

    static func tokens(of text: String) -> [SwiftToken] { SwiftLexer(text).tokens }

    /// The number of lines with code. Of a literal, the first line counts: the others are those of its output.
    var codeLineCount: Int {
        var (count, lineEnd) = (0, 0)
        for index in codeIndexes where index >= lineEnd {
            count += 1
            lineEnd = scalars[index...].firstIndex(of: "\n") ?? scalars.endIndex
        }
        return count
    }

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    /// Reads to the end, or, in an interpolation, through the parenthesis that closes it.
    private mutating func readCode(untilParenthesis isInterpolation: Bool) {
        var depth = 0
        while let scalar = peek() {
            if scalar == "/", peek(1) == "/" {
                skipLine()
            } else if scalar == "/", peek(1) == "*" {
                skipBlockComment()
            } else if scalar == "\"" || scalar == "#" && startsRawString {
                readString()
            } else if scalar.startsWord {
                readWord()
            } else {
                index += 1
                if scalar == "(" { depth += 1 }
                if scalar == ")" { depth -= 1 }
                if isInterpolation, depth < 0 { return }
                if !scalar.properties.isWhitespace { append(.mark(scalar), at: index - 1) }
            }
        }
    }

    private mutating func append(_ token: SwiftToken, at index: Int) {
        tokens.append(token)
        if literalDepth == 0 { codeIndexes.append(index) }
    }

    private mutating func skipLine() {
        while let scalar = peek(), scalar != "\n" { index += 1 }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if peek() == "/", peek(1) == "*" {
                (depth, index) = (depth + 1, index + 2)
            } else if peek() == "*", peek(1) == "/" {
                (depth, index) = (depth - 1, index + 2)
            } else {
                index += 1
            }
        } while depth > 0 && index < scalars.count
    }

    private mutating func readWord() {
        var word = String.UnicodeScalarView()
        let start = index
        while let scalar = peek(), scalar.startsWord || scalar.isDigit {
            if scalar != "`" { word.append(scalar) }
            index += 1
        }
        append(.word(String(word)), at: start)
    }

    private var startsRawString: Bool {
        var offset = 0
        while peek(offset) == "#" { offset += 1 }
        return peek(offset) == "\""
    }

    private mutating func readString() {
        if literalDepth == 0 { codeIndexes.append(index) }
        literalDepth += 1
        defer { literalDepth -= 1 }
        var poundCount = 0
        while peek() == "#" { (poundCount, index) = (poundCount + 1, index + 1) }
        let quoteCount = peek(1) == "\"" && peek(2) == "\"" ? 3 : 1
        let end = Array(repeating: Unicode.Scalar("\""), count: quoteCount) + Array(repeating: "#", count: poundCount)
        let escape = ["\\"] + Array(repeating: Unicode.Scalar("#"), count: poundCount)
        index += quoteCount
        while index < scalars.count, !starts(with: end) {
            guard starts(with: escape) else {
                index += 1
                continue
            }
            index += escape.count + 1
            if scalars[index - 1] == "(" { readCode(untilParenthesis: true) }
        }
        index += end.count
    }

    private func starts(with part: [Unicode.Scalar]) -> Bool {
        part.indices.allSatisfy { peek($0) == part[$0] }
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { self >= "0" && self <= "9" }

    /// Whether an identifier or keyword starts here. Letters outside of ASCII are those of any script.
    fileprivate var startsWord: Bool {
        guard isASCII else { return properties.isAlphabetic }
        return self >= "a" && self <= "z" || self >= "A" && self <= "Z" || self == "_" || self == "`"
    }
}
