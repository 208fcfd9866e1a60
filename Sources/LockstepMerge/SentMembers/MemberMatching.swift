/// Finds out which of the records that a server lists are those that were sent to it without an identity: a value,
/// decided from values (Rules.md, R10).
struct MemberMatching {
    /// How far a record that came is what was sent.
    struct Likeness: Equatable {
        /// Whether it is so in all that was sent.
        var isWhole: Bool
        /// Whether it is so in all that was sent and not empty: the server fills in what it was not told.
        var isFilled: Bool
        /// In how many values it is.
        var count: Int
    }

    /// How many were sent, and how many came, both in their order.
    let sent: Int
    let received: Int
    /// Whether it is known that the server has a record that was sent; else only what is the same is it.
    let isTaken: (Int) -> Bool
    let likeness: (_ sent: Int, _ received: Int) -> Likeness

    /// Of lists with more pairs than this only records are compared that are near each other in both: a server that
    /// changes what it is sent keeps its order, as a rule.
    private static let mostPairs = 250_000
    /// So many places are near.
    private static let window = 32

    /// The pairs: what is the same first, in the order of both; then what differs least; then what is left over, in
    /// order, where it is as many on both sides.
    func pairs() -> [(sent: Int, received: Int)] {
        var left = Left(sent: Array(0..<sent), received: Array(0..<received))
        pair(&left) { $0.isWhole }
        pair(&left) { $0.isFilled }
        left.sent.removeAll { !isTaken($0) }
        pairAlike(&left)
        if left.sent.count == left.received.count { left.pairs += zip(left.sent, left.received).map { ($0, $1) } }
        return left.pairs
    }

    private struct Left {
        var sent: [Int]
        var received: [Int]
        var pairs: [(sent: Int, received: Int)] = []
    }

    /// Which of those that came a record that was sent is compared with.
    private func candidates(_ place: Int, _ received: [Int]) -> ArraySlice<Int> {
        guard sent * self.received > Self.mostPairs else { return received[...] }
        let first = received.partitioningIndex { $0 >= place - Self.window }
        let end = received.partitioningIndex { $0 > place + Self.window }
        return received[first..<end]
    }

    private func pair(_ left: inout Left, where isSame: (Likeness) -> Bool) {
        var rest: [Int] = []
        for place in left.sent {
            let candidates = candidates(place, left.received)
            if let found = candidates.firstIndex(where: { isSame(likeness(place, $0)) }) {
                left.pairs.append((place, left.received.remove(at: found)))
            } else {
                rest.append(place)
            }
        }
        left.sent = rest
    }

    private func pairAlike(_ left: inout Left) {
        let alike = left.sent.flatMap { sent in
            candidates(sent, left.received).map { (sent, $0, likeness(sent, $0).count) }
        }
        .filter { $0.2 > 0 }
        .sorted { ($1.2, $0.0, $0.1) < ($0.2, $1.0, $1.1) }
        var (paired, taken): (Set<Int>, Set<Int>) = ([], [])
        for (sent, received, _) in alike where !paired.contains(sent) && !taken.contains(received) {
            left.pairs.append((sent, received))
            paired.insert(sent)
            taken.insert(received)
        }
        left.sent.removeAll(where: paired.contains)
        left.received.removeAll(where: taken.contains)
    }
}

extension [Int] {
    /// The first place from which on a condition is true, in an array where it is true from somewhere on.
    fileprivate func partitioningIndex(where isTrue: (Int) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isTrue(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
