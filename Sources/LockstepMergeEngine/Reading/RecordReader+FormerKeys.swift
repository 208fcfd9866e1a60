import LockstepTables

extension RecordReader {
    /// A value under a key of an earlier version.
    struct FormerValue {
        let column: Int
        let part: Int
        let value: UnsafePointer<UInt8>
        let depth: Int
        let keys: KeyTable
        let key: Int
    }

    /// Reads an object that is a whole record. A value under a former key counts if its column has none: the first key
    /// in the order of the schema (Rules.md, N8).
    func readRecord(
        _ scanner: inout JSONScanner, keys: KeyTable, into target: StagedRow, problem: inout RecordProblem?
    ) throws {
        let start = formerValues.count
        try readObject(&scanner, keys: keys, into: target, problem: &problem)
        guard formerValues.count > start else { return }
        var first: [Int: FormerValue] = [:]
        for value in formerValues[start...] where target.cells[value.column].kind == .absent {
            // If a key occurs twice, the last occurrence counts.
            if let known = first[value.column], known.part < value.part { continue }
            first[value.column] = value
        }
        formerValues.removeSubrange(start...)
        for (column, former) in first.sorted(by: { $0.key < $1.key }) {
            var copy = scanner
            copy.move(to: former.value, depth: former.depth)
            try readColumn(&copy, column: column, keys: former.keys, key: former.key, into: target, problem: &problem)
        }
    }
}
