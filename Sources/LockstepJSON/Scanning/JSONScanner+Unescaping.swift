extension JSONScanner.Text {
    /// The string.
    package var string: String {
        guard hasEscapes else { return String(decoding: bytes, as: UTF8.self) }
        return String(unsafeUninitializedCapacity: bytes.count) { unescape(to: $0) }
    }

    /// Writes the string's bytes, of which there are at most as many as in the payload.
    ///
    /// - Returns: The number of bytes.
    package func unescape(to target: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var source = 0
        var count = 0
        while source < bytes.count {
            let byte = bytes[source]
            guard byte == UInt8(ascii: "\\") else {
                target[count] = byte
                source += 1
                count += 1
                continue
            }
            let escape = bytes[source + 1]
            guard escape == UInt8(ascii: "u") else {
                target[count] = Self.character(of: escape)
                source += 2
                count += 1
                continue
            }
            let (scalar, length) = scalar(at: source)
            for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                target[count] = unit
                count += 1
            }
            source += length
        }
        return count
    }

    /// The character for a backslash and a letter.
    private static func character(of escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: escape
        }
    }

    /// The scalar of the numeric escape at `position`, or of it and the next, and their length. They are validated.
    private func scalar(at position: Int) -> (Unicode.Scalar, length: Int) {
        let unit = codeUnit(at: position)
        if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
        let code = 0x10000 + ((unit - 0xD800) << 10) + (codeUnit(at: position + 6) - 0xDC00)
        return (Unicode.Scalar(code) ?? "\u{FFFD}", 12)
    }

    private func codeUnit(at position: Int) -> UInt32 {
        bytes[(position + 2)..<(position + 6)].reduce(0) { $0 << 4 | (JSONScanner.hexadecimalDigit($1) ?? 0) }
    }
}
