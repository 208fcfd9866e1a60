import Foundation
import LockstepStore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Cell {
    /// Whether two cells have the same value with the same encoding.
    func isIdentical(to other: Cell) -> Bool {
        guard kind == other.kind else { return false }
        switch kind {
        case .absent, .null: return true
        case .integer: return integer == other.integer
        case .real: return real == other.real
        case .text, .blob:
            guard count == other.count else { return false }
            guard count > 0, let left = bytes.baseAddress, let right = other.bytes.baseAddress else { return true }
            return memcmp(left, right, Int(count)) == 0
        }
    }

    /// Two words that are practically unique to the value; for integers and UUIDs, the value itself.
    var fingerprint: KeyFingerprint {
        switch kind {
        case .integer: return KeyFingerprint(first: UInt64(bitPattern: integer), second: 0)
        case .real: return KeyFingerprint(first: real.bitPattern, second: 1)
        case .absent, .null: return KeyFingerprint(first: 0, second: 2)
        case .text:
            if count == 36, let start = bytes.baseAddress, let words = UUIDDigits.words(lowercaseText: start) {
                return KeyFingerprint(first: words.first, second: words.second)
            }
            return KeyFingerprint(hashing: bytes, 3)
        case .blob: return KeyFingerprint(hashing: bytes, 4)
        }
    }
}

/// Represents the key of a record where many keys are kept.
///
/// For texts it is a 128-bit hash with a secret of the process: a collision is less likely than a disk failure, even if
/// a server tries to cause one.
struct KeyFingerprint: Hashable {
    var first: UInt64
    var second: UInt64

    private static let secret = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    init(hashing bytes: UnsafeBufferPointer<UInt8>, _ kind: UInt64) {
        var (left, right) = Self.secret
        left ^= UInt64(bytes.count) &+ kind
        let raw = UnsafeRawBufferPointer(bytes)
        var offset = 0
        while offset + 8 <= raw.count {
            Self.mix(&left, &right, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < raw.count {
            rest = rest << 8 | UInt64(raw[offset])
            offset += 1
        }
        Self.mix(&left, &right, rest)
        Self.mix(&left, &right, kind)
        self.init(first: left, second: right)
    }

    /// Combines the keys of several columns.
    mutating func combine(_ other: KeyFingerprint) {
        Self.mix(&first, &second, other.first)
        Self.mix(&first, &second, other.second)
    }

    /// The hash of a key with a number. Sums of such hashes identify sets of keys, or sequences if the numbers are
    /// positions.
    func hashed(with number: UInt64) -> KeyFingerprint {
        var (left, right) = Self.secret
        Self.mix(&left, &right, first)
        Self.mix(&left, &right, second)
        Self.mix(&left, &right, number)
        return KeyFingerprint(first: left, second: right)
    }

    /// Folds a 128-bit product, as wyhash does.
    @inline(__always)
    private static func mix(_ left: inout UInt64, _ right: inout UInt64, _ word: UInt64) {
        let product = (left ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        let other = (right &+ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        left = product.low ^ product.high ^ right
        right = other.low ^ other.high &+ product.high
    }

    /// An index into a table whose size is a power of two. The mask is the size minus 1.
    @inline(__always)
    func slot(_ mask: Int) -> Int {
        Int(truncatingIfNeeded: (first ^ second &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93 >> 20) & mask
    }
}

extension UnsafeMutablePointer<Cell> {
    /// The fingerprint of the key of a row of an entity.
    @inline(__always)
    func fingerprint(_ entity: MergeEntity) -> KeyFingerprint {
        entity.keyColumn >= 0 ? self[entity.keyColumn].fingerprint : fingerprint(ofKey: entity.plan.keyColumns)
    }

    /// The fingerprint of the values of these columns.
    func fingerprint(ofKey columns: [Int]) -> KeyFingerprint {
        var fingerprint = self[columns[0]].fingerprint
        for column in columns.dropFirst() { fingerprint.combine(self[column].fingerprint) }
        return fingerprint
    }
}
