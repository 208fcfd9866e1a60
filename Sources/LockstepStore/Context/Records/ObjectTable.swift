/// A context's objects of one model, found by two words that represent their keys.
///
/// The table keeps its objects alive. Weak references would cost more than everything else in here: each object would
/// have a second allocation, which all counting of its references goes through. When the table is full, it removes the
/// objects that nobody else has. Those that were found since it was last full stay if there is room for them (the
/// second-chance algorithm, https://en.wikipedia.org/wiki/Page_replacement_algorithm#Second-chance). So it has at most
/// 1,536 objects, or four times as many as were in use at once.
///
/// Releasing an object may run code of the app, so it is done when the table is in order again.
final class ObjectTable {
    /// Represents a key: the key itself if it fits, otherwise a hash of it.
    struct KeyWords: Equatable {
        let first: UInt64
        var second: UInt64 = 0
    }

    private struct Slot {
        let words: KeyWords
        /// The object, or a `WeakReference` to it if the table does not keep its objects; `nil` if it was removed.
        var reference: AnyObject?
    }

    private final class WeakReference {
        weak var object: ManagedObject?

        init(_ object: ManagedObject) { self.object = object }
    }

    /// A byte for each slot: 0 for an empty one, otherwise `isFull`, some bits of the hash, so that most slots of other
    /// keys are skipped, and `isRecent`.
    private var marks: UnsafeMutablePointer<UInt8>
    private var slots: UnsafeMutablePointer<Slot>
    /// A power of two.
    private var capacity: Int
    /// The number of slots that are not empty. The objects of some may have been removed.
    private var usedCount = 0
    /// Whether the table keeps its objects alive.
    private var keepsObjects = true

    private static let isFull: UInt8 = 0x80
    /// The object was found since the table was last full.
    private static let isRecent: UInt8 = 0x40

