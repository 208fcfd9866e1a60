import LockstepJSON

/// The CHECK constraints of a table, by column.
struct DatabaseChecks {
    /// The limits of a column's values.
    struct Limits {
        /// The values that are allowed, in the order of the constraint; empty for all.
        var values: [JSONValue] = []
        var minimum: JSONValue?
        var maximum: JSONValue?
        var minimumLength: Int64?
        var maximumLength: Int64?
    }

    /// By the names of columns.
    private(set) var limits: [String: Limits] = [:]
    /// The constraints without a counterpart.
    private(set) var others: [DatabaseCheck] = []

    init(_ table: DatabaseTable) {
        for check in table.checks {
            var found = limits
            if Self.read(check.tokens, in: table, limits: &found) {
                limits = found
            } else {
                others.append(check)
            }
        }
    }

    // MARK: Expressions

    private typealias Tokens = [SQLTokens.Token]

    /// Whether all of an expression was understood.
    private static func read(_ tokens: Tokens, in table: DatabaseTable, limits: inout [String: Limits]) -> Bool {
        let tokens = withoutParentheses(tokens)
        let alternatives = split(tokens, at: "OR")
        if alternatives.count == 2, let rest = alternatives.first(where: { !isNullTest($0) }),
            alternatives.contains(where: isNullTest)
        {
            // NULL passes every check anyway.
            return read(rest, in: table, limits: &limits)
        }
        guard alternatives.count == 1 else { return false }
        let parts = split(tokens, at: "AND")
        if parts.count > 1 { return parts.allSatisfy { read($0, in: table, limits: &limits) } }
        return readTerm(tokens, in: table, limits: &limits)
    }

    private static func readTerm(_ tokens: Tokens, in table: DatabaseTable, limits: inout [String: Limits]) -> Bool {
        if isNotNullTest(tokens) { return tokens.first.flatMap { table.column($0.text) }?.isRequired == true }
        guard let (column, isLength, rest) = subject(tokens, in: table) else {
            return readReversed(tokens, in: table, limits: &limits)
        }
        var own = limits[column.name] ?? Limits()
        guard let first = rest.first else { return false }
        if first.isWord("IN"), !isLength {
            guard own.values.isEmpty, let values = list(Array(rest.dropFirst())) else { return false }
            own.values = values
        } else if first.isWord("BETWEEN") {
            let bounds = rest.dropFirst().split { $0.isWord("AND") }.map { literal(Array($0)) }
            guard bounds.count == 2, let low = bounds[0], let high = bounds[1],
                own.add(">=", value: low, isLength: isLength, column: column),
                own.add("<=", value: high, isLength: isLength, column: column)
            else { return false }
        } else if first.kind == .symbol, let value = literal(Array(rest.dropFirst())) {
            if ["<>", "!="].contains(first.text), value == "", !isLength {
                own.minimumLength = max(own.minimumLength ?? 0, 1)
            } else if !own.add(first.text, value: value, isLength: isLength, column: column) {
                return false
            }
        } else {
            return false
        }
        limits[column.name] = own
        return true
    }

    /// `0 <= x`.
    private static func readReversed(_ tokens: Tokens, in table: DatabaseTable, limits: inout [String: Limits]) -> Bool
    {
        let mirrored = ["<": ">", ">": "<", "<=": ">=", ">=": "<="]
        guard let index = tokens.firstIndex(where: { mirrored[$0.text] != nil && $0.kind == .symbol }),
            let value = literal(Array(tokens[..<index])), let symbol = mirrored[tokens[index].text],
            let (column, isLength, rest) = subject(Array(tokens[(index + 1)...]), in: table), rest.isEmpty
        else { return false }
        return limits[column.name, default: Limits()].add(
            symbol, value: value, isLength: isLength, column: column)
    }

    /// A column, or its length, at the beginning.
    private static func subject(
        _ tokens: Tokens, in table: DatabaseTable
    ) -> (DatabaseColumn, isLength: Bool, rest: Tokens)? {
        guard let first = tokens.first else { return nil }
        if first.isSymbol("("), tokens.count > 2, tokens[2].isSymbol(")") {
            return subject([tokens[1]] + tokens[3...], in: table)
        }
        guard first.kind == .word || first.kind == .name else { return nil }
        if ["LENGTH", "CHAR_LENGTH"].contains(where: first.isWord), tokens.count > 3, tokens[1].isSymbol("("),
            tokens[3].isSymbol(")"), let column = table.column(tokens[2].text)
        {
            return (column, true, Array(tokens[4...]))
        }
        guard let column = table.column(first.text) else { return nil }
        return (column, false, Array(tokens.dropFirst()))
    }

