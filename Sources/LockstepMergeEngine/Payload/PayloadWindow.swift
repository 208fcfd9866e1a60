import LockstepJSON

/// A part of a payload's bytes, in memory.
struct PayloadWindow {
    let bytes: UnsafeBufferPointer<UInt8>
    /// The offset of its beginning in the whole payload.
    let baseOffset: Int
    /// Whether it ends with the payload.
    let isLast: Bool

    /// The length of the longest unit, with a margin: escapes (two halves of a surrogate pair are 12 bytes), UTF-8
    /// sequences (4), literals (5). An error with this many bytes after it is not caused by the window's end.
    private static let longestUnit = 16

    /// Whether an error may be caused only by the window's end.
    func mayEndTooEarly(_ error: JSONSyntaxError) -> Bool {
        if isLast { return false }
        if error.reason == .unexpectedEnd { return true }
        let rest = bytes[max(0, min(error.offset - baseOffset, bytes.count))...]
        return rest.count < Self.longestUnit || rest.allSatisfy(Self.isPartOfNumber)
    }

    /// Throws if the next value is a number that touches the window's end, since its digits may continue in the next
    /// one.
    func refuseCutNumber(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
        guard !isLast, Self.isPartOfNumber(scanner.peek()) else { return }
        let (cursor, depth) = (scanner.cursor, scanner.depth)
        _ = try scanner.number()
        guard scanner.cursor < scanner.end else { throw JSONSyntaxError(.unexpectedEnd, at: scanner.offset) }
        scanner.move(to: cursor, depth: depth)
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
