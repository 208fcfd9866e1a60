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
    private var entries: [Entry] = []
    private struct Entry {
        var outcome: Outcome
        var isListed: Bool
    }

    /// The keys, where they are no whole numbers: a fingerprint does not give them back.
    private(set) var keys: [RecordKey] = []
    private var slots: [Int32] = Array(repeating: -1, count: 256)
    private let keepsKeys: Bool

    init(keepsKeys: Bool) { self.keepsKeys = keepsKeys }

    /// Notes what became of a record. What was inserted stays inserted, what was updated updated.
    ///
    /// - Parameter isListed: Whether the payload has the record, rather than that it was reached by a link.
    mutating func note(
        _ outcome: Outcome, _ fingerprint: KeyFingerprint, _ key: @autoclosure () -> RecordKey, isListed: Bool = true
    ) {
        let (index, isNew) = insert(fingerprint)
        if isNew {
            entries.append(Entry(outcome: outcome, isListed: isListed))
            if keepsKeys { keys.append(key()) }
            return
        }
        let known = entries[index].outcome
        if outcome.rawValue > known.rawValue || known == .deleted { entries[index].outcome = outcome }
        if isListed { entries[index].isListed = true }
    }

    func outcome(_ fingerprint: KeyFingerprint) -> Outcome? { find(fingerprint).map { entries[$0].outcome } }

    /// Whether the payload has the record.
    func isListed(_ fingerprint: KeyFingerprint) -> Bool { find(fingerprint).map { entries[$0].isListed } ?? false }

    /// Tells what became of each record, in the order in which they were met.
    func forEach(_ body: (Outcome, KeyFingerprint, RecordKey?) -> Void) {
        for index in entries.indices {
            body(entries[index].outcome, fingerprints[index], keepsKeys ? keys[index] : nil)
        }
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
