/// Why bytes are not valid JSON (RFC 8259), and where.
///
/// It contains the location and the problem, never contents of the text: `byte 17: a number may not begin with 0`.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The offset of the first invalid byte, from 0; the length of the text if it ends too early.
    public let offset: Int
    /// The problem.
    public let reason: Reason

    /// The possible problems.
    public enum Reason: Hashable, Sendable {
        /// The text ends in the middle of a value. It could be the beginning of valid JSON.
        case unexpectedEnd
        /// A byte that is not allowed there.
        case unexpectedByte(UInt8)
        /// A byte that is not valid UTF-8: of an overlong form, of a surrogate, beyond U+10FFFF, or in an incomplete
        /// character.
        case notUTF8
        /// A control character in a string that is not escaped.
        case controlCharacter(UInt8)
        /// A backslash that does not begin an escape, or half of a surrogate pair. The offset is that of the backslash.
        case badEscape
        /// A number that begins with 0 followed by another digit: `012`.
        case leadingZero
        /// A number without a required digit: `-x`, `1.`, `1e+`.
        case badNumber
        /// A number beyond the range of a `Double`: `1e400`. It is valid JSON, but cannot be represented.
        case numberTooGreat
        /// Arrays and objects that are nested more deeply than this.
        case tooDeep(limit: Int)
        /// Something after the value.
        case trailingContent
    }

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// The location and the problem: `byte 17: a number may not begin with 0`.
    @_spi(Requirements) public var description: String { "byte \(offset): \(reason)" }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
    /// The problem, in words.
    @_spi(Requirements) public var description: String {
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

    /// A byte as its character, if that is visible.
    private static func name(of byte: UInt8) -> String {
        if (0x21..<0x7F).contains(byte) { return "“\(Unicode.Scalar(byte))”" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "the byte 0x" + (byte < 0x10 ? "0" : "") + digits
    }
}
