#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Walks over the bytes of a JSON text (RFC 8259), without making values of it.
///
/// Each function takes what it is named after, and leaves the cursor behind it; where there is something else, it
/// throws with the byte's offset. Space before a value is skipped. The bytes must outlive the scanner and what it
/// gives.
///
/// It takes what the RFC's grammar has, and nothing else, but for a byte-order mark at the very beginning, which is
/// skipped. No byte at `end` or behind is ever read.
package struct JSONScanner {
    /// The first byte of the text.
    package let start: UnsafePointer<UInt8>
    /// Behind the last one.
    package let end: UnsafePointer<UInt8>
    /// The next byte. Only the scanner's own files set it; others `move`.
    package var cursor: UnsafePointer<UInt8>
    /// How many arrays and objects are open.
    package private(set) var depth = 0
    /// Where `start` is in the whole text, of which these bytes may be a part.
    package let baseOffset: Int

    /// Arrays and objects may be in each other this deep: who makes values of them takes a piece of the stack for each,
    /// and threads other than the first have half a megabyte.
    package static let depthLimit = 512

    /// How deep arrays and objects of this text may be nested.
    private let depthLimit: Int

    package init(_ bytes: UnsafeBufferPointer<UInt8>, baseOffset: Int = 0, depthLimit: Int = JSONScanner.depthLimit) {
        self.depthLimit = depthLimit
        // A pointer to no bytes may be nil; the cursor is never read then.
        start = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
        end = start + bytes.count
        cursor = start
        self.baseOffset = baseOffset
        // The byte-order mark, as UTF-8 spells it.
        let isMarked = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        if baseOffset == 0, isMarked { cursor += 3 }
    }

    package var offset: Int { baseOffset + (cursor - start) }

    // MARK: Structure

    /// The next byte that is not space, which stays; 0 at the end.
    @inline(__always)
    package mutating func peek() -> UInt8 {
        if cursor < end, case let byte = cursor.pointee, byte > 0x20 { return byte }
        return peekBehindSpace()
    }

    private mutating func peekBehindSpace() -> UInt8 {
        while cursor < end {
            let byte = cursor.pointee
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            cursor += 1
            // Texts made for people are indented.
            while end - cursor >= 8, ByteWord(at: cursor) == .spaces { cursor += 8 }
        }
        return 0
    }

    /// Whether nothing but space is left.
    package mutating func isAtEnd() -> Bool {
        _ = peek()
        return cursor == end
    }

    /// Throws where something other than space is left.
    package mutating func finish() throws(JSONSyntaxError) {
        guard isAtEnd() else { throw JSONSyntaxError(.trailingContent, at: offset) }
    }

    /// Takes `{` or `[`.
    @inline(__always)
    package mutating func open(_ byte: UInt8) throws(JSONSyntaxError) {
        guard peek() == byte, cursor < end else { throw unexpected() }
        guard depth < depthLimit else { throw JSONSyntaxError(.tooDeep(limit: depthLimit), at: offset) }
        depth += 1
        cursor += 1
    }

    /// Takes the end of an object or array if it is next; else the comma before the next member, but for the first.
    @inline(__always)
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

    /// Takes a key and the colon behind it.
    package mutating func key() throws(JSONSyntaxError) -> Text {
        let key = try text()
        guard peek() == UInt8(ascii: ":") else { throw unexpected() }
        cursor += 1
        return key
    }

    /// Takes this key and the colon behind it, if they are next without space between them.
    ///
    /// - Parameter name: What needs no escapes.
    @inline(__always)
    package mutating func takeKey(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard peek() == UInt8(ascii: "\""), end - cursor > name.count + 2, let expected = name.baseAddress else {
            return false
        }
        let colon = cursor + name.count + 2
        guard colon.pointee == UInt8(ascii: ":"), colon[-1] == UInt8(ascii: "\""),
            memcmp(cursor + 1, expected, name.count) == 0
        else { return false }
        cursor = colon + 1
        return true
    }

    /// Takes `null` if it is next.
    package mutating func null() throws(JSONSyntaxError) -> Bool {
        guard peek() == UInt8(ascii: "n") else { return false }
        try word("null")
        return true
    }

    /// Takes `true` or `false`.
    package mutating func bool() throws(JSONSyntaxError) -> Bool {
        let isTrue = peek() == UInt8(ascii: "t")
        try word(isTrue ? "true" : "false")
        return isTrue
    }

    /// Goes back, or on, to a place at which `depth` arrays and objects were open.
    package mutating func move(to place: UnsafePointer<UInt8>, depth: Int) {
        cursor = place
        self.depth = depth
    }

    // MARK: Errors

    /// The next byte is none that can be there.
    @inline(never)
    package func unexpected() -> JSONSyntaxError {
        cursor < end ? error(.unexpectedByte(cursor.pointee), at: cursor) : error(.unexpectedEnd, at: end)
    }

    /// What is wrong at a place; where that is the end, that it is.
    @inline(never)
    package func error(_ reason: JSONSyntaxError.Reason, at place: UnsafePointer<UInt8>) -> JSONSyntaxError {
        JSONSyntaxError(place < end ? reason : .unexpectedEnd, at: baseOffset + (place - start))
    }

    private mutating func word(_ word: StaticString) throws(JSONSyntaxError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard cursor < end, cursor.pointee == word.utf8Start[index] else { throw unexpected() }
            cursor += 1
        }
    }
}
