/// Weak references to objects, found by two words that stand for their keys.
///
/// A dictionary of weak references copies a reference to look at it, and each copy costs more than everything else that
/// finding an object does. Here they are looked at in place.
final class ObjectTable {
    /// What stands for a key: the key itself where it fits, else a hash of it.
    struct KeyWords: Equatable {
        let first: UInt64
        var second: UInt64 = 0
    }

    private struct Slot {
        let words: KeyWords
        weak var object: ManagedObject?
    }

    /// A byte for each slot: 0 for an empty one, else some bits of the hash, so that most slots of other keys need not
    /// be looked at.
    private var marks: UnsafeMutablePointer<UInt8>
    private var slots: UnsafeMutablePointer<Slot>
    /// A power of two.
    private var capacity: Int
    /// The slots that are not empty; the objects of some may be gone.
    private var usedCount = 0

    private static let leastCapacity = 16
    /// Another one in each process: keys that come from outside cannot be chosen to meet.
    private static let seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)
    private let seeds = ObjectTable.seeds

    init() {
        capacity = Self.leastCapacity
        (marks, slots) = Self.allocate(capacity)
    }

    deinit { release(marks, slots, capacity) }

    /// Whether nothing was put in since it was made or last emptied itself of what is gone.
    var isEmpty: Bool { usedCount == 0 }

    /// The object at `words`, of which no two keys have the same; `nil` if there is none or it is gone.
    func object(at words: KeyWords) -> ManagedObject? {
        let hash = hash(words)
        let mark = mark(hash)
        var place = Int(truncatingIfNeeded: hash) & (capacity - 1)
        while marks[place] != 0 {
            if marks[place] == mark, slots[place].words == words, let object = slots[place].object { return object }
            place = (place + 1) & (capacity - 1)
        }
        return nil
    }

    /// The first object at `words` that `isWanted`, where several keys may have the same; `nil` if there is none or
    /// it is gone.
    func object(at words: KeyWords, where isWanted: (ManagedObject) -> Bool) -> ManagedObject? {
        let hash = hash(words)
        let mark = mark(hash)
        var place = Int(truncatingIfNeeded: hash) & (capacity - 1)
        while marks[place] != 0 {
            if marks[place] == mark, slots[place].words == words, let object = slots[place].object,
                isWanted(object)
            {
                return object
            }
            place = (place + 1) & (capacity - 1)
        }
        return nil
    }

    /// Puts an object in. It takes the place of `other`, where that is in, else of one of the same words that is gone.
    func insert(_ object: ManagedObject, at words: KeyWords, replacing other: ManagedObject? = nil) {
        if usedCount >= capacity / 4 * 3 { rebuild() }
        let hash = hash(words)
        let mark = mark(hash)
        var place = Int(truncatingIfNeeded: hash) & (capacity - 1)
        var free: Int?
        while marks[place] != 0 {
            if marks[place] == mark, slots[place].words == words {
                let current = slots[place].object
                if current == nil { free = free ?? place }
                if let current, current === other || current === object { return slots[place].object = object }
            }
            place = (place + 1) & (capacity - 1)
        }
        if let free { return slots[free].object = object }
        marks[place] = mark
        (slots + place).initialize(to: Slot(words: words, object: object))
        usedCount += 1
    }

    /// Takes an object out.
    func remove(_ object: ManagedObject, at words: KeyWords) {
        let hash = hash(words)
        var place = Int(truncatingIfNeeded: hash) & (capacity - 1)
        while marks[place] != 0 {
            // The slot stays, so that those behind it are found still.
            if slots[place].words == words, slots[place].object === object { return slots[place].object = nil }
            place = (place + 1) & (capacity - 1)
        }
    }

    /// The objects that someone holds.
    var objects: [ManagedObject] {
        (0..<capacity).compactMap { marks[$0] == 0 ? nil : slots[$0].object }
    }

    // MARK: Places

    private func hash(_ words: KeyWords) -> UInt64 {
        let product = (words.first ^ seeds.0).multipliedFullWidth(by: words.second ^ seeds.1)
        return product.high ^ product.low
    }

    private func mark(_ hash: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: hash >> 56) | 0x80 }

    /// Makes room for as many again. What is gone is dropped, if there seems to be any: looking at every object would
    /// cost a fetch of many more than all else here.
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
            var place = Int(truncatingIfNeeded: hash) & (capacity - 1)
            while marks[place] != 0 { place = (place + 1) & (capacity - 1) }
            marks[place] = oldMarks[old]
            (slots + place).moveInitialize(from: oldSlots + old, count: 1)
            oldMarks[old] = 0
            usedCount += 1
        }
        release(oldMarks, oldSlots, oldCapacity)
    }

    /// Whether any of a sample is gone.
    private var hasGoneObjects: Bool {
        let step = max(1, capacity / Self.sampleCount)
        return stride(from: 0, to: capacity, by: step).contains { marks[$0] != 0 && slots[$0].object == nil }
    }

    /// Enough to find that one in twenty is gone nearly always.
    private static let sampleCount = 128

    private static func allocate(
        _ capacity: Int
    ) -> (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Slot>) {
        let marks = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        marks.initialize(repeating: 0, count: capacity)
        return (marks, UnsafeMutablePointer<Slot>.allocate(capacity: capacity))
    }

    private func release(_ marks: UnsafeMutablePointer<UInt8>, _ slots: UnsafeMutablePointer<Slot>, _ capacity: Int) {
        for place in 0..<capacity where marks[place] != 0 { (slots + place).deinitialize(count: 1) }
        marks.deallocate()
        slots.deallocate()
    }
}