    private static let leastCapacity = 16
    /// Below this capacity, nothing is removed, so that a loop over some relationships reads each record once.
    private static let freeCapacity = 2048
    /// Different in each process, so that keys from outside cannot be chosen to collide.
    private static let seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)
    private let seeds = ObjectTable.seeds

    init() {
        capacity = Self.leastCapacity
        (marks, slots) = Self.allocate(capacity)
    }

    deinit { release(marks, slots: slots, capacity: capacity) }

    /// Whether nothing was inserted since it was created or last removed all unused objects.
    var isEmpty: Bool { usedCount == 0 }

    /// The object at `words`, which only one key has; `nil` if there is none.
    func object(at words: KeyWords) -> ManagedObject? { object(at: words) { _ in true } }

    /// The first object at `words` that `isWanted`, if several keys may have the same words; `nil` if there is none.
    @inline(__always)
    func object(at words: KeyWords, where isWanted: (ManagedObject) -> Bool) -> ManagedObject? {
        guard let index = index(at: words, where: isWanted) else { return nil }
        marks[index] |= Self.isRecent
        return object(in: index)
    }

    /// The object at `words` if anybody else has it. Otherwise it is removed.
    func usedObject(at words: KeyWords) -> ManagedObject? {
        guard let index = index(at: words, where: { _ in true }) else { return nil }
        guard isUnused(index) else { return object(in: index) }
        // Code that observes it waits for its changes.
        if keepsObjects, let object = object(in: index), object.observers != nil { return object }
        withExtendedLifetime(slots[index].reference) { slots[index].reference = nil }
        return nil
    }

    /// Inserts an object. It replaces `other` if that is in the table, otherwise a removed one with the same words.
    func insert(_ object: ManagedObject, at words: KeyWords, replacing other: ManagedObject? = nil) {
        if usedCount >= capacity / 4 * 3 { makeRoom() }
        let hash = hash(words)
        let mark = mark(hash)
        var index = Int(truncatingIfNeeded: hash) & (capacity - 1)
        var free: Int?
        while marks[index] != 0 {
            if marks[index] & ~Self.isRecent == mark, slots[index].words == words {
                let current = self.object(in: index)
                if current == nil { free = free ?? index }
                if let current, current === other || current === object {
                    return slots[index].reference = reference(to: object)
                }
            }
            index = (index + 1) & (capacity - 1)
        }
        if let free {
            marks[free] = mark
            return slots[free].reference = reference(to: object)
        }
        marks[index] = mark
        (slots + index).initialize(to: Slot(words: words, reference: reference(to: object)))
        usedCount += 1
    }

    /// Removes an object.
    func remove(_ object: ManagedObject, at words: KeyWords) {
        // The slot stays, so that the ones after it are still found.
        if let index = index(at: words, where: { $0 === object }) { slots[index].reference = nil }
    }

    /// The objects that were not removed.
    var objects: [ManagedObject] { (0..<capacity).compactMap { marks[$0] == 0 ? nil : object(in: $0) } }

    /// Removes the objects that nobody else has.
    ///
    /// - Parameter keepsObserved: Whether those stay that code observes, or has observed.
    func removeUnused(keepsObserved: Bool = false) {
        let (count, unused) = takeUnused { _, object in keepsObserved && object.observers != nil }
        withExtendedLifetime(unused) { rebuild(count) }
    }

    /// Removes all objects.
    func removeAll() {
        let (oldMarks, oldSlots, oldCapacity) = (marks, slots, capacity)
        (capacity, usedCount) = (Self.leastCapacity, 0)
        (marks, slots) = Self.allocate(capacity)
        release(oldMarks, slots: oldSlots, capacity: oldCapacity)
    }

    /// Lets go of the objects. From now on, the table finds those that somebody else has.
    func keepNone() {
        guard keepsObjects else { return }
        let objects = objects
        keepsObjects = false
        var index = 0
        for slot in 0..<capacity where marks[slot] != 0 && slots[slot].reference != nil {
            slots[slot].reference = reference(to: objects[index])
            index += 1
        }
    }

    // MARK: Slots

    private func hash(_ words: KeyWords) -> UInt64 {
        let product = (words.first ^ seeds.0).multipliedFullWidth(by: words.second ^ seeds.1)
        return product.high ^ product.low
    }

    private func mark(_ hash: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: hash >> 56) & ~Self.isRecent | Self.isFull
    }

    @inline(__always)
    private func index(at words: KeyWords, where isWanted: (ManagedObject) -> Bool) -> Int? {
        let hash = hash(words)
        let mark = mark(hash)
        var index = Int(truncatingIfNeeded: hash) & (capacity - 1)
        while marks[index] != 0 {
            if marks[index] & ~Self.isRecent == mark, slots[index].words == words, let object = object(in: index),
                isWanted(object)
            {
                return index
            }
            index = (index + 1) & (capacity - 1)
        }
        return nil
    }

    @inline(__always)
    private func object(in index: Int) -> ManagedObject? {
        guard let reference = slots[index].reference else { return nil }
        if keepsObjects { return unsafeDowncast(reference, to: ManagedObject.self) }
        return unsafeDowncast(reference, to: WeakReference.self).object
    }

    private func reference(to object: ManagedObject) -> AnyObject {
        keepsObjects ? object : WeakReference(object)
    }

    /// Whether nobody else has the object of a slot.
    private func isUnused(_ index: Int) -> Bool {
        keepsObjects ? isKnownUniquelyReferenced(&slots[index].reference) : object(in: index) == nil
    }

    /// Makes room for more objects, by removing unused ones or by doubling the capacity.
    private func makeRoom() {
        if capacity < Self.freeCapacity { return rebuild(usedCount) }
        var (count, unused) = takeUnused { index, _ in marks[index] & Self.isRecent != 0 }
        if count > capacity / 8 * 3 {
            let more = takeUnused { _, _ in false }
            (count, unused) = (more.count, unused + more.unused)
        }
        withExtendedLifetime(unused) { rebuild(count) }
    }

    /// Empties the slots of unused objects, except for those that are kept.
    ///
    /// - Returns: How many slots have objects, and the other objects.
    private func takeUnused(
        except isKept: (_ index: Int, ManagedObject) -> Bool
    ) -> (count: Int, unused: [ManagedObject]) {
        var count = 0
        var unused: [ManagedObject] = []
        for index in 0..<capacity where marks[index] != 0 && slots[index].reference != nil {
            guard isUnused(index) else {
                count += 1
                continue
            }
            if let object = object(in: index) {
                if isKept(index, object) {
                    count += 1
                    continue
                }
                unused.append(object)
            }
            slots[index].reference = nil
        }
        return (count, unused)
    }

    /// Moves the objects to new slots, of which at least five in eight are empty.
    ///
    /// - Parameter count: At least the number of objects.
    private func rebuild(_ count: Int) {
        let (oldMarks, oldSlots, oldCapacity) = (marks, slots, capacity)
        capacity = Self.leastCapacity
        while capacity / 8 * 3 < count { capacity *= 2 }
        (marks, slots) = Self.allocate(capacity)
        usedCount = 0
        for old in 0..<oldCapacity where oldMarks[old] != 0 && oldSlots[old].reference != nil {
            let hash = hash(oldSlots[old].words)
            var index = Int(truncatingIfNeeded: hash) & (capacity - 1)
            while marks[index] != 0 { index = (index + 1) & (capacity - 1) }
            marks[index] = oldMarks[old] & ~Self.isRecent
            (slots + index).moveInitialize(from: oldSlots + old, count: 1)
            oldMarks[old] = 0
            usedCount += 1
        }
        release(oldMarks, slots: oldSlots, capacity: oldCapacity)
    }

    private static func allocate(
        _ capacity: Int
    ) -> (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Slot>) {
        let marks = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        marks.initialize(repeating: 0, count: capacity)
        return (marks, UnsafeMutablePointer<Slot>.allocate(capacity: capacity))
    }

    private func release(_ marks: UnsafeMutablePointer<UInt8>, slots: UnsafeMutablePointer<Slot>, capacity: Int) {
        for index in 0..<capacity where marks[index] != 0 { (slots + index).deinitialize(count: 1) }
        marks.deallocate()
        slots.deallocate()
    }
}
