import LockstepTables

/// The staged rows of one entity, grouped by their keys: the rows of a record are a group, in the order of the payload.
struct RecordGroups {
    /// The first row of each group.
    private(set) var heads: [Int32] = []
    /// For each row, the index of its record in the registry; -1 for a row without a key.
    private(set) var indexes: [Int32]
    /// For each row, the next one of its group; empty if every record occurs once.
    private var nextRows: [Int32] = []
    /// Whether every record occurs once.
    private(set) var isEachOnce = true
    /// The last row of each head's group; empty if every record occurs once.
    private var tails: [Int32] = []

    /// - Parameter isSkipped: Whether a row is not merged: it only shows that the server has the record.
    init(_ table: StagedTable, registry: KeyRegistry, isSkipped: (Int) -> Bool) {
        let count = table.count
        registry.reserveMore(count)
        heads.reserveCapacity(count)
        indexes = Array(repeating: -1, count: count)
        for row in 0..<count {
            guard table.hasKey(row) else { continue }
            let fingerprint = table.row(row).fingerprint(table.entity)
            let index = registry.insert(fingerprint, key: table.key(of: row), isListed: true)
            indexes[row] = Int32(index)
            if isSkipped(row) { continue }
            let head = registry.head(index)
            if head < 0 {
                registry.setHead(index, row: row)
                heads.append(Int32(row))
            } else {
                link(row, to: head, count: count)
            }
        }
        isEachOnce = nextRows.isEmpty
    }

    private mutating func link(_ row: Int, to head: Int, count: Int) {
        if nextRows.isEmpty {
            nextRows = Array(repeating: -1, count: count)
            tails = Array(0..<Int32(count))
        }
        nextRows[Int(tails[head])] = Int32(row)
        tails[head] = Int32(row)
    }

    /// The next row of a row's group; -1 for none.
    @inline(__always)
    func next(_ row: Int) -> Int { isEachOnce ? -1 : Int(nextRows[row]) }

    /// Removes the rows, which are released, from the registry.
    func release(_ registry: KeyRegistry) {
        for head in heads { registry.setHead(Int(indexes[Int(head)]), row: -1) }
    }
}
