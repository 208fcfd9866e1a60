import GRDB
import LockstepStore

/// The records of one entity that a merge has met, each once, and what became of them.
///
/// A merge may meet a million: a record takes 17 bytes and its place in a table.
struct KeyRegistry {
    /// What became of a record.
    enum Outcome: UInt8 {
        /// The payload has it, and it is not merged.
        case listed
        case unchanged, updated, inserted, deleted
    }

    private(set) var fingerprints: [KeyFingerprint] = []
    private(set) var outcomes: [Outcome] = []
    /// The keys, where they are no whole numbers: a fingerprint does not give them back.
    private(set) var keys: [RecordKey] = []
    private var slots: [Int32] = Array(repeating: -1, count: 256)
    private let keepsKeys: Bool

    init(keepsKeys: Bool) { self.keepsKeys = keepsKeys }

    /// Notes what became of a record. What was inserted stays inserted, what was updated updated.
    mutating func note(_ outcome: Outcome, _ fingerprint: KeyFingerprint, _ key: @autoclosure () -> RecordKey) {
        let (index, isNew) = insert(fingerprint)
        if isNew {
            outcomes.append(outcome)
            if keepsKeys { keys.append(key()) }
        } else if outcome.rawValue > outcomes[index].rawValue || outcomes[index] == .deleted {
            outcomes[index] = outcome
        }
    }

    func outcome(_ fingerprint: KeyFingerprint) -> Outcome? { find(fingerprint).map { outcomes[$0] } }

    /// Whether the payload has the record.
    func isListed(_ fingerprint: KeyFingerprint) -> Bool {
        guard let index = find(fingerprint) else { return false }
        return outcomes[index] != .deleted
    }

    private func find(_ fingerprint: KeyFingerprint) -> Int? {
        var slot = fingerprint.slot(slots.count - 1)
        while slots[slot] >= 0 {
            if fingerprints[Int(slots[slot])] == fingerprint { return Int(slots[slot]) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private mutating func insert(_ fingerprint: KeyFingerprint) -> (index: Int, isNew: Bool) {
        var slot = fingerprint.slot(slots.count - 1)
        while slots[slot] >= 0 {
            if fingerprints[Int(slots[slot])] == fingerprint { return (Int(slots[slot]), false) }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(fingerprints.count)
        fingerprints.append(fingerprint)
        if fingerprints.count * 4 > slots.count * 3 { grow() }
        return (fingerprints.count - 1, true)
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for (index, fingerprint) in fingerprints.enumerated() {
            var slot = fingerprint.slot(slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(index)
        }
    }
}
