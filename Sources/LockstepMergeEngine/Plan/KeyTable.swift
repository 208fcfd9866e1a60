import LockstepEvolution
import LockstepTables

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Maps the keys of JSON objects to columns and relationships.
///
/// The keys of an object mostly come in the same order as in the object before, so the key that followed last time is
/// tried first. Otherwise, a hash table is used. A key with an unknown name is looked up by what all spellings of a
/// name have in common (Rules.md, N1).
final class KeyTable {
    /// The meaning of a key's value. `index` and `part` identify it.
    enum Meaning: UInt8 {
        case column
        /// The column with the version of the record, whose JSON is kept as it was received.
        case version
        /// A part of the foreign key of a to-one.
        case foreignKey
        /// A list of identities.
        case identities
        /// An object, or null.
        case embeddedOne
        /// A list of objects.
        case embeddedMany
        /// A list whose elements are identities or objects.
        case members
        /// An object that contains values of this record, read by one of `inner`.
        case object
        /// Not in the schema.
        case unknown
        /// Not in the schema, but it looks like the relationship at `index`.
        case unread
        /// Another spelling of the key of the entry at `index`.
        case spelling
        /// A column under a key of an earlier version; `part` is its position among these.
        case former
    }

    /// A key and its meaning. It has no references, because it is accessed for every value.
    struct Entry {
        fileprivate let name: UnsafePointer<UInt8>
        fileprivate let count: Int
        let meaning: Meaning
        /// The column, relationship, table or entry.
        let index: Int
        /// The part of a foreign key.
        var part = 0
        /// Whether JSON encodes the name without escapes.
        fileprivate let isPlain: Bool
        /// The entry that followed this one last time.
        fileprivate var successor: Int
    }

