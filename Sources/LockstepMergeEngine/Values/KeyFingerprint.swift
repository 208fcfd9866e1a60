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

    init(hashing bytes: UnsafeBufferPointer<UInt8>, kind: UInt64) {
        var (left, right) = Self.secret
        left ^= UInt64(bytes.count) &+ kind
        let raw = UnsafeRawBufferPointer(bytes)
        var offset = 0
        while offset + 8 <= raw.count {
            Self.mix(&left, &right, word: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < raw.count {
            rest = rest << 8 | UInt64(raw[offset])
            offset += 1
        }
        Self.mix(&left, &right, word: rest)
        Self.mix(&left, &right, word: kind)
        self.init(first: left, second: right)
    }

    /// Combines the keys of several columns.
    mutating func combine(_ other: KeyFingerprint) {
        self = hashed(with: other.first)
        Self.mix(&first, &second, word: other.second)
    }

    /// The hash of a key with a number. Sums of such hashes identify sets of keys, or sequences if the numbers are
    /// positions.
    func hashed(with number: UInt64) -> KeyFingerprint {
        var (left, right) = Self.secret
        Self.mix(&left, &right, word: first)
        Self.mix(&left, &right, word: second)
        Self.mix(&left, &right, word: number)
        return KeyFingerprint(first: left, second: right)
    }

    /// Folds a 128-bit product, as wyhash does.
    @inline(__always)
    private static func mix(_ left: inout UInt64, _ right: inout UInt64, word: UInt64) {
        let product = (left ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        let other = (right &+ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        left = product.low ^ product.high ^ right
        right = other.low ^ other.high &+ product.high
    }

    /// An index into a table whose size is a power of two. The mask is the size minus 1.
    ///
    /// Keys come from outside: counters, UUIDs that share all but a few bytes, and keys that a server chooses. Only a
    /// hash with the secret spreads all of them, as `KeySlotTests` count.
    @inline(__always)
    func slot(_ mask: Int) -> Int {
        var (left, right) = Self.secret
        Self.mix(&left, &right, word: first)
        Self.mix(&left, &right, word: second)
        // One more product: without it, words that differ in a few high bits only have slots near each other.
        let product = left.multipliedFullWidth(by: right | 1)
        return Int(truncatingIfNeeded: product.low ^ product.high) & mask
    }
}
