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
        switch try? JSONValue(json: Data((sign + plain).utf8)) {
        case .integer(let number): return .integer(number)
        case .decimal(let number): return .decimal(number)
        case .double(let number): return .double(number)
        default: return nil
        }
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
        let tokens = SQLTokens(text).tokens
        guard let first = tokens.first else { return .expression }
        if tokens.count == 2, first.isSymbol("-") || first.isSymbol("+"), tokens[1].kind == .number {
            return number((first.text == "-" ? "-" : "") + tokens[1].text).map(Default.value) ?? .expression
        }
        if tokens.count == 2, first.isWord("X"), tokens[1].kind == .text {
            return bytes(tokens[1].text).map(Default.bytes) ?? .expression
        }
        if isNow(tokens) { return .now }
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

    /// `CURRENT_TIMESTAMP`, `datetime('now')`, `strftime('%s', 'now')` and the like.
    private static func isNow(_ tokens: [SQLTokens.Token]) -> Bool {
        guard let first = tokens.first, first.kind == .word else { return false }
        if tokens.count == 1 { return ["CURRENT_TIMESTAMP", "CURRENT_DATE"].contains(first.text.uppercased()) }
        let functions = ["DATETIME", "DATE", "STRFTIME", "UNIXEPOCH", "JULIANDAY"]
        guard functions.contains(first.text.uppercased()) else { return false }
        let arguments = tokens.dropFirst().filter { $0.kind != .symbol }
        let isEmptyCall = arguments.isEmpty && tokens.count == 3
        return isEmptyCall || arguments.last.map { $0.kind == .text && $0.text.lowercased() == "now" } == true
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
