/// Walks over the bytes of a JSON text (RFC 8259), without making values of it.
///
/// Each function takes what it is named after, and leaves the cursor behind it; where there is something else, it throws
/// with the byte's offset. Space before a value is skipped. The bytes must outlive the scanner and what it gives.
struct JSONScanner {
    /// The first byte of the text.
    let start: UnsafePointer<UInt8>
    /// Behind the last one.
    let end: UnsafePointer<UInt8>
    /// The next byte.
    private(set) var cursor: UnsafePointer<UInt8>
    /// How many arrays and objects are open.
    private(set) var depth = 0
    /// Where `start` is in the whole text, of which these bytes may be a part.
    let baseOffset: Int

    /// Arrays and objects may be in each other this deep: each takes a piece of the stack.
    static let depthLimit = 512

    init(_ bytes: UnsafeBufferPointer<UInt8>, baseOffset: Int = 0) {
        // A pointer to no bytes may be nil; the cursor is never read then.
        start = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
        end = start + bytes.count
        cursor = start
        self.baseOffset = baseOffset
    }

    var offset: Int { baseOffset + (cursor - start) }

    /// A string's content, between the quotes.
    struct Text {
        let bytes: UnsafeBufferPointer<UInt8>
        /// Whether it has escapes, so that its bytes are not those of the string.
        let hasEscapes: Bool
    }

    /// A number as it is written.
    struct Number {
        let bytes: UnsafeBufferPointer<UInt8>
        /// The value, where it is written as a whole number and fits.
        let integer: Int64?
        /// Whether there is neither fraction nor exponent.
        let isWhole: Bool
    }

    // MARK: Structure

    /// The next byte that is not space, which stays; 0 at the end.
    mutating func peek() -> UInt8 {
        while cursor < end {
            let byte = cursor.pointee
            if byte > 0x20 { return byte }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            cursor += 1
        }
        return 0
    }

    /// Whether nothing but space is left.
    mutating func isAtEnd() -> Bool {
        _ = peek()
        return cursor == end
    }

    /// Takes `{` or `[`.
    mutating func open(_ byte: UInt8) throws(JSONSyntaxError) {
        guard peek() == byte, cursor < end else { throw unexpected() }
        guard depth < Self.depthLimit else { throw JSONSyntaxError(.tooDeep(limit: Self.depthLimit), at: offset) }
        depth += 1
        cursor += 1
    }

    /// Takes the end of an object or array if it is next; else the comma before the next member, but for the first.
    mutating func isClosed(_ byte: UInt8, isFirst: Bool) throws(JSONSyntaxError) -> Bool {
        let next = peek()
        guard cursor < end else { throw JSONSyntaxError(.unexpectedEnd, at: offset) }
        if next == byte {
            cursor += 1
            depth -= 1
            return true
        }
        if isFirst { return false }
        guard next == UInt8(ascii: ",") else { throw unexpected() }
        cursor += 1
        return false
    }

    /// Takes a key and the colon behind it.
    mutating func key() throws(JSONSyntaxError) -> Text {
        let key = try text()
        guard peek() == UInt8(ascii: ":"), cursor < end else { throw unexpected() }
        cursor += 1
        return key
    }

    /// Takes `null` if it is next.
    mutating func null() throws(JSONSyntaxError) -> Bool {
        guard peek() == UInt8(ascii: "n") else { return false }
        try word("null")
        return true
    }

    /// Takes `true` or `false`.
    mutating func bool() throws(JSONSyntaxError) -> Bool {
        let isTrue = peek() == UInt8(ascii: "t")
        try word(isTrue ? "true" : "false")
        return isTrue
    }

    /// Takes any value.
    mutating func skipValue() throws(JSONSyntaxError) {
        switch peek() {
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "{"):
            try open(UInt8(ascii: "{"))
            var isFirst = true
            while try !isClosed(UInt8(ascii: "}"), isFirst: isFirst) {
                _ = try key()
                try skipValue()
                isFirst = false
            }
        case UInt8(ascii: "["):
            try open(UInt8(ascii: "["))
            var isFirst = true
            while try !isClosed(UInt8(ascii: "]"), isFirst: isFirst) {
                try skipValue()
                isFirst = false
            }
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
        case UInt8(ascii: "n"): _ = try null()
        default: _ = try number()
        }
    }

    /// Goes back, or on, to a place at which `depth` arrays and objects were open.
    mutating func move(to place: UnsafePointer<UInt8>, depth: Int) {
        cursor = place
        self.depth = depth
    }

    func unexpected() -> JSONSyntaxError {
        cursor < end
            ? JSONSyntaxError(.unexpectedByte(cursor.pointee), at: offset) : JSONSyntaxError(.unexpectedEnd, at: offset)
    }

    private mutating func word(_ word: StaticString) throws(JSONSyntaxError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard cursor < end, cursor.pointee == word.utf8Start[index] else { throw unexpected() }
            cursor += 1
        }
    }

    // MARK: Values

    /// Takes a string, quotes included.
    mutating func text() throws(JSONSyntaxError) -> Text {
        guard peek() == UInt8(ascii: "\""), cursor < end else { throw unexpected() }
        cursor += 1
        let first = cursor
        var hasEscapes = false
        while cursor < end {
            switch cursor.pointee {
            case UInt8(ascii: "\""):
                defer { cursor += 1 }
                return Text(bytes: UnsafeBufferPointer(start: first, count: cursor - first), hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                cursor += 2
            case 0..<0x20: throw JSONSyntaxError(.controlCharacter(cursor.pointee), at: offset)
            default: cursor += 1
            }
        }
        cursor = end
        throw JSONSyntaxError(.unexpectedEnd, at: offset)
    }

    /// Takes a number.
    mutating func number() throws(JSONSyntaxError) -> Number {
        _ = peek()
        let first = cursor
        var value: Int64 = 0
        var fits = true
        var isWhole = true
        let isNegative = cursor < end && cursor.pointee == UInt8(ascii: "-")
        if isNegative { cursor += 1 }
        let firstDigit = cursor
        while cursor < end, case let digit = cursor.pointee &- 0x30, digit < 10 {
            let (product, isTooBig) = value.multipliedReportingOverflow(by: 10)
            let (sum, isBeyond) = product.subtractingReportingOverflow(Int64(digit))
            if isTooBig || isBeyond { fits = false } else { value = sum }
            cursor += 1
        }
        guard cursor > firstDigit else { throw unexpected() }
        while cursor < end {
            switch cursor.pointee {
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                isWhole = false
                cursor += 1
                continue
            default: break
            }
            break
        }
        // Counted down from zero, as there is one more negative number.
        if !isNegative {
            if value == .min { fits = false } else { value = -value }
        }
        return Number(
            bytes: UnsafeBufferPointer(start: first, count: cursor - first), integer: fits && isWhole ? value : nil,
            isWhole: isWhole)
    }
}
