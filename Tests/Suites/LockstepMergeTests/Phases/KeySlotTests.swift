import LockstepStore
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

/// Where the keys of records are placed in hash tables, counted instead of timed.
@Suite struct KeySlotTests {
    private static let count = 1 << 14
    /// Half of the slots are free, as in a `KeyRegistry`: with a random hash, a key is found after 1.5 slots on average.
    private static let mask = count * 2 - 1
    private static let most = 2.0

    /// The number of slots that are looked at on average until a key is found.
    private func averageProbes(_ fingerprints: some Sequence<KeyFingerprint>) -> Double {
        var isUsed = [Bool](repeating: false, count: Self.mask + 1)
        var (probes, keys) = (0, 0)
        for fingerprint in fingerprints {
            var slot = fingerprint.slot(Self.mask)
            probes += 1
            while isUsed[slot] {
                slot = (slot + 1) & Self.mask
                probes += 1
            }
            isUsed[slot] = true
            keys += 1
        }
        return Double(probes) / Double(keys)
    }

    private func integers(_ key: (Int64) -> Int64) -> Double {
        averageProbes((0..<Int64(Self.count)).map { Cell(integer: key($0)).fingerprint })
    }

    private func words(_ key: (UInt64) -> (UInt64, UInt64)) -> Double {
        averageProbes(
            (0..<UInt64(Self.count)).map { number in
                let (first, second) = key(number)
                return KeyFingerprint(first: first, second: second)
            })
    }

    @Test("Counters, and counters in steps, are found after a few slots", arguments: [0, 1, 8, 20, 32, 49] as [Int64])
    func counters(shift: Int64) {
        #expect(integers { $0 << shift } < Self.most)
        #expect(integers { .max - $0 << shift } < Self.most)
        #expect(integers { $0 &* 1000 + shift } < Self.most)
    }

    @Test(
        "UUIDs with all but a few bytes in common are found after a few slots", arguments: [0, 8, 20, 40] as [UInt64])
    func prefixes(shift: UInt64) {
        let (first, second): (UInt64, UInt64) = (0x6F1C_2A3B_1D4E_4F22, 0x8A33_0000_0000_0000)
        #expect(words { (first, second ^ $0 << shift) } < Self.most)
        #expect(words { (first ^ $0 << shift, second) } < Self.most)
        #expect(words { (first ^ $0 << shift, second ^ $0 << shift) } < Self.most)
    }

    @Test("UUIDs that a server chose for the constants of the hash are found after a few slots")
    func adversaries() {
        let (one, other): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)
        #expect(words { ($0 &* one ^ 42, $0) } < Self.most)
        #expect(words { ($0, $0 &* one ^ 42) } < Self.most)
        #expect(words { ($0 &* other ^ 42, $0) } < Self.most)
        #expect(words { (0 &- $0 &* one, $0 &* other) } < Self.most)
        #expect(words { ($0 << 44, $0 << 44 &* one) } < Self.most)
    }

    @Test("Keys of two columns differ in each of them, in any order")
    func pairs() {
        let cells = (0..<200 as Range<Int64>).map(Cell.init(integer:))
        let pairs = cells.flatMap { left in cells.map { [left, $0].fingerprint } }
        #expect(Set(pairs).count == 40_000)
        #expect(averageProbes(pairs.prefix(Self.count)) < Self.most)
    }

    @Test("Names of members that a server chose for the constants of the hash are found after a few slots")
    func names() {
        // Names with the same remainder of their FNV-1a hash, which needs no secret to be known.
        var chosen: [String] = []
        var number = 0
        while chosen.count < 256 {
            let name = "m\(number)"
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
            if (hash ^ hash >> 32) & 1023 == 0 { chosen.append(name) }
            number += 1
        }
        let slots = chosen.map { name in
            var text = name
            return text.withUTF8 { KeyFingerprint(hashing: $0, kind: 5).slot(1023) }
        }
        #expect(Set(slots).count > 128)
    }
}
