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

    /// The content of a JSON string with escapes, which the scanner has found to be right.
    func unescaped(_ content: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        // No escape is shorter than what it stands for.
        write(atMost: content.count) { target in
            var (index, count) = (0, 0)
            while index < content.count {
                let byte = content[index]
                index += 1
                guard byte == UInt8(ascii: "\\"), index < content.count else {
                    target[count] = byte
                    count += 1
                    continue
                }
                let escape = content[index]
                index += 1
                if escape == UInt8(ascii: "u") {
                    count += Self.encode(Self.scalar(content, &index), target, count)
                } else {
                    target[count] = Self.meaning(of: escape)
                    count += 1
                }
            }
            return count
        }
    }

    private static func meaning(of escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 8
        case UInt8(ascii: "f"): 12
        case UInt8(ascii: "n"): 10
        case UInt8(ascii: "r"): 13
        case UInt8(ascii: "t"): 9
        default: escape
        }
    }

    /// The scalar of four digits, or of the two halves of a surrogate pair.
    private static func scalar(_ content: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
        let first = digits(content, &index)
        guard first & 0xFC00 == 0xD800, index + 6 <= content.count else { return first }
        index += 2
        let second = digits(content, &index)
        return 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF
    }

    private static func digits(_ content: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 where index < content.count {
            let byte = content[index]
            index += 1
            value = value << 4 | UInt32(byte < 0x40 ? byte & 0x0F : (byte & 0x0F) + 9)
        }
        return value
    }

    private static func encode(
        _ scalar: UInt32, _ target: UnsafeMutableBufferPointer<UInt8>, _ place: Int
    ) -> Int {
        // The scanner refuses half pairs; should one come here, it must not become bytes that are not UTF-8.
        let scalar = Unicode.Scalar(scalar) ?? "\u{FFFD}"
        var count = 0
        for unit in String(Character(scalar)).utf8 {
            target[place + count] = unit
            count += 1
        }
        return count
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
