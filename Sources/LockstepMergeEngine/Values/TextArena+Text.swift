import LockstepJSON

extension TextArena {
    /// Creates a text of at most `capacity` bytes. `body` writes it and returns the number of bytes.
    func write(
        atMost capacity: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int
    ) -> UnsafeBufferPointer<UInt8> {
        let target = allocate(capacity)
        let count = body(target)
        giveBack(capacity - count)
        return UnsafeBufferPointer(rebasing: target[..<count])
    }

    /// `0`, as decimals are stored.
    var zero: UnsafeBufferPointer<UInt8> {
        write(atMost: 1) {
            $0[0] = UInt8(ascii: "0")
            return 1
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are those of a word.
    @inline(__always)
    func matches(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index] != word.utf8Start[index] { return false }
        return true
    }
}

extension JSONScanner.Text {
    /// The string's bytes: those of the payload if it has no escapes, otherwise a copy in the arena.
    func unescaped(into arena: TextArena) -> UnsafeBufferPointer<UInt8> {
        guard hasEscapes else { return bytes }
        // Each escape is longer than the character it encodes.
        return arena.write(atMost: bytes.count, unescape)
    }
}
