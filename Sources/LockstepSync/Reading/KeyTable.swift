import LockstepStore

/// Which key of a JSON object is which column or relationship.
///
/// The keys of an object mostly come in the order in which they came before, so the one that followed last time is tried
/// first; else they are found by a hash. A key that spells another name is tried by what all spellings of a name have in
/// common (SYNC.md, N1).
final class KeyTable {
    /// What a key's value is.
    enum Target {
        case column(Int)
        /// A part of the foreign key of a to-one.
        case foreignKey(relationship: Int, part: Int)
        /// A list of identities.
        case identities(Int)
        /// An object, or null.
        case embeddedOne(Int)
        /// A list of objects.
        case embeddedMany(Int)
        /// An object that values of this record are in.
        case object(KeyTable)
        /// Nothing that the schema knows.
        case unknown
        /// Another spelling of this entry's key.
        case spelling(of: Int)
    }

    /// A key and what it means.
    struct Entry {
        let name: [UInt8]
        var target: Target
        let path: [String]
        /// The entry that came after this one last time.
        var successor: Int
    }

    private(set) var entries: [Entry] = []
    /// Places of entries by the hash of their names; -1 is free.
    private var slots: [Int32] = Array(repeating: -1, count: 64)
    /// What is known by its plain name only, where it is one entry.
    private var entriesByPlainName: [[UInt8]: Int] = [:]
    private let path: [String]
    /// The entry that an object begins with, mostly.
    private var first = 0
    private var knownCount = 0

    /// Beyond this many unknown keys they are looked at anew each time: a server may make keys up.
    private static let unknownLimit = 256

    init(_ plan: EntityPlan, isTraced: Bool) {
        path = []
        for (index, column) in plan.columns.enumerated() {
            if let wire = column.wire { add(.column(index), at: wire.path) }
        }
        for (index, relationship) in plan.relationships.enumerated() {
            let isMany =
                switch relationship.kind {
                case .toOne, .toOneInverse: false
                case .toMany, .manyToMany: true
                }
            switch relationship.wire {
            case .none: break
            case .id(let paths, let embedded):
                for (part, path) in paths.enumerated() {
                    add(.foreignKey(relationship: index, part: part), at: path.keys)
                }
                if let embedded { add(.embeddedOne(index), at: embedded.keys) }
            case .ids(let path): add(.identities(index), at: path.keys)
            case .embedded(let path): add(isMany ? .embeddedMany(index) : .embeddedOne(index), at: path.keys)
            }
        }
        knownCount = entries.count
    }

    private init(path: [String]) { self.path = path }

    private func add(_ target: Target, at path: [String]) {
        let name = Array(path[0].utf8)
        guard path.count > 1 else {
            // What is nested under a key comes second to what the key itself means.
            return insert(name, target)
        }
        let inner: KeyTable
        if let index = find(name), case .object(let table) = entries[index].target {
            inner = table
        } else {
            inner = KeyTable(path: self.path + [path[0]])
            insert(name, .object(inner))
        }
        inner.add(target, at: Array(path.dropFirst()))
        inner.knownCount = inner.entries.count
    }

    private func insert(_ name: [UInt8], _ target: Target, isSpelling: Bool = false) {
        let index = entries.count
        let path = path + [String(decoding: name, as: UTF8.self)]
        entries.append(Entry(name: name, target: target, path: path, successor: index + 1))
        if entries.count * 2 > slots.count { grow() } else { fill(index) }
        guard !isSpelling else { return }
        let plain = Self.plainName(name)
        // Two entries of one plain name: neither has other spellings.
        entriesByPlainName[plain] = entriesByPlainName[plain] == nil ? index : -1
    }

    private func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for index in entries.indices { fill(index) }
    }

    private func fill(_ index: Int) {
        var slot = entries[index].name.withUnsafeBufferPointer { Self.hash($0) } & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(index)
    }

    // MARK: Finding

    /// The entry of a key that comes behind another one, -1 for none; `nil` for a key that is not remembered.
    func entry(_ name: UnsafeBufferPointer<UInt8>, after previous: Int) -> Int? {
        let guess = previous < 0 ? first : entries[previous].successor
        if guess < entries.count, Self.isEqual(entries[guess].name, name) { return guess }
        guard let index = find(name) ?? remember(name) else { return nil }
        if previous < 0 { first = index } else { entries[previous].successor = index }
        return index
    }

    private func find(_ name: [UInt8]) -> Int? { name.withUnsafeBufferPointer { find($0) } }

    private func find(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
        var slot = Self.hash(name) & (slots.count - 1)
        while slots[slot] >= 0 {
            if Self.isEqual(entries[Int(slots[slot])].name, name) { return Int(slots[slot]) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Remembers what a key means that is not spelt as the schema spells it.
    private func remember(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
        let bytes = Array(name)
        let known = entriesByPlainName[Self.plainName(bytes)] ?? -1
        guard known >= 0 || entries.count - knownCount < Self.unknownLimit else { return nil }
        insert(bytes, known >= 0 ? .spelling(of: known) : .unknown, isSpelling: true)
        return entries.count - 1
    }

    private static func isEqual(_ left: [UInt8], _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBufferPointer { left in
            for index in left.indices where left[index] != right[index] { return false }
            return true
        }
    }

    private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return Int(truncatingIfNeeded: hash ^ (hash >> 32)) & .max
    }

    /// What all spellings of a name have in common: its letters and digits, in lower case.
    private static func plainName(_ name: [UInt8]) -> [UInt8] {
        name.compactMap { byte in
            if byte == UInt8(ascii: "_") { return nil }
            return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
    }
}