    /// The state that is accessed for every value: behind a pointer, so that Swift does not check each access for
    /// exclusivity.
    private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: KeyTable.capacity)
    /// For each entry, the keys that lead to it.
    private(set) var paths: [[String]] = []
    /// The tables of objects that contain values of the record.
    private(set) var inner: [KeyTable] = []
    /// Indexes of entries by the hash of their names; -1 for free slots.
    private let slots = UnsafeMutablePointer<Int32>.allocate(capacity: KeyTable.slotCount)
    /// Stores the names.
    private let arena = TextArena()
    /// Entries by their plain name, if it is unique.
    private var entriesByPlainName: [[UInt8]: Int] = [:]
    private let path: [String]
    /// Recognizes keys that look like those of relationships; `nil` for objects inside the record's.
    private let relationshipKeys: RelationshipKeys?

    private struct State {
        var count = 0
        /// The entry that objects mostly begin with.
        var first = 0
    }

    var count: Int {
        @inline(__always) get { state.pointee.count }
    }

    /// Records have fewer keys. Unknown keys beyond this number are not remembered, since a server may generate keys.
    private static let capacity = 2048
    /// The remaining capacity is for other spellings of known names, which are remembered regardless of the number of
    /// unknown keys.
    private static let unknownLimit = 1024
    private static let slotCount = 8192

    /// Counts the keys of the payload; `nil` if the merge is not traced.
    let tally: KeyTally?

    /// - Parameter onlyColumns: The columns whose keys count; the others, and relationships, are ignored.
    init(_ plan: EntityPlan, tally: KeyTally?, onlyColumns: [Int]? = nil) {
        path = []
        relationshipKeys = plan.relationshipKeys
        self.tally = tally
        slots.initialize(repeating: -1, count: Self.slotCount)
        state.initialize(to: State())
        for (index, column) in plan.columns.enumerated() where onlyColumns?.contains(index) ?? true {
            if let wire = column.wire {
                add(index == plan.versionColumn ? .version : .column, index: index, at: wire.path)
            }
        }
        if let onlyColumns { passOver(plan, but: onlyColumns) } else { addRelationships(plan) }
        addNestedAttributes()
        for (index, column) in plan.columns.enumerated() where onlyColumns?.contains(index) ?? true {
            for (part, path) in (column.wire?.former ?? []).enumerated() {
                add(.former, index: index, part: part, at: path)
            }
        }
        if tally != nil { state.pointee.first = .max }
    }

    private func addRelationships(_ plan: EntityPlan) {
        for (index, relationship) in plan.relationships.enumerated() {
            switch relationship.wire {
            case .none: break
            case .id(let paths, let embedded):
                for (part, path) in paths.enumerated() { add(.foreignKey, index: index, part: part, at: path) }
                if !embedded.isEmpty { add(.embeddedOne, index: index, at: embedded) }
            case .ids(let path, _) where relationship.wire.isMixed,
                .embedded(let path, _) where relationship.wire.isMixed:
                add(.members, index: index, at: path)
            case .ids(let path, let embedded):
                add(.identities, index: index, at: path)
                if !embedded.isEmpty { add(.embeddedMany, index: index, at: embedded) }
            case .embedded(let path, let ids):
                add(relationship.isToMany ? .embeddedMany : .embeddedOne, index: index, at: path)
                if !ids.isEmpty { add(.identities, index: index, at: ids) }
            }
        }
    }

    /// Rails reads embedded records from `lines_attributes` and writes them to `lines`: this is another spelling of the
    /// key, unless something else has that name (Rules.md, N1).
    private func addNestedAttributes() {
        inner.forEach { $0.addNestedAttributes() }
        for entry in 0..<count where entries[entry].meaning == .embeddedMany || entries[entry].meaning == .embeddedOne {
            guard let name = paths[entry].last, name.hasSuffix(NestedAttributes.suffix) else { continue }
            let plain = Self.plainName(Array(name.dropLast(NestedAttributes.suffix.count).utf8))
            if entriesByPlainName[plain] == nil { entriesByPlainName[plain] = entry }
        }
    }

    /// Prevents keys with another meaning from being treated as other spellings.
    private func passOver(_ plan: EntityPlan, but columns: [Int]) {
        for (index, column) in plan.columns.enumerated() where !columns.contains(index) {
            guard let path = column.wire?.path, path.count == 1, find(Array(path[0].utf8)) == nil else { continue }
            insert(Array(path[0].utf8), meaning: .unknown, at: index)
        }
    }

    private init(path: [String], tally: KeyTally?) {
        self.path = path
        relationshipKeys = nil
        self.tally = tally
        slots.initialize(repeating: -1, count: Self.slotCount)
        state.initialize(to: State())
        if tally != nil { state.pointee.first = .max }
    }

    deinit {
        state.deallocate()
        entries.deallocate()
        slots.deallocate()
    }

    private func add(_ meaning: Meaning, index: Int, part: Int = 0, at path: [String]) {
        let name = Array(path[0].utf8)
        guard path.count > 1 else { return insert(name, meaning: meaning, at: index, part: part) }
        let table: KeyTable
        if let known = find(name), entries[known].meaning == .object {
            table = inner[entries[known].index]
        } else {
            table = KeyTable(path: self.path + [path[0]], tally: tally)
            inner.append(table)
            insert(name, meaning: .object, at: inner.count - 1)
        }
        table.add(meaning, index: index, part: part, at: Array(path.dropFirst()))
    }

    private func insert(_ name: [UInt8], meaning: Meaning, at index: Int, part: Int = 0, isSpelling: Bool = false) {
        precondition(count < Self.capacity, "An entity has fewer attributes.")
        let kept = name.withUnsafeBufferPointer { arena.copy($0) }
        let entry = Entry(
            name: kept.baseAddress ?? UnsafePointer(bitPattern: 1)!, count: kept.count, meaning: meaning, index: index,
            part: part, isPlain: name.allSatisfy(Self.isPlain), successor: tally == nil ? count + 1 : .max)
        (entries + count).initialize(to: entry)
        paths.append(path + [String(decoding: name, as: UTF8.self)])
        var slot = Self.slot(kept)
        while slots[slot] >= 0 { slot = (slot + 1) & (Self.slotCount - 1) }
        slots[slot] = Int32(count)
        if !isSpelling {
            // Two entries with the same plain name: neither has other spellings.
            let plain = Self.plainName(name)
            let isFree = entriesByPlainName[plain] == nil
            // A former key does not take the other spellings of a current one.
            if isFree || meaning != .former { entriesByPlainName[plain] = isFree ? count : -1 }
        }
        state.pointee.count += 1
    }

    // MARK: Finding

    subscript(index: Int) -> Entry { entries[index] }

    /// The entry that is likely to be next, and its name if JSON encodes it without escapes.
    @inline(__always)
    func guess(after previous: Int) -> (index: Int, name: UnsafeBufferPointer<UInt8>)? {
        let guess = previous < 0 ? state.pointee.first : entries[previous].successor
        guard guess < count, entries[guess].isPlain else { return nil }
        return (guess, UnsafeBufferPointer(start: entries[guess].name, count: entries[guess].count))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// The entry of a key that follows another one, which is -1 for none; `nil` for a key that is not remembered.
    @inline(__always)
    func entry(_ name: UnsafeBufferPointer<UInt8>, after previous: Int) -> Int? {
        let guess = previous < 0 ? state.pointee.first : entries[previous].successor
        if guess < count, isEqual(guess, name: name) { return guess }
        return found(name, after: previous)
    }

    private func found(_ name: UnsafeBufferPointer<UInt8>, after previous: Int) -> Int? {
        guard let index = find(name) ?? remember(name) else { return nil }
        if let tally {
            // The guess is never correct for such a key, so each one arrives here. Other spellings are counted when
            // they are read.
            let meaning = entries[index].meaning
            if meaning != .spelling {
                tally.record(self, entry: index, isRead: meaning != .unknown && meaning != .unread)
            }
            return index
        }
        if previous < 0 { state.pointee.first = index } else { entries[previous].successor = index }
        return index
    }

    private func find(_ name: [UInt8]) -> Int? { name.withUnsafeBufferPointer { find($0) } }

    /// The entry of a key that is remembered.
    func find(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
        var slot = Self.slot(name)
        while slots[slot] >= 0 {
            if isEqual(Int(slots[slot]), name: name) { return Int(slots[slot]) }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return nil
    }

    /// Remembers the meaning of a key with another spelling than in the schema.
    private func remember(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
        guard count < Self.capacity else { return nil }
        let bytes = Array(name)
        let known = entriesByPlainName[Self.plainName(bytes)] ?? -1
        guard known >= 0 || count < Self.unknownLimit else { return nil }
        if known < 0, let unread = relationshipKeys?.relationship(for: String(decoding: bytes, as: UTF8.self)) {
            insert(bytes, meaning: .unread, at: unread.relationship, isSpelling: true)
            return count - 1
        }
        insert(bytes, meaning: known >= 0 ? .spelling : .unknown, at: known, isSpelling: true)
        return count - 1
    }

    @inline(__always)
    private func isEqual(_ index: Int, name: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = entries + index
        guard entry.pointee.count == name.count, let other = name.baseAddress else { return false }
        return memcmp(entry.pointee.name, other, name.count) == 0
    }

    private static func slot(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        KeyFingerprint(hashing: name, kind: 5).slot(slotCount - 1)
    }

    /// Returns the part that all spellings of a name have in common: its letters and digits, in lower case.
    private static func plainName(_ name: [UInt8]) -> [UInt8] {
        name.compactMap { byte in
            if byte == UInt8(ascii: "_") { return nil }
            return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
    }
}
