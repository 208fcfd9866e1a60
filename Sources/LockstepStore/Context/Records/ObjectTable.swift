/// Weak references to objects, found by two words that represent their keys.
///
/// A dictionary of weak references copies a reference to look at it, and each copy costs more than the rest of a
/// lookup. This table reads them in place.
final class ObjectTable {
    /// Represents a key: the key itself if it fits, otherwise a hash of it.
    struct KeyWords: Equatable {
        let first: UInt64
        var second: UInt64 = 0
    }

    private struct Slot {
        let words: KeyWords
        weak var object: ManagedObject?
    }

    /// A byte for each slot: 0 for an empty one, otherwise some bits of the hash, so that most slots of other keys are
    /// skipped.
    private var marks: UnsafeMutablePointer<UInt8>
    private var slots: UnsafeMutablePointer<Slot>
    /// A power of two.
    private var capacity: Int
    /// The number of slots that are not empty. The objects of some may have been released.
    private var usedCount = 0

    private static let leastCapacity = 16
    /// Different in each process, so that keys from outside cannot be chosen to collide.
    private static let seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)
    private let seeds = ObjectTable.seeds

    init() {
        capacity = Self.leastCapacity
        (marks, slots) = Self.allocate(capacity)
    }

    deinit { release(marks, slots: slots, capacity: capacity) }

    /// Whether nothing was inserted since it was created or last removed all released objects.
    var isEmpty: Bool { usedCount == 0 }

    /// The object at `words`, which only one key has; `nil` if there is none or it was released.
    func object(at words: KeyWords) -> ManagedObject? {
        let hash = hash(words)
        let mark = mark(hash)
        var index = Int(truncatingIfNeeded: hash) & (capacity - 1)
        while marks[index] != 0 {
            if marks[index] == mark, slots[index].words == words, let object = slots[index].object { return object }
            index = (index + 1) & (capacity - 1)
        }
        return nil
    }

    /// The first object at `words` that `isWanted`, if several keys may have the same words; `nil` if there is none or
    /// it was released.
    func object(at words: KeyWords, where isWanted: (ManagedObject) -> Bool) -> ManagedObject? {
        let hash = hash(words)
        let mark = mark(hash)
        var index = Int(truncatingIfNeeded: hash) & (capacity - 1)
        while marks[index] != 0 {
            if marks[index] == mark, slots[index].words == words, let object = slots[index].object,
                isWanted(object)
            {
                return object
            }
            index = (index + 1) & (capacity - 1)
        }
        return nil
    }

    /// Inserts an object. It replaces `other` if that is in the table, otherwise a released one with the same words.
    func insert(_ object: ManagedObject, at words: KeyWords, replacing other: ManagedObject? = nil) {
        if usedCount >= capacity / 4 * 3 { rebuild() }
        let hash = hash(words)
        let mark = mark(hash)
        var index = Int(truncatingIfNeeded: hash) & (capacity - 1)
        var free: Int?
        while marks[index] != 0 {
            if marks[index] == mark, slots[index].words == words {
                let current = slots[index].object
                if current == nil { free = free ?? index }
                if let current, current === other || current === object { return slots[index].object = object }
            }
            index = (index + 1) & (capacity - 1)
        }
        if let free { return slots[free].object = object }
        marks[index] = mark
        (slots + index).initialize(to: Slot(words: words, object: object))
        usedCount += 1
    }

    /// Removes an object.
    func remove(_ object: ManagedObject, at words: KeyWords) {
        let hash = hash(words)
        var index = Int(truncatingIfNeeded: hash) & (capacity - 1)
        while marks[index] != 0 {
            // The slot stays, so that the ones after it are still found.
            if slots[index].words == words, slots[index].object === object { return slots[index].object = nil }
            index = (index + 1) & (capacity - 1)
        }
    }

    /// The objects that still exist.
    var objects: [ManagedObject] {
        (0..<capacity).compactMap { marks[$0] == 0 ? nil : slots[$0].object }
    }

    // MARK: Slots

    private func hash(_ words: KeyWords) -> UInt64 {
        let product = (words.first ^ seeds.0).multipliedFullWidth(by: words.second ^ seeds.1)
        return product.high ^ product.low
    }

    private func mark(_ hash: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: hash >> 56) | 0x80 }

    /// Doubles the capacity. Released objects are removed first if there seem to be any: looking at every object would
    /// cost a large fetch more than everything else in here.
    private func rebuild() {
        let drops = hasGoneObjects
        let count = drops ? (0..<capacity).count { marks[$0] != 0 && slots[$0].object != nil } : usedCount
        let (oldMarks, oldSlots, oldCapacity) = (marks, slots, capacity)
        capacity = Self.leastCapacity
        while capacity / 8 * 3 < count { capacity *= 2 }
        (marks, slots) = Self.allocate(capacity)
        usedCount = 0
        for old in 0..<oldCapacity where oldMarks[old] != 0 && !(drops && oldSlots[old].object == nil) {
            let hash = hash(oldSlots[old].words)
            var index = Int(truncatingIfNeeded: hash) & (capacity - 1)
            while marks[index] != 0 { index = (index + 1) & (capacity - 1) }
            marks[index] = oldMarks[old]
            (slots + index).moveInitialize(from: oldSlots + old, count: 1)
            oldMarks[old] = 0
            usedCount += 1
        }
        release(oldMarks, slots: oldSlots, capacity: oldCapacity)
    }

    /// Whether any object of a sample was released.
    private var hasGoneObjects: Bool {
        let step = max(1, capacity / Self.sampleCount)
        return stride(from: 0, to: capacity, by: step).contains { marks[$0] != 0 && slots[$0].object == nil }
    }

    /// Large enough to nearly always detect that one in twenty was released.
    private static let sampleCount = 128

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
