/// Why bytes are not JSON (RFC 8259), and where.
///
/// It tells the place and what is wrong there, never what the text says: `byte 17: a number may not begin with 0`.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The place of the first byte that is wrong, counted from 0; the length of the text where it ends too early.
    public let offset: Int
    /// What is wrong there.
    public let reason: Reason

    /// What can be wrong.
    public enum Reason: Hashable, Sendable {
        /// The text ends in the middle of a value. What is there could be the beginning of JSON.
        case unexpectedEnd
        /// A byte that cannot be there.
        case unexpectedByte(UInt8)
        /// A byte that cannot be there in UTF-8: of an overlong form, of a surrogate, beyond U+10FFFF, or where a
        /// character was not finished.
        case notUTF8
        /// A control character in a string that is not escaped.
        case controlCharacter(UInt8)
        /// A backslash with what no escape begins with, or half of a surrogate pair. The place is the backslash.
        case badEscape
        /// A number that begins with 0 and goes on with another digit: `012`.
        case leadingZero
        /// A number that lacks a digit here: `-x`, `1.`, `1e+`.
        case badNumber
        /// A number beyond what a `Double` can be: `1e400`. It is JSON, but nothing holds its value.
        case numberTooGreat
        /// Arrays and objects in each other, deeper than this.
        case tooDeep(limit: Int)
        /// Something behind the value.
        case trailingContent
    }

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// The place and what is wrong there: `byte 17: a number may not begin with 0`.
    public var description: String { "byte \(offset): \(reason)" }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .unexpectedEnd: "the text ends in the middle of a value"
        case .unexpectedByte(let byte): "\(Self.name(of: byte)) cannot be here"
        case .notUTF8: "the text is not UTF-8"
        case .controlCharacter(let byte): "a string holds \(Self.name(of: byte)), which must be escaped"
        case .badEscape: "a string holds an escape that JSON does not have, or half of a surrogate pair"
        case .leadingZero: "a number may not begin with 0"
        case .badNumber: "a number lacks a digit"
        case .numberTooGreat: "a number is beyond what can be held"
        case .tooDeep(let limit): "arrays and objects are nested more than \(limit) deep"
        case .trailingContent: "something follows the value"
        }
    }

    /// A byte as its character, where it can be seen.
    private static func name(of byte: UInt8) -> String {
        if (0x21..<0x7F).contains(byte) { return "“\(Unicode.Scalar(byte))”" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "the byte 0x" + (byte < 0x10 ? "0" : "") + digits
    }
}
