/// Eight bytes at once, the first of them in the lowest bits.
package struct ByteWord: Equatable {
    private let bits: UInt64

    /// Eight times the same byte.
    private init(repeating byte: UInt8) { bits = UInt64(byte) &* 0x0101_0101_0101_0101 }

    package static let spaces = ByteWord(repeating: 0x20)

    /// The eight bytes from `place` on, wherever it is aligned.
    @inline(__always)
    package init(at place: UnsafePointer<UInt8>) {
        bits = UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
    }

    /// How many bytes come before the first that means something in a JSON string or is no ASCII: a quote, a
    /// backslash, a control character, a byte of UTF-8; 8 where there is none.
    ///
    /// The subtractions leave a byte's highest bit set where it was below 0x20, or equal to the quote or the backslash.
    /// A borrow may set more bits, but only behind the first (Mycroft's test, from “Bit Twiddling Hacks”).
    @inline(__always)
    package var plainCount: Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let controls = bits &- ones &* 0x20
        let quotes = (bits ^ (ones &* 0x22)) &- ones
        let backslashes = (bits ^ (ones &* 0x5C)) &- ones
        return ((controls | quotes | backslashes | bits) & (ones &* 0x80)).trailingZeroBitCount >> 3
    }
}
