import GRDB
import LockstepTables

/// The record that owns a list of members.
struct LinkOwner {
    let table: StagedTable
    let row: Int

    var entity: MergeEntity { table.entity }
    var key: [Cell] { table.key(row) }
    var fingerprint: KeyFingerprint { table.row(row).fingerprint(entity) }
}

/// The members of a relationship that the payload lists.
struct LinkList {
    let members: [LinkMember]
    /// Whether the list is complete.
    let isWhole: Bool
    /// Records whose links to the owner were added or removed locally, so that no list decides about them.
    var decidedLocally: Set<KeyFingerprint> = []
}

/// A record that is listed as a member.
struct LinkMember {
    let fingerprint: KeyFingerprint
    /// Its row if it is embedded; otherwise -1.
    let row: Int
    /// Whether it was not merged: it is listed, but not linked.
    let isSkipped: Bool
    /// Most keys have one value, and need no allocation; absent for a member without a key.
    private let firstOfKey: Cell
    private let restOfKey: [Cell]

    /// Its local key.
    var key: [Cell] { firstOfKey.kind == .absent ? [] : [firstOfKey] + restOfKey }

    /// Creates an embedded member.
    init(_ table: StagedTable, row: Int, isSkipped: Bool) {
        let cells = table.row(row)
        fingerprint = cells.fingerprint(table.entity)
        if table.entity.keyColumn >= 0 {
            (firstOfKey, restOfKey) = (cells[table.entity.keyColumn], [])
        } else {
            let columns = table.entity.plan.keyColumns
            (firstOfKey, restOfKey) = (cells[columns[0]], columns.dropFirst().map { cells[$0] })
        }
        self.row = row
        self.isSkipped = isSkipped
    }

    /// Creates an embedded member without an identity.
    init(ownedRow row: Int, isSkipped: Bool) {
        fingerprint = Cell.absent.fingerprint
        (firstOfKey, restOfKey) = (.absent, [])
        self.row = row
        self.isSkipped = isSkipped
    }

    /// Creates a member from a record of the store.
    init(key: [Cell]) {
        fingerprint = key.fingerprint
        (firstOfKey, restOfKey) = (key[0], Array(key.dropFirst()))
        row = -1
        isSkipped = false
    }

    /// Creates a member that is listed by its identity.
    init(key: Cell) {
        fingerprint = key.fingerprint
        (firstOfKey, restOfKey) = (key, [])
        row = -1
        isSkipped = false
    }
}

extension [LinkMember] {
    /// In longer lists, a member that is not at its expected index is not searched for.
    private static var maximumSearched: Int { 64 }

    /// The index of a member, which is likely to be `guess`; -1 if it is not found.
    func index(of fingerprint: KeyFingerprint, guess: Int) -> Int {
        if guess < count, self[guess].fingerprint == fingerprint { return guess }
        guard count <= Self.maximumSearched else { return -1 }
        return firstIndex { $0.fingerprint == fingerprint } ?? -1
    }
}

extension RawStatement {
    /// Binds the key of an owner to the first parameters.
    func bind(keyOf owner: LinkOwner) {
        guard owner.entity.keyColumn >= 0 else { return bind(owner.key) }
        owner.table.row(owner.row)[owner.entity.keyColumn].bind(to: pointer, parameter: 1)
    }

    /// The fingerprint of the key in these columns of the current row.
    func fingerprint(ofKey columns: Range<Int>) -> KeyFingerprint {
        var fingerprint = cell(columns.lowerBound).fingerprint
        for column in columns.dropFirst() { fingerprint.combine(cell(column).fingerprint) }
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

    /// Whether it is certain that no two lists are of the same relationship of the same record.
    var hasEachListOnce: Bool { isEachOnce && hasListsOfDistinctRows }

    /// Whether it is certain that no two lists are of the same relationship of the same row.
    var hasListsOfDistinctRows: Bool {
        if hasListsInOrder { return true }
        // If a record is nested in another of its entity, its list may come first.
        var listed = [UInt64](repeating: 0, count: count)
        for membership in memberships {
            guard membership.relationship < 64 else { return false }
            let bit = UInt64(1) << UInt64(membership.relationship)
            guard listed[Int(membership.row)] & bit == 0 else { return false }
            listed[Int(membership.row)] |= bit
        }
        return true
    }

    /// Whether the lists are in the order of their rows, each once.
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
