import LockstepJSON

/// An expression as PostgreSQL writes it, converted to plain SQL: `((status)::text = ANY (ARRAY['a'::text]))` is
/// `status IN ('a')`.
struct PostgreSQLExpression {
    private(set) var tokens: [SQLTokens.Token]

    /// The tokens of longer expressions are not parsed: the language has no counterpart of them.
    private static let tokenLimit = 2000

    /// - Parameter type: The type that all values have in any case, such as that of a domain: a cast to it stays out.
    init(_ text: String, type: PostgreSQLType? = nil) {
        tokens = SQLTokens(Self.withoutBrackets(text)).tokens
        if tokens.count > Self.tokenLimit { tokens = [] }
        removeCasts(to: type)
        removeParentheses()
        makeLists()
    }

    // MARK: Plain SQL

    /// Brackets enclose the elements of arrays. In other databases, they enclose names.
    private static func withoutBrackets(_ text: String) -> String {
        var quote: UInt8?
        let bytes = text.utf8.map { byte -> UInt8 in
            if let open = quote {
                if byte == open { quote = nil }
                return byte
            }
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
            case UInt8(ascii: "["): return UInt8(ascii: "(")
            case UInt8(ascii: "]"): return UInt8(ascii: ")")
            default: break
            }
            return byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `'5'::integer` is a number, and `title::text` the column. A column as another type has other values, so that
    /// cast stays.
    private mutating func removeCasts(to own: PostgreSQLType?) {
        var plain: [SQLTokens.Token] = []
        var index = 0
        while index < tokens.count {
            guard tokens[index].isSymbol(":"), index + 1 < tokens.count, tokens[index + 1].isSymbol(":") else {
                plain.append(tokens[index])
                index += 1
                continue
            }
            let start = index + 2
            let end = max(endOfType(start), start)
            guard Self.isLiteral(plain) || Self.keepsValues(tokens[min(start, end)..<end], of: own) else {
                plain += tokens[index..<end]
                index = end
                continue
            }
            let type = start < end ? tokens[start].text.lowercased() : ""
            index = end
            if Self.numbers.contains(type), let last = plain.last, last.kind == .text {
                plain[plain.count - 1] = SQLTokens.Token(kind: .number, text: last.text, bytes: last.bytes)
            }
        }
        tokens = plain
    }

    /// Whether the operand at the end is a literal, or literals in parentheses.
    private static func isLiteral(_ tokens: [SQLTokens.Token]) -> Bool {
        guard let last = tokens.last else { return false }
        guard last.isSymbol(")") else { return isPartOfLiteral(last) }
        var depth = 0
        for token in tokens.reversed() {
            if token.isSymbol(")") {
                depth += 1
            } else if token.isSymbol("(") {
                depth -= 1
                if depth == 0 { return true }
            } else if !isPartOfLiteral(token), !["-", "+", ","].contains(token.text), !token.isWord("ARRAY") {
                return false
            }
        }
        return false
    }

    private static func isPartOfLiteral(_ token: SQLTokens.Token) -> Bool {
        token.kind == .text || token.kind == .number || token.isWord("NULL")
    }

    /// Whether a type holds any text, or the values of another type, as they are.
    private static func keepsValues(_ type: ArraySlice<SQLTokens.Token>, of own: PostgreSQLType?) -> Bool {
        guard let first = type.first?.text.lowercased(), !type.contains(where: { $0.kind == .number }) else {
            return false
        }
        return ["text", "character", "varchar", "bpchar"].contains(first)
            || own?.name == type.map(\.text).joined(separator: " ")
    }

    private static let numbers: Set = ["integer", "bigint", "smallint", "numeric", "double", "real"]
    /// The words of a type after its first one.
    private static let laterWords: Set = ["varying", "precision", "with", "without", "time", "zone"]

    private func endOfType(_ start: Int) -> Int {
        var index = start + 1
        while index < tokens.count {
            if tokens[index].isSymbol(".") {
                index += 2
            } else if tokens[index].kind == .word, Self.laterWords.contains(tokens[index].text.lowercased()) {
                index += 1
            } else if tokens[index].isSymbol("("), let end = endOfNumbers(index) {
                index = end
            } else {
                break
            }
        }
        return min(index, tokens.count)
    }

    /// The end of `(10, 2)` and of `()`, which stands for `[]`; `nil` if something else is in the parentheses.
    private func endOfNumbers(_ start: Int) -> Int? {
        var index = start + 1
        while index < tokens.count, tokens[index].kind == .number || tokens[index].isSymbol(",") { index += 1 }
        return index < tokens.count && tokens[index].isSymbol(")") ? index + 1 : nil
    }

    /// `(title)` is the column, unless it is the argument of a function or an element of a list.
    private mutating func removeParentheses() {
        var plain: [SQLTokens.Token] = []
        for token in tokens {
            plain.append(token)
            while let count = Optional(plain.count), count > 2, plain[count - 1].isSymbol(")"),
                plain[count - 3].isSymbol("("), plain[count - 2].kind != .symbol,
                count == 3 || !Self.isCall(plain[count - 4])
            {
                plain.remove(at: count - 1)
                plain.remove(at: count - 3)
            }
        }
        tokens = plain
    }

    private static func isCall(_ token: SQLTokens.Token) -> Bool {
        let operators = ["AND", "OR", "NOT"]
        return token.kind == .name || token.kind == .word && !operators.contains(where: token.isWord)
    }

    /// `x = ANY (ARRAY['a', 'b'])` is `x IN ('a', 'b')`.
    private mutating func makeLists() {
        var plain: [SQLTokens.Token] = []
        for token in tokens where !token.isWord("ARRAY") {
            if token.isWord("ANY"), let last = plain.last, last.isSymbol("=") {
                plain[plain.count - 1] = SQLTokens.Token(kind: .word, text: "IN", bytes: last.bytes)
            } else {
                plain.append(token)
            }
        }
        tokens = plain
    }

    // MARK: Meaning

    /// The condition of a domain as that of a column.
    func replacingValue(by column: String) -> [SQLTokens.Token] {
        tokens.map { token in
            token.isWord("VALUE") ? SQLTokens.Token(kind: .name, text: column, bytes: token.bytes) : token
        }
    }

    /// The meaning of a default.
    var defaultValue: DatabaseLiteral.Default { DatabaseLiteral.default(tokens) }
}
