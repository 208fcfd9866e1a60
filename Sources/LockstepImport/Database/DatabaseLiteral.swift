import Foundation
import LockstepJSON

/// Literals of SQL as values of the language.
enum DatabaseLiteral {
    /// A number with all its digits.
    static func number(_ text: String) -> JSONValue? {
        let sign = text.hasPrefix("-") ? "-" : ""
        let digits = text.dropFirst(sign.count)
        if digits.lowercased().hasPrefix("0x") {
            return Int64(digits.dropFirst(2), radix: 16).map { .integer(sign.isEmpty ? $0 : -$0) }
        }
        // JSON has digits on both sides of the point.
        var plain = digits.hasPrefix(".") ? "0" + digits : String(digits)
        if plain.hasSuffix(".") { plain += "0" }
        return JSONValue(number: sign + plain)
    }

    /// A default of a column.
    enum Default: Equatable {
        case null
        case value(JSONValue)
        case bytes([UInt8])
        case now
        case newUUID
        /// An expression without a counterpart.
        case expression
    }

    static func `default`(_ text: String) -> Default {
        var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        while text.hasPrefix("("), text.hasSuffix(")"), text.count > 1 { text = String(text.dropFirst().dropLast()) }
        return `default`(SQLTokens(text).tokens)
    }

    /// The meaning of a default, without the parentheses around it.
    static func `default`(_ tokens: [SQLTokens.Token]) -> Default {
        guard let first = tokens.first else { return .expression }
        if tokens.count == 2, first.isSymbol("-") || first.isSymbol("+"), tokens[1].kind == .number {
            return number((first.text == "-" ? "-" : "") + tokens[1].text).map(Default.value) ?? .expression
        }
        if tokens.count == 2, first.isWord("X"), tokens[1].kind == .text {
            return bytes(tokens[1].text).map(Default.bytes) ?? .expression
        }
        if isNow(tokens) { return .now }
        // The name of a function can have that of its schema.
        let last = tokens.last { $0.kind != .symbol }?.text.lowercased() ?? ""
        if makesUUID.contains(last), tokens.last?.isSymbol(")") == true { return .newUUID }
        guard tokens.count == 1 else { return .expression }
        switch first.kind {
        case .text, .name: return .value(.string(first.text))
        case .number: return number(first.text).map(Default.value) ?? .expression
        case .word:
            switch first.text.uppercased() {
            case "NULL": return .null
            case "TRUE": return .value(true)
            case "FALSE": return .value(false)
            default: return .expression
            }
        case .symbol: return .expression
        }
    }

    private static let makesUUID: Set = [
        "gen_random_uuid", "uuid_generate_v1", "uuid_generate_v4", "uuid_generate_v7", "uuidv4", "uuidv7", "uuid",
    ]
    private static let times: Set = [
        "now", "transaction_timestamp", "statement_timestamp", "clock_timestamp", "current_timestamp", "current_date",
        "localtimestamp",
    ]
    /// The other words of expressions for the current time.
    private static let timeWords: Set = [
        "at", "time", "zone", "timezone", "utc", "date", "timestamp", "timestamptz", "with", "without",
    ]

    /// `CURRENT_TIMESTAMP`, `datetime('now')`, `strftime('%s', 'now')`, `now() AT TIME ZONE 'utc'` and the like.
    private static func isNow(_ tokens: [SQLTokens.Token]) -> Bool {
        guard let first = tokens.first else { return false }
        let functions = ["DATETIME", "DATE", "STRFTIME", "UNIXEPOCH", "JULIANDAY"]
        if functions.contains(where: first.isWord) {
            let arguments = tokens.dropFirst().filter { $0.kind != .symbol }
            let isEmptyCall = arguments.isEmpty && tokens.count == 3
            if isEmptyCall || arguments.last.map({ $0.kind == .text && $0.text.lowercased() == "now" }) == true {
                return true
            }
        }
        // `CURRENT_TIMESTAMP(6)` has digits.
        let hasDigits = tokens.count == 4 && tokens[2].kind == .number
        let words = (hasDigits ? [first] : tokens).filter { $0.kind != .symbol }
        return words.count { $0.kind == .word && times.contains($0.text.lowercased()) } == 1
            && words.allSatisfy { times.union(timeWords).contains($0.text.lowercased()) }
    }

    private static func bytes(_ digits: String) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}
