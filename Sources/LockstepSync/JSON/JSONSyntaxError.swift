/// Why bytes are not JSON (RFC 8259), and where.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The place of the first byte that is wrong, counted from 0; the length of the text where it ends too early.
    public let offset: Int
    /// What is wrong there.
    public let reason: Reason

    /// What can be wrong.
    public enum Reason: Hashable, Sendable {
        /// The text ends in the middle of a value.
        case unexpectedEnd
        /// A byte that cannot be there.
        case unexpectedByte(UInt8)
        /// Bytes that are not UTF-8.
        case notUTF8
        /// A control character in a string that is not escaped.
        case controlCharacter(UInt8)
        /// A backslash with what no escape begins with, or half of a surrogate pair.
        case badEscape
        /// A number that is not written as JSON writes them.
        case badNumber
        /// Arrays and objects in each other, deeper than this.
        case tooDeep(limit: Int)
        /// Something behind the value.
        case trailingContent
    }

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