    /// The values in parentheses.
    private static func list(_ tokens: Tokens) -> [JSONValue]? {
        guard tokens.count > 2, tokens[0].isSymbol("("), tokens[tokens.count - 1].isSymbol(")") else { return nil }
        if tokens[1].isSymbol("(") { return list(Array(tokens[1..<tokens.count - 1])) }
        var values: [JSONValue] = []
        for part in tokens[1..<tokens.count - 1].split(
            omittingEmptySubsequences: false, whereSeparator: { $0.isSymbol(",") })
        {
            if part.count == 1, part.first?.isWord("NULL") == true { continue }
            guard let value = literal(Array(part)) else { return nil }
            if !values.contains(value) { values.append(value) }
        }
        return values.isEmpty ? nil : values
    }

    private static func literal(_ tokens: Tokens) -> JSONValue? {
        let tokens = withoutParentheses(tokens)
        if tokens.count == 2, tokens[0].isSymbol("-") || tokens[0].isSymbol("+"), tokens[1].kind == .number {
            return DatabaseLiteral.number((tokens[0].text == "-" ? "-" : "") + tokens[1].text)
        }
        guard tokens.count == 1, let token = tokens.first else { return nil }
        switch token.kind {
        case .text: return .string(token.text)
        case .number: return DatabaseLiteral.number(token.text)
        default: return nil
        }
    }

    private static func isNullTest(_ tokens: Tokens) -> Bool {
        let tokens = tokens.filter { !$0.isSymbol("(") && !$0.isSymbol(")") }
        return tokens.count == 3 && tokens[1].isWord("IS") && tokens[2].isWord("NULL")
    }

    private static func isNotNullTest(_ tokens: Tokens) -> Bool {
        tokens.count == 4 && tokens[1].isWord("IS") && tokens[2].isWord("NOT") && tokens[3].isWord("NULL")
    }

    private static func withoutParentheses(_ tokens: Tokens) -> Tokens {
        var tokens = tokens[...]
        while tokens.count > 2, let first = tokens.first, first.isSymbol("("), closesAtEnd(tokens) {
            tokens = tokens.dropFirst().dropLast()
        }
        return Array(tokens)
    }

    private static func closesAtEnd(_ tokens: ArraySlice<SQLTokens.Token>) -> Bool {
        var depth = 0
        for index in tokens.indices {
            if tokens[index].isSymbol("(") { depth += 1 }
            if tokens[index].isSymbol(")") { depth -= 1 }
            if depth == 0 { return index == tokens.endIndex - 1 }
        }
        return false
    }

    /// The operands outside of parentheses; the AND of a BETWEEN is none.
    private static func split(_ tokens: Tokens, at word: String) -> [Tokens] {
        var (parts, depth, isBetween): ([Tokens], Int, Bool) = ([[]], 0, false)
        for token in tokens {
            if token.isSymbol("(") { depth += 1 }
            if token.isSymbol(")") { depth -= 1 }
            if depth == 0, token.isWord("BETWEEN") { isBetween = true }
            if depth == 0, token.isWord(word), !(word == "AND" && isBetween) {
                parts.append([])
                continue
            }
            if depth == 0, token.isWord("AND") { isBetween = false }
            parts[parts.count - 1].append(token)
        }
        return parts
    }
}

extension DatabaseChecks.Limits {
    /// Adds a comparison, if the language has it.
    fileprivate mutating func add(_ symbol: String, value: JSONValue, isLength: Bool, column: DatabaseColumn) -> Bool {
        if isLength, symbol == "=" || symbol == "==" {
            return add(">=", value: value, isLength: true, column: column)
                && add("<=", value: value, isLength: true, column: column)
        }
        var number = value
        var symbol = symbol
        // Between whole numbers, `x > 0` is `x >= 1`.
        if case .integer(let whole) = value, symbol == ">" || symbol == "<" {
            guard isLength || column.declaredType.uppercased().contains("INT"),
                let next = whole.plus(symbol == ">" ? 1 : -1)
            else { return false }
            (number, symbol) = (.integer(next), symbol + "=")
        }
        guard symbol == ">=" || symbol == "<=" else { return false }
        if isLength {
            guard case .integer(let count) = number, count >= 0 else { return false }
            if symbol == ">=" { minimumLength = max(minimumLength ?? 0, count) }
            if symbol == "<=" { maximumLength = min(maximumLength ?? .max, count) }
            return true
        }
        guard number.isNumber else { return false }
        if symbol == ">=" {
            if minimum != nil { return false }
            minimum = number
        } else {
            if maximum != nil { return false }
            maximum = number
        }
        return true
    }
}
