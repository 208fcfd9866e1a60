/// Lines of an old text that were replaced by lines of a new one. One of the ranges may be empty.
struct LineChange: Hashable {
    var old: Range<Int>
    var new: Range<Int>
}

/// The smallest set of changes from the old to the new lines, by Myers' greedy algorithm.
///
/// Its time and memory are quadratic in the number of changed lines, so after 1,000 of them it gives up, and everything
/// between the common beginning and the common end becomes one change.
///
/// See E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986.
func lineChanges(from old: [ArraySlice<UInt8>], to new: [ArraySlice<UInt8>]) -> [LineChange] {
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let suffix = zip(old[prefix...].reversed(), new[prefix...].reversed()).prefix { $0 == $1 }.count
    let (oldEnd, newEnd) = (old.count - suffix, new.count - suffix)
    if prefix == oldEnd && prefix == newEnd { return [] }
    let whole = LineChange(old: prefix..<oldEnd, new: prefix..<newEnd)
    if whole.old.isEmpty || whole.new.isEmpty { return [whole] }
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    let oldNumbers = numbered(old[whole.old], numbers: &numbers)
    let newNumbers = numbered(new[whole.new], numbers: &numbers)
    guard let changes = MyersSearch(old: oldNumbers, new: newNumbers).changes() else { return [whole] }
    return changes.map { change in
        LineChange(
            old: change.old.lowerBound + prefix..<change.old.upperBound + prefix,
            new: change.new.lowerBound + prefix..<change.new.upperBound + prefix
        )
    }
}

/// Gives equal lines equal numbers, so that the search compares numbers only.
private func numbered(_ lines: ArraySlice<ArraySlice<UInt8>>, numbers: inout [ArraySlice<UInt8>: Int]) -> [Int] {
    lines.map { line in
        if let number = numbers[line] { return number }
        numbers[line] = numbers.count
        return numbers.count - 1
    }
}

private struct MyersSearch {
    private static let editLimit = 1_000

    let old: [Int]
    let new: [Int]

    /// - Returns: `nil` if there are too many.
    func changes() -> [LineChange]? {
        guard let rounds = search() else { return nil }
        var changes: [LineChange] = []
        var (x, y) = (old.count, new.count)
        for edits in stride(from: rounds.count - 1, through: 1, by: -1) {
            let (fromX, fromY, isInsertion) = origin(of: x - y, edits: edits, reached: rounds[edits - 1])
            let old = fromX..<(isInsertion ? fromX : fromX + 1)
            let new = fromY..<(isInsertion ? fromY + 1 : fromY)
            if let next = changes.last, next.old.lowerBound == old.upperBound, next.new.lowerBound == new.upperBound {
                changes[changes.count - 1] = LineChange(
                    old: old.lowerBound..<next.old.upperBound, new: new.lowerBound..<next.new.upperBound
                )
            } else {
                changes.append(LineChange(old: old, new: new))
            }
            (x, y) = (fromX, fromY)
        }
        return changes.reversed()
    }

    /// The farthest index on each diagonal (`x - y`, from `-edits` to `edits`), after each number of edits.
    private func search() -> [[Int]]? {
        var rounds: [[Int]] = []
        for edits in 0...min(old.count + new.count, Self.editLimit) {
            var reached = [Int](repeating: 0, count: 2 * edits + 1)
            for diagonal in stride(from: -edits, through: edits, by: 2) {
                var x = 0
                if edits > 0 {
                    let (fromX, _, isInsertion) = origin(of: diagonal, edits: edits, reached: rounds[edits - 1])
                    x = isInsertion ? fromX : fromX + 1
                }
                while x < old.count, x - diagonal < new.count, old[x] == new[x - diagonal] { x += 1 }
                reached[diagonal + edits] = x
                if x >= old.count && x - diagonal >= new.count { return rounds + [reached] }
            }
            rounds.append(reached)
        }
        return nil
    }

    /// The origin of the last edit of a diagonal's path: the diagonal above (an insertion) or below (a deletion),
    /// whichever reached farther.
    private func origin(of diagonal: Int, edits: Int, reached: [Int]) -> (x: Int, y: Int, isInsertion: Bool) {
        let middle = edits - 1
        let isInsertion =
            diagonal == -edits
            || (diagonal != edits && reached[diagonal - 1 + middle] < reached[diagonal + 1 + middle])
        let from = isInsertion ? diagonal + 1 : diagonal - 1
        let x = reached[from + middle]
        return (x, x - from, isInsertion)
    }
}
