import GRDB
import LockstepTables

/// The members that the lists of a relationship in a batch have in the store. They are read by one scan of the table
/// with the links, instead of one query for each list.
///
/// The table is read before the first list is written. What was read about an owner stays valid until its list is
/// written, because only its own list gives an owner members. So this is not used if links are listed from both ends.
final class StoredLists {
    /// The members of a list in the store.
    enum Members {
        /// The members of the list, in its order if the relationship is ordered, and no others.
        case same
        /// No members.
        case none
        /// Others, or it is not known.
        case others
    }

    /// Identifies a set of members, or a sequence of them. As with fingerprints, two that differ are equal with a
    /// probability of 2⁻¹²⁸ for each pair.
    private struct Digest: Equatable {
        var count = 0
        private var sum = KeyFingerprint(first: 0, second: 0)

        mutating func add(_ member: KeyFingerprint, at position: Int64) {
            let hashed = member.hashed(with: UInt64(bitPattern: position))
            count += 1
            sum = KeyFingerprint(first: sum.first &+ hashed.first, second: sum.second &+ hashed.second)
        }
    }

    /// Fewer lists than this are read one by one.
    static let fewestLists = 8

    private let owners: [KeyFingerprint]
    private let digests: [Digest]
    /// The indexes of owners by their hash; -1 for free slots.
    private let slots: [Int32]
    private let isOrdered: Bool
    /// The owner that is likely to be next.
    private var next = 0

    /// - Parameters:
    ///   - owners: The owners of the lists, each once.
    ///   - links: Selects the key of the owner, that of the member and, if the relationship is ordered, the position.
    init(
        of owners: [KeyFingerprint], links: RawStatement, ownerColumns: Int, memberColumns: Int, isOrdered: Bool
    ) throws {
        self.owners = owners
        self.isOrdered = isOrdered
        var size = 64
        while size < owners.count * 2 { size *= 2 }
        var slots = [Int32](repeating: -1, count: size)
        for (index, owner) in owners.enumerated() {
            var slot = owner.slot(size - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(index)
        }
        self.slots = slots
        var digests = [Digest](repeating: Digest(), count: owners.count)
        defer { links.reset() }
        var index = -1
        while try links.step() {
            let owner = links.fingerprint(ofKey: 0..<ownerColumns)
            if index < 0 || owners[index] != owner {
                index = Self.index(of: owner, in: owners, slots: slots, guess: index + 1)
            }
            if index < 0 { continue }
            let member = links.fingerprint(ofKey: ownerColumns..<ownerColumns + memberColumns)
            digests[index].add(member, at: isOrdered ? links.position(ownerColumns + memberColumns) : 0)
        }
        self.digests = digests
    }

    /// Returns the members of an owner's list in the store.
    func members(_ members: [LinkMember], of owner: KeyFingerprint) -> Members {
        let index = Self.index(of: owner, in: owners, slots: slots, guess: next)
        guard index >= 0 else { return .others }
        next = index + 1
        let stored = digests[index]
        guard stored.count == members.count else { return stored.count == 0 ? .none : .others }
        var listed = Digest()
        for (position, member) in members.enumerated() {
            listed.add(member.fingerprint, at: isOrdered ? Int64(position) : 0)
        }
        return listed == stored ? .same : .others
    }

    private static func index(
        of owner: KeyFingerprint, in owners: [KeyFingerprint], slots: [Int32], guess: Int
    ) -> Int {
        if guess < owners.count, owners[guess] == owner { return guess }
        var slot = owner.slot(slots.count - 1)
        while slots[slot] >= 0 {
            if owners[Int(slots[slot])] == owner { return Int(slots[slot]) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return -1
    }
}

extension RawStatement {
    /// The position in a column of the current row; -1 if it has none.
    fileprivate func position(_ column: Int) -> Int64 {
        let cell = cell(column)
        return cell.kind == .integer ? cell.integer : -1
    }
}
