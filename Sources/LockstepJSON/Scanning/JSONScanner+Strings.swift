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
        var place = first
        var hasEscapes = false
        while true {
            place = endOfPlainText(from: place)
            guard place < end else { throw error(.unexpectedEnd, at: end) }
            switch place.pointee {
            case UInt8(ascii: "\""):
                cursor = place + 1
                return Text(bytes: UnsafeBufferPointer(start: first, count: place - first), hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                place = try endOfEscape(at: place)
            case 0x80...: place = try endOfNonASCII(at: place)
            default: throw error(.controlCharacter(place.pointee), at: place)
            }
        }
    }

    /// The first quote, backslash, control character or byte that is not ASCII.
    @inline(__always)
    private func endOfPlainText(from first: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        var place = first
        while end - place >= 8 {
            let count = ByteWord(at: place).plainCount
            place += count
            if count < 8 { return place }
        }
        while place < end {
            switch place.pointee {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20, 0x80...: return place
            default: place += 1
            }
        }
        return place
    }

    // MARK: Escapes

    /// Validates the escape at a backslash. A surrogate pair counts as one.
    private func endOfEscape(at backslash: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        let place = backslash + 1
        guard place < end else { throw error(.unexpectedEnd, at: end) }
        switch place.pointee {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return place + 1
        case UInt8(ascii: "u"):
            let unit = try codeUnit(at: place + 1, of: backslash)
            guard unit & 0xF800 == 0xD800 else { return place + 5 }
            guard unit < 0xDC00 else { throw error(.badEscape, at: backslash) }
            return try endOfPair(at: place + 5, of: backslash)
        default: throw error(.badEscape, at: backslash)
        }
    }

    /// Validates the second half of a surrogate pair.
    private func endOfPair(
        at place: UnsafePointer<UInt8>, of backslash: UnsafePointer<UInt8>
    ) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        guard place < end else { throw error(.unexpectedEnd, at: end) }
        guard place.pointee == UInt8(ascii: "\\") else { throw error(.badEscape, at: backslash) }
        guard place + 1 < end else { throw error(.unexpectedEnd, at: end) }
        guard place[1] == UInt8(ascii: "u") else { throw error(.badEscape, at: backslash) }
        let unit = try codeUnit(at: place + 2, of: backslash)
        guard (0xDC00..<0xE000).contains(unit) else { throw error(.badEscape, at: backslash) }
        return place + 6
    }

    /// The four hexadecimal digits of an escape.
    private func codeUnit(
        at first: UnsafePointer<UInt8>, of backslash: UnsafePointer<UInt8>
    ) throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for place in first..<(first + 4) {
            guard place < end else { throw error(.unexpectedEnd, at: end) }
            guard let digit = Self.hexadecimalDigit(place.pointee) else { throw error(.badEscape, at: backslash) }
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
        var place = first
        while place < end, place.pointee >= 0x80 {
            // The range of the second byte excludes overlong forms, surrogates and what is beyond U+10FFFF.
            let (count, second): (Int, ClosedRange<UInt8>) =
                switch place.pointee {
                case 0xC2...0xDF: (2, 0x80...0xBF)
                case 0xE0: (3, 0xA0...0xBF)
                case 0xED: (3, 0x80...0x9F)
                case 0xE1...0xEF: (3, 0x80...0xBF)
                case 0xF0: (4, 0x90...0xBF)
                case 0xF1...0xF3: (4, 0x80...0xBF)
                case 0xF4: (4, 0x80...0x8F)
                default: throw error(.notUTF8, at: place)
                }
            guard place + 1 < end, second.contains(place[1]) else { throw error(.notUTF8, at: place + 1) }
            for next in (place + 2)..<(place + max(count, 2)) {
                guard next < end, next.pointee & 0xC0 == 0x80 else { throw error(.notUTF8, at: next) }
            }
            place += count
        }
        return place
    }
}
