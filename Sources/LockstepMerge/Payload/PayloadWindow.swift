import LockstepJSON

/// A part of a payload's bytes that is at hand.
struct PayloadWindow {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Where it begins in the whole payload.
    let baseOffset: Int
    /// Whether nothing comes behind it.
    let isLast: Bool

    /// No escape (two halves of a surrogate pair are 12 bytes), UTF-8 sequence (4) or literal (5) is longer, so an
    /// error with this much behind it does not come from the window's end.
    private static let longestUnit = 16

    /// Whether an error may only be there because the window ends, so that with more bytes it would be another or none.
    func mayEndTooEarly(_ error: JSONSyntaxError) -> Bool {
        if isLast { return false }
        if error.reason == .unexpectedEnd { return true }
        let rest = bytes[max(0, min(error.offset - baseOffset, bytes.count))...]
        return rest.count < Self.longestUnit || rest.allSatisfy(Self.isPartOfNumber)
    }

    /// Throws where the next value is a number that touches the window's end: its digits may go on behind it.
    func refuseCutNumber(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
        guard !isLast, Self.isPartOfNumber(scanner.peek()) else { return }
        let (place, depth) = (scanner.cursor, scanner.depth)
        _ = try scanner.number()
        guard scanner.cursor < scanner.end else { throw JSONSyntaxError(.unexpectedEnd, at: scanner.offset) }
        scanner.move(to: place, depth: depth)
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
