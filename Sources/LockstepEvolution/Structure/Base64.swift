/// Bytes as text (RFC 4648, section 4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                let isPadding = index > group.count
                text.append(isPadding ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * index) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: `nil` if the text is not base64.
    package static func bytes(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: characters.count, by: 4) {
            let group = characters[start..<start + 4]
            let digits = group.prefix { $0 != UInt8(ascii: "=") }
            let isPadded = digits.count < 4
            guard digits.count >= 2, group.dropFirst(digits.count).allSatisfy({ $0 == UInt8(ascii: "=") }),
                !isPadded || start + 4 == characters.count
            else { return nil }
            var bits = 0
            for digit in digits {
                guard let value = alphabet.firstIndex(of: digit) else { return nil }
                bits = bits << 6 | value
            }
            bits <<= 6 * (4 - digits.count)
            for index in 0..<(digits.count - 1) { bytes.append(UInt8(bits >> (16 - 8 * index) & 255)) }
        }
        return bytes
    }
}
