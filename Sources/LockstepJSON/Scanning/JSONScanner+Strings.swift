extension JSONScanner {
    /// A string's content, between the quotes. It is validated: its escapes are valid, and it is UTF-8.
    package struct Text {
        package let bytes: UnsafeBufferPointer<UInt8>
        /// Whether it contains escapes, so that its bytes are not those of the string.
        package let hasEscapes: Bool

        package init(bytes: UnsafeBufferPointer<UInt8>, hasEscapes: Bool) {
            self.bytes = bytes
            self.hasEscapes = hasEscapes
        }
    }

    /// Scans a string, including quotes.
    package mutating func text() throws(JSONSyntaxError) -> Text {
        guard peek() == UInt8(ascii: "\"") else { throw unexpected() }
        let first = cursor + 1
        var position = first
        var hasEscapes = false
        while true {
            position = endOfPlainText(from: position)
            guard position < end else { throw error(.unexpectedEnd, at: end) }
            switch position.pointee {
            case UInt8(ascii: "\""):
                cursor = position + 1
                return Text(bytes: UnsafeBufferPointer(start: first, count: position - first), hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                position = try endOfEscape(at: position)
            case 0x80...: position = try endOfNonASCII(at: position)
            default: throw error(.controlCharacter(position.pointee), at: position)
            }
        }
    }

    /// The first quote, backslash, control character or byte that is not ASCII.
    @inline(__always)
    private func endOfPlainText(from first: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        var position = first
        while end - position >= 8 {
            let count = ByteWord(at: position).plainCount
            position += count
            if count < 8 { return position }
        }
        while position < end {
            switch position.pointee {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20, 0x80...: return position
            default: position += 1
            }
        }
        return position
    }

    // MARK: Escapes

    /// Validates the escape at a backslash. A surrogate pair counts as one.
    private func endOfEscape(at backslash: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        let position = backslash + 1
        guard position < end else { throw error(.unexpectedEnd, at: end) }
        switch position.pointee {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return position + 1
        case UInt8(ascii: "u"):
            let unit = try codeUnit(at: position + 1, of: backslash)
            guard unit & 0xF800 == 0xD800 else { return position + 5 }
            guard unit < 0xDC00 else { throw error(.badEscape, at: backslash) }
            return try endOfPair(at: position + 5, of: backslash)
        default: throw error(.badEscape, at: backslash)
        }
    }

    /// Validates the second half of a surrogate pair.
    private func endOfPair(
        at position: UnsafePointer<UInt8>, of backslash: UnsafePointer<UInt8>
    ) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        guard position < end else { throw error(.unexpectedEnd, at: end) }
        guard position.pointee == UInt8(ascii: "\\") else { throw error(.badEscape, at: backslash) }
        guard position + 1 < end else { throw error(.unexpectedEnd, at: end) }
        guard position[1] == UInt8(ascii: "u") else { throw error(.badEscape, at: backslash) }
        let unit = try codeUnit(at: position + 2, of: backslash)
        guard (0xDC00..<0xE000).contains(unit) else { throw error(.badEscape, at: backslash) }
        return position + 6
    }

    /// The four hexadecimal digits of an escape.
    private func codeUnit(
        at first: UnsafePointer<UInt8>, of backslash: UnsafePointer<UInt8>
    ) throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for position in first..<(first + 4) {
            guard position < end else { throw error(.unexpectedEnd, at: end) }
            guard let digit = Self.hexadecimalDigit(position.pointee) else { throw error(.badEscape, at: backslash) }
            value = value << 4 | digit
        }
        return value
    }

    package static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - 0x30)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - 0x57)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - 0x37)
        default: nil
        }
    }

    // MARK: UTF-8

    /// Validates characters that are not ASCII, up to one that is (The Unicode Standard, table 3-7).
    private func endOfNonASCII(at first: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        var position = first
        while position < end, position.pointee >= 0x80 {
            // The range of the second byte excludes overlong forms, surrogates and what is beyond U+10FFFF.
            let (count, second): (Int, ClosedRange<UInt8>) =
                switch position.pointee {
                case 0xC2...0xDF: (2, 0x80...0xBF)
                case 0xE0: (3, 0xA0...0xBF)
                case 0xED: (3, 0x80...0x9F)
                case 0xE1...0xEF: (3, 0x80...0xBF)
                case 0xF0: (4, 0x90...0xBF)
                case 0xF1...0xF3: (4, 0x80...0xBF)
                case 0xF4: (4, 0x80...0x8F)
                default: throw error(.notUTF8, at: position)
                }
            guard position + 1 < end, second.contains(position[1]) else { throw error(.notUTF8, at: position + 1) }
            for next in (position + 2)..<(position + max(count, 2)) {
                guard next < end, next.pointee & 0xC0 == 0x80 else { throw error(.notUTF8, at: next) }
            }
            position += count
        }
        return position
    }
}
