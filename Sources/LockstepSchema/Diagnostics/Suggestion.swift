/// The candidate that `name` is most likely a misspelling of, or `nil` if none is near.
///
/// Near means: equal except for case, or at most a third of the letters (at least one) wrong, missing, surplus or
/// swapped with their neighbour. If several are equally near, the first is returned.
func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().utf8)
    // Longer names are not typing mistakes, and the time for the distance is the product of the lengths.
    guard !wanted.isEmpty, wanted.count <= 128 else { return nil }
    var best: String?
    var bestDistance = max(1, wanted.count / 3) + 1
    for candidate in candidates where abs(candidate.utf8.count - wanted.count) < bestDistance {
        let distance = editDistance(wanted, Array(candidate.lowercased().utf8))
        if distance < bestDistance, candidate != name {
            best = candidate
            bestDistance = distance
        }
    }
    return best
}

/// The smallest number of insertions, deletions, replacements and swaps of neighbours that make `left` into `right`
/// (optimal string alignment).
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    var current = beforePrevious
    for row in left.indices {
        current[0] = row + 1
        for column in right.indices {
            let isSame = left[row] == right[column]
            var distance = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (isSame ? 0 : 1))
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                distance = min(distance, beforePrevious[column - 1] + 1)
            }
            current[column + 1] = distance
        }
        (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    return previous[right.count]
}
