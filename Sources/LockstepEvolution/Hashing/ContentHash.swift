/// A fast 64-bit hash of bytes. It is the same on every machine and in every run, and not cryptographic.
///
/// It processes eight bytes in each step and mixes them by a full-width multiplication, as wyhash does.
package struct ContentHash: Hashable, Sendable {
    package let value: UInt64

    package init(_ bytes: [UInt8]) {
        value = bytes.withUnsafeBytes { Self.hash($0) }
    }

    package init(value: UInt64) {
        self.value = value
    }

    /// Parses the sixteen digits of `digits`.
    package init?(digits: Substring) {
        guard digits.utf8.count == 16, digits.utf8.first != UInt8(ascii: "+"), let value = UInt64(digits, radix: 16)
        else { return nil }
        self.value = value
    }

    /// Sixteen lowercase hexadecimal digits.
    package var digits: String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state = mixed(
            UInt64(truncatingIfNeeded: bytes.count) ^ 0x2d35_8dcc_aa6c_78a5, factor: 0x8bb8_4b93_962e_acc9)
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            state = mixed(state ^ word, factor: 0x9e37_79b9_7f4a_7c15)
            offset += 8
        }
        var tail: UInt64 = 0
        while offset < bytes.count {
            tail = tail << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return mixed(state ^ tail, factor: 0x4b33_a62e_d433_d4a3)
    }

    /// Folds both halves of the 128-bit product into one. Adding the state prevents a zero from persisting.
    private static func mixed(_ state: UInt64, factor: UInt64) -> UInt64 {
        let product = state.multipliedFullWidth(by: factor)
        return (product.high ^ product.low) &+ (state << 31 | state >> 33)
    }
}
