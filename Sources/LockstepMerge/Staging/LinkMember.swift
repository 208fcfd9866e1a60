import GRDB
import LockstepStore

/// The record that a list of members belongs to.
struct LinkOwner {
    let table: StagedTable
    let row: Int

    var entity: MergeEntity { table.entity }
    var key: [Cell] { table.key(row) }
    var fingerprint: KeyFingerprint { table.row(row).fingerprint(entity) }
}

/// What the payload says of the members of a relationship.
struct LinkList {
    let members: [LinkMember]
    /// Whether the members were merged with their link already, rather than being listed by identity.
    let isEmbedded: Bool
    /// Whether what is not among the members is not listed.
    let isWhole: Bool
}

/// A record that is listed as a member.
struct LinkMember {
    let fingerprint: KeyFingerprint
    /// Its row, where it is embedded; else -1.
    let row: Int
    /// Whether it was not merged: it is listed, but nothing is linked anew.
    let isSkipped: Bool
    /// Most keys are one value, and need no memory of their own; absent where it has none.
    private let firstOfKey: Cell
    private let restOfKey: [Cell]

    /// Its key here.
    var key: [Cell] { firstOfKey.kind == .absent ? [] : [firstOfKey] + restOfKey }

    /// One that is embedded.
    init(_ table: StagedTable, row: Int, isSkipped: Bool) {
        let cells = table.row(row)
        let columns = table.entity.plan.keyColumns
        fingerprint = cells.fingerprint(table.entity)
        firstOfKey = cells[columns[0]]
        restOfKey = columns.count > 1 ? columns.dropFirst().map { cells[$0] } : []
        self.row = row
        self.isSkipped = isSkipped
    }

    /// One that is embedded and has no identity.
    init(ownedRow row: Int, isSkipped: Bool) {
        fingerprint = Cell.absent.fingerprint
        (firstOfKey, restOfKey) = (.absent, [])
        self.row = row
        self.isSkipped = isSkipped
    }

    /// One that is a member here.
    init(key: [Cell]) {
        fingerprint = key.fingerprint
        (firstOfKey, restOfKey) = (key[0], Array(key.dropFirst()))
        row = -1
        isSkipped = false
    }

    /// One that is listed by its identity.
    init(key: Cell) {
        fingerprint = key.fingerprint
        (firstOfKey, restOfKey) = (key, [])
        row = -1
        isSkipped = false
    }
}

extension [LinkMember] {
    /// With more, one that is not where it is expected is not searched for.
    private static var longestSearched: Int { 64 }

    /// The place of a member, which is likely to be at `guess`; -1 where it is not found.
    func place(of fingerprint: KeyFingerprint, guess: Int) -> Int {
        if guess < count, self[guess].fingerprint == fingerprint { return guess }
        guard count <= Self.longestSearched else { return -1 }
        return firstIndex { $0.fingerprint == fingerprint } ?? -1
    }
}

extension RawStatement {
    /// Binds the key of an owner to the first parameters.
    func bind(keyOf owner: LinkOwner) {
        guard owner.entity.keyColumn >= 0 else { return bind(owner.key) }
        owner.table.row(owner.row)[owner.entity.keyColumn].bind(to: pointer, 1)
    }

    /// The fingerprint of the key in the first columns of the row it is on.
    func fingerprint(ofFirst count: Int) -> KeyFingerprint {
        var fingerprint = cell(0).fingerprint
        for column in 1..<Swift.max(count, 1) { fingerprint.combine(cell(column).fingerprint) }
        return fingerprint
    }
}

extension [Cell] {
    /// The fingerprint of a key of these values.
    var fingerprint: KeyFingerprint {
        var fingerprint = self[0].fingerprint
        for cell in dropFirst() { fingerprint.combine(cell.fingerprint) }
        return fingerprint
    }
}

extension StagedTable {
    /// The cells of a row's key.
    func key(_ row: Int) -> [Cell] {
        let cells = self.row(row)
        return entity.plan.keyColumns.map { cells[$0] }
    }

    /// Whether it is known that no two lists are of one relationship of one record.
    var hasEachListOnce: Bool { isEachOnce && hasListsOfDistinctRows }

    /// Whether it is known that no two lists are of one relationship of one row.
    var hasListsOfDistinctRows: Bool {
        if hasListsInOrder { return true }
        // Of a record within another of its kind, the list may come first.
        var told = [UInt64](repeating: 0, count: count)
        for membership in memberships {
            guard membership.relationship < 64 else { return false }
            let bit = UInt64(1) << UInt64(membership.relationship)
            guard told[Int(membership.row)] & bit == 0 else { return false }
            told[Int(membership.row)] |= bit
        }
        return true
    }

    /// Whether the lists come in the order of their rows, and each once.
    private var hasListsInOrder: Bool {
        var row: Int32 = -1
        var relationships: UInt64 = 0
        for membership in memberships {
            if membership.row != row {
                guard membership.row > row else { return false }
                (row, relationships) = (membership.row, 0)
            }
            guard membership.relationship < 64 else { return false }
            let bit = UInt64(1) << UInt64(membership.relationship)
            guard relationships & bit == 0 else { return false }
            relationships |= bit
        }
        return true
    }
}
