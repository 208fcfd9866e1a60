import GRDB
import LockstepTables

/// The records of one entity that a merge has processed, each once, with their outcomes.
///
/// A merge may have ten million records: each uses 24 bytes and a slot in a hash table, in memory that the system can
/// page out (``LargeMemory``). Everything is behind a pointer, so that Swift does not check each access for
/// exclusivity.
final class KeyRegistry {
    /// The outcome of a record.
    enum Outcome: UInt8 {
        /// The payload has it, but it is not merged.
        case listed
        case unchanged, updated, inserted, deleted
    }

    /// Where the payload has a record.
    struct Listings: OptionSet {
        let rawValue: UInt8

        static let listed = Listings(rawValue: 1)
        /// Inside a record that was deleted locally.
        static let insideDeleted = Listings(rawValue: 2)
        /// Elsewhere, but it is not merged there either.
        static let skipped = Listings(rawValue: 4)
    }

    private let records = UnsafeMutablePointer<Records>.allocate(capacity: 1)
    /// The keys, if they are needed and cannot be restored from fingerprints.
    private var keys: [RecordKey] = []
    private let keyForm: KeyForm

    /// How the keys of an entity are restored from their fingerprints.
    enum KeyForm {
        case integer, uuid
        /// They cannot be restored, so they are kept.
        case kept
        /// They are not needed.
        case forgotten
    }

    private struct Records {
        var count = 0
        var capacity = 256
        var entryMemory: LargeMemory
        var entries: UnsafeMutablePointer<Entry>
        /// Indexes of records by the hash of their keys; -1 for free slots.
        var slotMemory: LargeMemory
        var slots: UnsafeMutablePointer<Int32>
        var mask = 1023
        /// With more records than this, the hash table must grow.
        var maximumRecords = KeyRegistry.maximumRecords(slotCount: 1024)

        init() {
            entryMemory = LargeMemory(byteCount: capacity * MemoryLayout<Entry>.stride)
            entries = entryMemory.pointer.bindMemory(to: Entry.self, capacity: capacity)
            slotMemory = KeyRegistry.freeSlots(mask + 1)
            slots = slotMemory.pointer.assumingMemoryBound(to: Int32.self)
        }
    }

    /// A record. Its values are stored together, since consecutive accesses are to unrelated addresses.
    private struct Entry {
        let fingerprint: KeyFingerprint
        /// The first row of the record in the current batch; -1 for none.
        var head: Int32
        var outcome: Outcome
        var listings: Listings
        /// A bit for each of the first sixteen relationships whose members were listed.
        var statedLists: UInt16 = 0
    }

    /// For each of the other relationships, the records whose members were listed.
    private var otherStatedLists: [Int: Set<KeyFingerprint>] = [:]

    init(_ keyForm: KeyForm) {
        self.keyForm = keyForm
        records.initialize(to: Records())
    }

    deinit {
        records.pointee.entryMemory.deallocate()
        records.pointee.slotMemory.deallocate()
        records.deinitialize(count: 1)
        records.deallocate()
    }

    private static func freeSlots(_ count: Int) -> LargeMemory {
        let memory = LargeMemory(byteCount: count * MemoryLayout<Int32>.stride)
        memory.pointer.bindMemory(to: Int32.self, capacity: count).initialize(repeating: -1, count: count)
        return memory
    }

    /// Half of the slots are free for speed; in very large tables a quarter, to save memory.
    private static func maximumRecords(slotCount: Int) -> Int {
        slotCount <= largeSlotCount ? slotCount / 2 : slotCount / 4 * 3
    }

    private static let largeSlotCount = 1 << 21
    /// After this many records, the pages of earlier ones are unlikely to be needed soon.
    private static let recordsBetweenRests = 1 << 20

    // MARK: By index

    /// The index of a record, found at `guess` or by its hash; -1 if it is not registered.
    @inline(__always)
    func index(of fingerprint: KeyFingerprint, guess: Int = -1) -> Int {
        if guess >= 0, guess < records.pointee.count, records.pointee.entries[guess].fingerprint == fingerprint {
            return guess
        }
        var slot = fingerprint.slot(records.pointee.mask)
        while records.pointee.slots[slot] >= 0 {
            let index = Int(records.pointee.slots[slot])
            if records.pointee.entries[index].fingerprint == fingerprint { return index }
            slot = (slot + 1) & records.pointee.mask
        }
        return -1
    }

