import LockstepValues

/// Recognises dates by where their digits are. `#` is a digit, `a` a letter, everything else itself.
enum DateShape {
    static let lengthLimit = 35

    /// A shape for each pattern that has one meaning: 01/02/2024 is two dates.
    private static let patterns: [String: String] = [
        "####/##/##": "yyyy/MM/dd",
        "####-##-## ##:##": "yyyy-MM-dd HH:mm",
        "####-##-## ##:##:##": "yyyy-MM-dd HH:mm:ss",
        "####-##-## ##:##:##.###": "yyyy-MM-dd HH:mm:ss.SSS",
        "####-##-## ##:##:## aaa": "yyyy-MM-dd HH:mm:ss 'UTC'",
        "####-##-## ##:##:## +####": "yyyy-MM-dd HH:mm:ss Z",
        "####-##-##a##:##": "yyyy-MM-dd'T'HH:mm",
        "####-##-##a##:##:##": "yyyy-MM-dd'T'HH:mm:ss",
        "####-##-##a##:##:##.###": "yyyy-MM-dd'T'HH:mm:ss.SSS",
        "aaa, ## aaa #### ##:##:## aaa": "EEE, dd MMM yyyy HH:mm:ss 'GMT'",
        "aaa aaa ## ##:##:## +#### ####": "EEE MMM dd HH:mm:ss Z yyyy",
    ]

    static func format(of bytes: UnsafeBufferPointer<UInt8>) -> TextFormat? {
        guard bytes.count >= 10, bytes.contains(where: { isDigit($0) }) else { return nil }
        if bytes.count == Day.textLength, Day(text: bytes) != nil { return .day }
        if isISO8601(bytes) { return ISO8601.date(from: bytes) == nil ? nil : .iso8601 }
        var shape: [UInt8] = []
        shape.reserveCapacity(bytes.count)
        for byte in bytes { shape.append(isDigit(byte) ? 0x23 : isLetter(byte) ? 0x61 : byte) }
        guard let pattern = patterns[String(decoding: shape, as: UTF8.self)] else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        // A pattern has its own letters; a date before year 1 or after a reform is not meant.
        if let quote = ["'UTC'", "'GMT'"].first(where: pattern.contains), !text.hasSuffix(quote.filter(\.isLetter)) {
            return nil
        }
        guard PatternFormatters.date(from: text, pattern: pattern) != nil else { return nil }
        return .pattern(pattern)
    }

    /// A date and a time with a zone.
    private static func isISO8601(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count >= 17, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T")
        else { return false }
        return bytes[bytes.count - 1] == UInt8(ascii: "Z")
            || bytes[16...].contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
