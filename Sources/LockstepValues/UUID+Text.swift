package import Foundation

// A UUID is read and written for every record, so this processes eight digits at a time.
extension UUID {
    /// Parses 36 bytes in the store's encoding; `nil` for anything else, including upper case.
    package init?(lowercaseText text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 36, let start = text.baseAddress, let words = UUIDDigits.words(lowercaseText: start) else {
            return nil
        }
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { target in
            target.storeBytes(of: words.first, as: UInt64.self)
            target.storeBytes(of: words.second, toByteOffset: 8, as: UInt64.self)
        }
        self.init(uuid: value)
    }

    /// Writes the 36 bytes of the store's encoding.
    package func write(lowercaseText target: UnsafeMutableBufferPointer<UInt8>) {
        let target = UnsafeMutableRawBufferPointer(target)
        let digits = withUnsafeBytes(of: uuid) { bytes in
            (0..<4).reduce(into: SIMD4<UInt64>()) { words, index in
                let four = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
                words[index] = Self.digits(ofBytes: UInt64(four))
            }
        }
        func put(_ four: UInt64, offset: Int) {
            target.storeBytes(of: UInt32(truncatingIfNeeded: four).littleEndian, toByteOffset: offset, as: UInt32.self)
        }
        target[8] = UInt8(ascii: "-")
        target[13] = UInt8(ascii: "-")
        target[18] = UInt8(ascii: "-")
        target[23] = UInt8(ascii: "-")
        put(digits[0], offset: 0)
        put(digits[0] >> 32, offset: 4)
        put(digits[1], offset: 9)
        put(digits[1] >> 32, offset: 14)
        put(digits[2], offset: 19)
        put(digits[2] >> 32, offset: 24)
        put(digits[3], offset: 28)
        put(digits[3] >> 32, offset: 32)
    }

    /// Eight digits for four bytes, lowest first.
    private static func digits(ofBytes bytes: UInt64) -> UInt64 {
        var spread = (bytes | bytes << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        return UUIDDigits.encoded((spread >> 4) & 0x000F_000F_000F_000F | (spread & 0x000F_000F_000F_000F) << 8)
    }
}

/// The digits of a UUID's text. The parsing is inlined where a merge reads the keys of records.
package enum UUIDDigits {
    /// The bytes of a UUID that is stored in 36 bytes, as two words of memory; `nil` for anything else, including upper
    /// case.
    @inlinable
    package static func words(lowercaseText start: UnsafePointer<UInt8>) -> (first: UInt64, second: UInt64)? {
        let hyphen = UInt8(ascii: "-")
        guard start[8] == hyphen, start[13] == hyphen, start[18] == hyphen, start[23] == hyphen else { return nil }
        let bytes = UnsafeRawPointer(start)
        func four(_ offset: Int) -> UInt64 {
            UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        guard let first = Self.bytes(ofDigits: four(0) | four(4) << 32),
            let second = Self.bytes(ofDigits: four(9) | four(14) << 32),
            let third = Self.bytes(ofDigits: four(19) | four(24) << 32),
            let fourth = Self.bytes(ofDigits: four(28) | four(32) << 32)
        else { return nil }
        return ((first | second << 32).littleEndian, (third | fourth << 32).littleEndian)
    }

    @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// The four bytes of eight digits, lowest first; `nil` if one is not a digit.
    @inlinable
    static func bytes(ofDigits text: UInt64) -> UInt64? {
        // A digit's lower half is its value; for a letter, which has bit 6, add 9.
        let values = (text & (0x0F * ones)) &+ 9 &* ((text >> 6) & (0x03 * ones))
        guard values & (0xF0 * ones) == 0, encoded(values) == text else { return nil }
        var pairs = (values << 4 | values >> 8) & 0x00FF_00FF_00FF_00FF
        pairs = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF
        return (pairs | pairs >> 16) & 0xFFFF_FFFF
    }

    /// Eight values below 16 as digits.
    @inlinable
    static func encoded(_ values: UInt64) -> UInt64 {
        let isLetter = ((values &+ 0x76 * ones) >> 7) & ones
        return values &+ 0x30 * ones &+ 0x27 &* isLetter
    }
}
