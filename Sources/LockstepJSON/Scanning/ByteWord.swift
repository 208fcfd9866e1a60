/// Eight bytes as one word, the first of them in the lowest bits.
package struct ByteWord: Equatable {
    private let bits: UInt64

    /// Eight times the same byte.
    private init(repeating byte: UInt8) { bits = UInt64(byte) &* 0x0101_0101_0101_0101 }

    package static let spaces = ByteWord(repeating: 0x20)

    /// The eight bytes from `position` on, with any alignment.
    @inline(__always)
    package init(at position: UnsafePointer<UInt8>) {
        bits = UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
    }

    /// The number of bytes before the first one that is special in a JSON string or not ASCII: a quote, a backslash, a
    /// control character, a byte of UTF-8; 8 if there is none.
    ///
    /// The subtractions leave a byte's highest bit set if it was below 0x20, or equal to the quote or the backslash. A
    /// borrow may set more bits, but only after the first (Mycroft's test, from “Bit Twiddling Hacks”).
    @inline(__always)
    package var plainCount: Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let controls = bits &- ones &* 0x20
        let quotes = (bits ^ (ones &* 0x22)) &- ones
        let backslashes = (bits ^ (ones &* 0x5C)) &- ones
        return ((controls | quotes | backslashes | bits) & (ones &* 0x80)).trailingZeroBitCount >> 3
    }
}