    /// The index of a record, which is registered if necessary.
    func insert(_ fingerprint: KeyFingerprint, key: @autoclosure () -> RecordKey, isListed: Bool) -> Int {
        var slot = fingerprint.slot(records.pointee.mask)
        while records.pointee.slots[slot] >= 0 {
            let index = Int(records.pointee.slots[slot])
            if records.pointee.entries[index].fingerprint == fingerprint {
                if isListed { records.pointee.entries[index].listings.insert(.listed) }
                return index
            }
            slot = (slot + 1) & records.pointee.mask
        }
        let index = records.pointee.count
        if index == records.pointee.capacity { reserve(index * 2) }
        records.pointee.slots[slot] = Int32(index)
        (records.pointee.entries + index).initialize(
            to: Entry(fingerprint: fingerprint, head: -1, outcome: .listed, listings: isListed ? .listed : []))
        records.pointee.count = index + 1
        if keyForm == .kept { keys.append(key()) }
        if records.pointee.count > records.pointee.maximumRecords { rehash(records.pointee.mask * 2 + 2) }
        return index
    }

    /// Reserves capacity for more records.
    func reserveMore(_ count: Int) {
        let total = records.pointee.count + count
        if total > records.pointee.capacity { reserve(max(total, records.pointee.capacity * 2)) }
        var size = records.pointee.mask + 1
        while Self.maximumRecords(slotCount: size) < total { size *= 2 }
        if size > records.pointee.mask + 1 { rehash(size) }
    }

    private func reserve(_ capacity: Int) {
        let stride = MemoryLayout<Entry>.stride
        records.pointee.entryMemory.grow(to: capacity * stride, used: records.pointee.count * stride)
        records.pointee.entries = records.pointee.entryMemory.pointer.bindMemory(to: Entry.self, capacity: capacity)
        records.pointee.capacity = capacity
    }

