/// A set of column indexes: one word for the first 64, an array beyond.
package struct ColumnSet: Hashable {
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var high: [UInt64] = []

    @inlinable package init() {}

    package var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

    @inlinable package mutating func insert(_ column: Int) {
        if column < 64 { low |= 1 << UInt64(column); return }
        let word = column / 64 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(column % 64)
    }

    @inlinable package mutating func remove(_ column: Int) {
        if column < 64 { low &= ~(1 << UInt64(column)); return }
        let word = column / 64 - 1
        if word < high.count { high[word] &= ~(1 << UInt64(column % 64)) }
    }

    @inlinable package func contains(_ column: Int) -> Bool {
        if column < 64 { return low & (1 << UInt64(column)) != 0 }
        let word = column / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(column % 64)) != 0
    }
}
