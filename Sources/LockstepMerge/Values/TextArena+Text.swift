import LockstepJSON

extension TextArena {
    /// Makes a text of at most `capacity` bytes; `body` writes it and tells how many there are.
    func write(
        atMost capacity: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int
    ) -> UnsafeBufferPointer<UInt8> {
        let target = allocate(capacity)
        let count = body(target)
        giveBack(capacity - count)
        return UnsafeBufferPointer(rebasing: target[..<count])
    }

    /// `0`, as decimals spell it.
    var zero: UnsafeBufferPointer<UInt8> {
        write(atMost: 1) {
            $0[0] = UInt8(ascii: "0")
            return 1
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are these.
    @inline(__always)
    func isSpelt(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index] != word.utf8Start[index] { return false }
        return true
    }
}

extension JSONScanner.Text {
    /// The string's own bytes: those of the payload where there are no escapes, else a copy in the arena.
    func unescaped(into arena: TextArena) -> UnsafeBufferPointer<UInt8> {
        guard hasEscapes else { return bytes }
        // Every escape is longer than what it stands for.
        return arena.write(atMost: bytes.count, unescape)
    }
}
