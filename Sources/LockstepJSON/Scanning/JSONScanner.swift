#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Scans the bytes of a JSON text (RFC 8259) without creating values.
///
/// Each function scans what it is named after, and leaves the cursor after it; if there is something else, it throws
/// with the byte's offset. White space before a value is skipped. The bytes must outlive the scanner and its results.
///
/// It accepts only the RFC's grammar, except for a byte-order mark at the beginning, which is skipped. No byte at or
/// after `end` is ever read.
@usableFromInline
package struct JSONScanner {
    /// The first byte of the text.
    @usableFromInline package let start: UnsafePointer<UInt8>
    /// After the last byte.
    @usableFromInline package let end: UnsafePointer<UInt8>
    /// The next byte. Only the scanner's own files set it; others call `move`.
    @usableFromInline package var cursor: UnsafePointer<UInt8>
    /// The number of open arrays and objects.
    @usableFromInline package internal(set) var depth = 0
    /// The offset of `start` in the whole text, of which these bytes may be a part.
    @usableFromInline package let baseOffset: Int

    /// How deeply arrays and objects may be nested. Creating values uses stack space for each level, and threads other
    /// than the main one have half a megabyte.
    package static let depthLimit = 512

    /// Whether a number beyond the greatest `Double` was read as a value, which is infinite.
    package internal(set) var hasGreatNumber = false

    /// How deeply arrays and objects of this text may be nested.
    @usableFromInline let depthLimit: Int

    package init(_ bytes: UnsafeBufferPointer<UInt8>, baseOffset: Int = 0, depthLimit: Int = JSONScanner.depthLimit) {
        self.depthLimit = depthLimit
        // A pointer to no bytes may be nil. The cursor is never read then.
        start = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
        end = start + bytes.count
        cursor = start
        self.baseOffset = baseOffset
        // The byte-order mark in UTF-8.
        let isMarked = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        if baseOffset == 0, isMarked { cursor += 3 }
    }

    @inlinable package var offset: Int { baseOffset + (cursor - start) }

    // MARK: Structure

    /// The next byte that is not white space, which is not consumed; 0 at the end.
    @inlinable @inline(__always)
    package mutating func peek() -> UInt8 {
        if cursor < end, case let byte = cursor.pointee, byte > 0x20 { return byte }
        return peekBehindSpace()
    }

    @usableFromInline
    mutating func peekBehindSpace() -> UInt8 {
        while cursor < end {
            let byte = cursor.pointee
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            cursor += 1
            // Texts for readers are indented.
            while end - cursor >= 8, ByteWord(at: cursor) == .spaces { cursor += 8 }
        }
        return 0
    }

    /// Whether only white space is left.
    package mutating func isAtEnd() -> Bool {
        _ = peek()
        return cursor == end
    }

    /// Throws if something other than white space is left.
    package mutating func finish() throws(JSONSyntaxError) {
        guard isAtEnd() else { throw JSONSyntaxError(.trailingContent, at: offset) }
    }

    /// Scans `{` or `[`.
    @inlinable @inline(__always)
    package mutating func open(_ byte: UInt8) throws(JSONSyntaxError) {
        guard peek() == byte, cursor < end else { throw unexpected() }
        guard depth < depthLimit else { throw tooDeep() }
        depth += 1
        cursor += 1
    }

    /// Scans the end of an object or array if it is next; otherwise the comma before the next member, except for the
    /// first.
    @inlinable @inline(__always)
    package mutating func isClosed(_ byte: UInt8, isFirst: Bool) throws(JSONSyntaxError) -> Bool {
        let next = peek()
        guard cursor < end else { throw unexpected() }
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

    /// Scans a key and the colon after it.
    package mutating func key() throws(JSONSyntaxError) -> Text {
        let key = try text()
        guard peek() == UInt8(ascii: ":") else { throw unexpected() }
        cursor += 1
        return key
    }

    /// Scans this key and the colon after it, if they are next without white space between them.
    ///
    /// - Parameter name: A name without escapes.
    @inlinable @inline(__always)
    package mutating func takeKey(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard peek() == UInt8(ascii: "\""), end - cursor > name.count + 2, let expected = name.baseAddress else {
            return false
        }
        let colon = cursor + name.count + 2
        guard colon.pointee == UInt8(ascii: ":"), colon[-1] == UInt8(ascii: "\""),
            Self.isEqual(cursor + 1, to: expected, count: name.count)
        else { return false }
        cursor = colon + 1
        return true
    }

    /// Whether these bytes are equal. A method of the scanner would copy the scanner for each name.
    @usableFromInline
    static func isEqual(_ bytes: UnsafePointer<UInt8>, to others: UnsafePointer<UInt8>, count: Int) -> Bool {
        memcmp(bytes, others, count) == 0
    }

    /// Scans `null` if it is next.
    package mutating func null() throws(JSONSyntaxError) -> Bool {
        guard peek() == UInt8(ascii: "n") else { return false }
        try word("null")
        return true
    }

    /// Scans `true` or `false`.
    package mutating func bool() throws(JSONSyntaxError) -> Bool {
        let isTrue = peek() == UInt8(ascii: "t")
        try word(isTrue ? "true" : "false")
        return isTrue
    }

    /// Moves backward or forward to a position at which `depth` arrays and objects were open.
    package mutating func move(to position: UnsafePointer<UInt8>, depth: Int) {
        cursor = position
        self.depth = depth
    }

    // MARK: Errors

    /// The error for a next byte that is not allowed.
    @inline(never)
    @usableFromInline
    package func unexpected() -> JSONSyntaxError {
        cursor < end ? error(.unexpectedByte(cursor.pointee), at: cursor) : error(.unexpectedEnd, at: end)
    }

    @inline(never)
    @usableFromInline
    func tooDeep() -> JSONSyntaxError { JSONSyntaxError(.tooDeep(limit: depthLimit), at: offset) }

    /// The error at a position; at the end of the text, that of an unexpected end.
    @inline(never)
    @usableFromInline
    package func error(_ reason: JSONSyntaxError.Reason, at position: UnsafePointer<UInt8>) -> JSONSyntaxError {
        JSONSyntaxError(position < end ? reason : .unexpectedEnd, at: baseOffset + (position - start))
    }

    private mutating func word(_ word: StaticString) throws(JSONSyntaxError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard cursor < end, cursor.pointee == word.utf8Start[index] else { throw unexpected() }
            cursor += 1
        }
    }
}
