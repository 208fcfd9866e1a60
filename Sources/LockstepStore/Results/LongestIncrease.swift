/// The longest increasing subsequence: the rows that can stay while all others move.
enum LongestIncrease {
    /// Returns which of the values, which must be distinct, belong to one longest increasing subsequence.
    ///
    /// Patience sorting (Fredman 1975), O(n log n).
    static func members(of values: [Int]) -> [Bool] {
        if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) {
            return Array(repeating: true, count: values.count)
        }
        // The index of the smallest value that ends a subsequence of each length.
        var ends: [Int] = []
        var predecessors = Array(repeating: -1, count: values.count)
        for (index, value) in values.enumerated() {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { predecessors[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var isMember = Array(repeating: false, count: values.count)
        var index = ends.last ?? -1
        while index >= 0 {
            isMember[index] = true
            index = predecessors[index]
        }
        return isMember
    }
}