    private func rehash(_ size: Int) {
        records.pointee.slotMemory.deallocate()
        let memory = Self.freeSlots(size)
        let slots = memory.pointer.assumingMemoryBound(to: Int32.self)
        for index in 0..<records.pointee.count {
            var slot = records.pointee.entries[index].fingerprint.slot(size - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(index)
            restNow(and: index)
        }
        records.pointee.slotMemory = memory
        records.pointee.slots = slots
        records.pointee.mask = size - 1
        records.pointee.maximumRecords = Self.maximumRecords(slotCount: size)
    }

    /// Allows the system to page the memory out, after a batch was written.
    func rest() {
        records.pointee.entryMemory.rest()
        records.pointee.slotMemory.rest()
    }

    private func restNow(and index: Int) {
        if index % Self.recordsBetweenRests == Self.recordsBetweenRests - 1 { records.pointee.entryMemory.rest() }
    }

    /// The first row of a record in the current batch; -1 for none.
    @inline(__always)
    func head(_ index: Int) -> Int { Int(records.pointee.entries[index].head) }

    func setHead(_ index: Int, row: Int) { records.pointee.entries[index].head = Int32(row) }

    /// Records the outcome of a record. Once inserted or updated, that stays its outcome.
    @inline(__always)
    func record(_ outcome: Outcome, at index: Int) {
        let known = records.pointee.entries[index].outcome
        if outcome.rawValue > known.rawValue || known == .deleted { records.pointee.entries[index].outcome = outcome }
    }

    /// Records that a record is unchanged.
    ///
    /// - Returns: Whether it was only listed before, so that this can be withdrawn.
    func recordUnchanged(at index: Int) -> Bool {
        guard records.pointee.entries[index].outcome == .listed else { return false }
        records.pointee.entries[index].outcome = .unchanged
        return true
    }

    /// Withdraws that a record is unchanged, since it turned out not to be merged.
    func withdrawUnchanged(at index: Int) {
        if records.pointee.entries[index].outcome == .unchanged { records.pointee.entries[index].outcome = .listed }
    }

    // MARK: By key

    /// Records the outcome of a record.
    ///
    /// - Parameter isListed: Whether the payload has the record; otherwise it was reached by a link.
    func record(_ outcome: Outcome, fingerprint: KeyFingerprint, key: @autoclosure () -> RecordKey, isListed: Bool) {
        record(outcome, at: insert(fingerprint, key: key(), isListed: isListed))
    }

    func outcome(_ fingerprint: KeyFingerprint) -> Outcome? {
        let index = index(of: fingerprint)
        return index < 0 ? nil : records.pointee.entries[index].outcome
    }

    /// The outcome of a record for which the members of a relationship were listed.
    func outcome(_ fingerprint: KeyFingerprint, statedList relationship: Int) -> Outcome? {
        let index = index(of: fingerprint)
        guard index >= 0 else { return nil }
        if relationship < Self.bitCount {
            records.pointee.entries[index].statedLists |= 1 << UInt16(relationship)
        } else {
            otherStatedLists[relationship, default: []].insert(fingerprint)
        }
        return records.pointee.entries[index].outcome
    }

    /// Whether the members of a relationship of a record were listed.
    func isListStated(_ relationship: Int, of fingerprint: KeyFingerprint) -> Bool {
        guard relationship < Self.bitCount else {
            return otherStatedLists[relationship]?.contains(fingerprint) ?? false
        }
        let index = index(of: fingerprint)
        return index >= 0 && records.pointee.entries[index].statedLists & 1 << UInt16(relationship) != 0
    }

    /// The number of relationships with a bit in each record. Few entities have more.
    private static let bitCount = 16

    /// Whether the payload has the record, other than inside a record that was deleted locally (Rules.md, C3).
    func isListed(_ fingerprint: KeyFingerprint) -> Bool {
        let index = index(of: fingerprint)
        guard index >= 0 else { return false }
        let entry = records.pointee.entries[index]
        guard entry.outcome == .listed, entry.listings.contains(.insideDeleted) else {
            return entry.listings.contains(.listed)
        }
        return entry.listings.contains(.skipped)
    }

    /// Records where the payload has a record that is not merged there.
    func record(_ listing: Listings, of fingerprint: KeyFingerprint) {
        let index = index(of: fingerprint)
        if index >= 0 { records.pointee.entries[index].listings.insert(listing) }
    }

    /// Reports the outcome of each record, in the order in which they were registered.
    func report(to recorder: SummaryRecorder, entity: Int) {
        // Local variables, which need no exclusivity checks: there may be a million records.
        var counts = [Int](repeating: 0, count: MergeOutcome.allCases.count)
        forEachOutcome { _, outcome in counts[outcome] += 1 }
        var lists = counts.map {
            recorder.listsIdentities ? IdentityList(reserving: $0, keyForm: keyForm) : IdentityList()
        }
        if recorder.listsIdentities { forEachOutcome { index, outcome in append(index, to: &lists[outcome]) } }
        for outcome in MergeOutcome.allCases where counts[outcome.rawValue] > 0 {
            recorder.record(outcome, entity: entity, count: counts[outcome.rawValue], list: lists[outcome.rawValue])
        }
    }

    private func forEachOutcome(_ body: (_ index: Int, _ outcome: Int) -> Void) {
        for index in 0..<records.pointee.count {
            restNow(and: index)
            if let outcome = MergeOutcome(records.pointee.entries[index].outcome) { body(index, outcome.rawValue) }
        }
    }

    private func append(_ index: Int, to list: inout IdentityList) {
        let fingerprint = records.pointee.entries[index].fingerprint
        switch keyForm {
        case .integer: list.append(integer: Int64(bitPattern: fingerprint.first))
        case .uuid: list.append(uuid: (fingerprint.first, fingerprint.second))
        case .kept: list.append(keys[index])
        case .forgotten: break
        }
    }
}

extension IdentityList {
    /// Creates an empty list with reserved capacity: growing by doubling would be noticeable with ten million records.
    fileprivate init(reserving count: Int, keyForm: KeyRegistry.KeyForm) {
        self.init()
        switch keyForm {
        case .integer: reserve(integers: count)
        case .uuid: reserve(uuids: count)
        case .kept, .forgotten: break
        }
    }
}

extension MergeOutcome {
    /// Returns `nil` if the record has no outcome.
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
