import LockstepStore

/// The staged rows of one entity by their keys: rows of one record are a group, in the order of the payload.
struct BatchIndex {
    /// The first row of each group.
    private(set) var heads: [Int32] = []
    /// For each row the next one of its group; -1 for the last.
    private(set) var next: [Int32]
    /// For each row the fingerprint of its key.
    private(set) var fingerprints: [KeyFingerprint]
    /// The last row of each head's group.
    private var tails: [Int32]
    private var slots: [Int32]
    private let keyColumns: [Int]

    /// - Parameter isMerged: Whether a row is one to be merged.
    init(_ table: StagedTable, _ isMerged: (Int) -> Bool) {
        keyColumns = table.entity.plan.keyColumns
        next = Array(repeating: -1, count: table.count)
        tails = next
        fingerprints = []
        fingerprints.reserveCapacity(table.count)
        var size = 16
        while size < table.count * 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
        heads.reserveCapacity(table.count)
        for row in 0..<table.count {
            fingerprints.append(table.row(row).fingerprint(keyColumns))
            if isMerged(row) { add(row, table) }
        }
    }

    private mutating func add(_ row: Int, _ table: StagedTable) {
        let cells = table.row(row)
        var slot = fingerprints[row].slot(slots.count - 1)
        while slots[slot] >= 0 {
            let head = Int(slots[slot])
            if fingerprints[head] == fingerprints[row], isSame(table.row(head), cells) {
                let tail = Int(tails[head])
                next[tail] = Int32(row)
                tails[head] = Int32(row)
                return
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(row)
        tails[row] = Int32(row)
        heads.append(Int32(row))
    }

    private func isSame(_ left: UnsafeMutablePointer<Cell>, _ right: UnsafeMutablePointer<Cell>) -> Bool {
        keyColumns.allSatisfy { left[$0].isIdentical(to: right[$0]) }
    }

    /// The first row of the group with the key that a statement's row has.
    func head(of statement: RawStatement, in table: StagedTable) -> Int? {
        var fingerprint = statement.cell(keyColumns[0]).fingerprint
        for column in keyColumns.dropFirst() { fingerprint.combine(statement.cell(column).fingerprint) }
        var slot = fingerprint.slot(slots.count - 1)
        while slots[slot] >= 0 {
            let head = Int(slots[slot])
            if fingerprints[head] == fingerprint {
                let cells = table.row(head)
                if keyColumns.allSatisfy({ cells[$0].isIdentical(to: statement.cell($0)) }) { return head }
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }
}
