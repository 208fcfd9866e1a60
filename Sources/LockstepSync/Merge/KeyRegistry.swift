import GRDB
import LockstepStore

/// The records of one entity that a merge has met, each once, and what became of them.
///
/// A merge may meet a million: a record takes 22 bytes and its place in a table. Everything is behind a pointer, where
/// Swift does not check for each access that it is the only one.
final class KeyRegistry {
    /// What became of a record.
    enum Outcome: UInt8 {
        /// The payload has it, and it is not merged.
        case listed
        case unchanged, updated, inserted, deleted
    }

    private let records = UnsafeMutablePointer<Records>.allocate(capacity: 1)
    /// The keys, where a fingerprint does not give them back and they are asked for.
    private var keys: [RecordKey] = []
    private let keyForm: KeyForm

    /// How the keys of an entity come back from their fingerprints.
    enum KeyForm {
        case integer, uuid
        /// Not at all: they are kept.
        case kept
        /// They are not asked for.
        case forgotten
    }

    private struct Records {
        var count = 0
        var capacity = 256
        var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 256)
        /// Places of records by the hash of their keys; -1 is free.
        var slots = KeyRegistry.freeSlots(1024)
        var mask = 1023
    }

    /// A record. All of it is together, for each one is somewhere else in memory than the one before.
    private struct Entry {
        let fingerprint: KeyFingerprint
        /// The first row of the record in the batch that is being merged; -1 for none.
        var head: Int32
        var outcome: Outcome
        var isListed: Bool
    }

    init(_ keyForm: KeyForm) {
        self.keyForm = keyForm
        records.initialize(to: Records())
    }

    deinit {
        records.pointee.entries.deallocate()
        records.pointee.slots.deallocate()
        records.deinitialize(count: 1)
        records.deallocate()
    }

    private static func freeSlots(_ count: Int) -> UnsafeMutablePointer<Int32> {
        let slots = UnsafeMutablePointer<Int32>.allocate(capacity: count)
        slots.initialize(repeating: -1, count: count)
        return slots
    }

    // MARK: By place

    /// The place of a record, found at `guess` or by its hash; -1 where it was not met.
    @inline(__always)
    func place(of fingerprint: KeyFingerprint, guess: Int = -1) -> Int {
        if guess >= 0, guess < records.pointee.count, records.pointee.entries[guess].fingerprint == fingerprint {
            return guess
        }
        var slot = fingerprint.slot(records.pointee.mask)
        while records.pointee.slots[slot] >= 0 {
            let place = Int(records.pointee.slots[slot])
            if records.pointee.entries[place].fingerprint == fingerprint { return place }
            slot = (slot + 1) & records.pointee.mask
        }
        return -1
    }

    /// The place of a record, which is made where it was not met before.
    func insert(_ fingerprint: KeyFingerprint, _ key: @autoclosure () -> RecordKey, isListed: Bool) -> Int {
        var slot = fingerprint.slot(records.pointee.mask)
        while records.pointee.slots[slot] >= 0 {
            let place = Int(records.pointee.slots[slot])
            if records.pointee.entries[place].fingerprint == fingerprint {
                if isListed { records.pointee.entries[place].isListed = true }
                return place
            }
            slot = (slot + 1) & records.pointee.mask
        }
        let place = records.pointee.count
        if place == records.pointee.capacity { reserve(place * 2) }
        records.pointee.slots[slot] = Int32(place)
        (records.pointee.entries + place).initialize(
            to: Entry(fingerprint: fingerprint, head: -1, outcome: .listed, isListed: isListed))
        records.pointee.count = place + 1
        if keyForm == .kept { keys.append(key()) }
        if records.pointee.count * 2 > records.pointee.mask { rehash(records.pointee.mask * 2 + 2) }
        return place
    }

    /// Makes room for so many more.
    func reserveMore(_ count: Int) {
        let total = records.pointee.count + count
        if total > records.pointee.capacity { reserve(max(total, records.pointee.capacity * 2)) }
        var size = records.pointee.mask + 1
        while size < total * 2 { size *= 2 }
        if size > records.pointee.mask + 1 { rehash(size) }
    }

    private func reserve(_ capacity: Int) {
        let old = records.pointee.entries
        records.pointee.entries = .allocate(capacity: capacity)
        records.pointee.entries.moveInitialize(from: old, count: records.pointee.count)
        old.deallocate()
        records.pointee.capacity = capacity
    }

    private func rehash(_ size: Int) {
        records.pointee.slots.deallocate()
        let slots = Self.freeSlots(size)
        for place in 0..<records.pointee.count {
            var slot = records.pointee.entries[place].fingerprint.slot(size - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(place)
        }
        records.pointee.slots = slots
        records.pointee.mask = size - 1
    }

    /// The first row of a record in the batch that is being merged; -1 for none.
    @inline(__always)
    func head(_ place: Int) -> Int { Int(records.pointee.entries[place].head) }

    func setHead(_ place: Int, _ row: Int) { records.pointee.entries[place].head = Int32(row) }

    /// Notes what became of a record. What was inserted stays inserted, what was updated updated.
    @inline(__always)
    func note(_ outcome: Outcome, at place: Int) {
        let known = records.pointee.entries[place].outcome
        if outcome.rawValue > known.rawValue || known == .deleted { records.pointee.entries[place].outcome = outcome }
    }

    // MARK: By key

    /// Notes what became of a record.
    ///
    /// - Parameter isListed: Whether the payload has the record, rather than that it was reached by a link.
    func note(
        _ outcome: Outcome, _ fingerprint: KeyFingerprint, _ key: @autoclosure () -> RecordKey, isListed: Bool
    ) {
        note(outcome, at: insert(fingerprint, key(), isListed: isListed))
    }

    /// Says that nothing became of a record after all, but that the payload has it.
    func retract(_ fingerprint: KeyFingerprint) {
        let place = place(of: fingerprint)
        if place >= 0 { records.pointee.entries[place].outcome = .listed }
    }

    func outcome(_ fingerprint: KeyFingerprint) -> Outcome? {
        let place = place(of: fingerprint)
        return place < 0 ? nil : records.pointee.entries[place].outcome
    }

    /// Whether the payload has the record.
    func isListed(_ fingerprint: KeyFingerprint) -> Bool {
        let place = place(of: fingerprint)
        return place >= 0 && records.pointee.entries[place].isListed
    }

    /// Tells what became of each record, in the order in which they were met.
    func tell(_ recorder: SummaryRecorder, entity: Int) {
        // Gathered here, where nothing else can see them: a million may come.
        var counts = [Int](repeating: 0, count: MergeOutcome.allCases.count)
        var lists = [IdentityList](repeating: IdentityList(), count: counts.count)
        for place in 0..<records.pointee.count {
            guard let outcome = MergeOutcome(records.pointee.entries[place].outcome)?.rawValue else { continue }
            counts[outcome] += 1
            let fingerprint = records.pointee.entries[place].fingerprint
            switch keyForm {
            case .integer: lists[outcome].append(integer: Int64(bitPattern: fingerprint.first))
            case .uuid: lists[outcome].append(uuid: (fingerprint.first, fingerprint.second))
            case .kept: lists[outcome].append(keys[place])
            case .forgotten: break
            }
        }
        for outcome in MergeOutcome.allCases where counts[outcome.rawValue] > 0 {
            recorder.record(outcome, entity: entity, counts[outcome.rawValue], lists[outcome.rawValue])
        }
    }
}

extension MergeOutcome {
    /// `nil` where nothing became of a record.
    fileprivate init?(_ outcome: KeyRegistry.Outcome) {
        switch outcome {
        case .listed: return nil
        case .unchanged: self = .unchanged
        case .updated: self = .updated
        case .inserted: self = .inserted
        case .deleted: self = .deleted
        }
    }
}
