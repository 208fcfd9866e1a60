import Foundation
import LockstepTables

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
            return KeyFingerprint(hashing: bytes, kind: 3)
        case .blob: return KeyFingerprint(hashing: bytes, kind: 4)
        }
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
