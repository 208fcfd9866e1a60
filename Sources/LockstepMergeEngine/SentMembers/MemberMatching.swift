/// Determines which of the records that a server lists are those that were sent to it without an identity: a value,
/// computed from values (Rules.md, R10).
struct MemberMatching {
    /// How similar a received record is to a sent one.
    struct Likeness: Equatable {
        /// Whether all sent values are equal.
        var isWhole: Bool
        /// Whether all sent values that are not empty are equal: the server fills in missing ones.
        var isFilled: Bool
        /// The number of equal values.
        var count: Int
    }

    /// The numbers of sent and of received records, each in order.
    let sent: Int
    let received: Int
    /// Whether the server is known to have a sent record. Otherwise, only an equal record is a match.
    let isTaken: (Int) -> Bool
    let likeness: (_ sent: Int, _ received: Int) -> Likeness

    /// With more pairs than this, only records at similar positions are compared: a server that modifies what it
    /// receives usually keeps its order.
    private static let maximumPairs = 250_000
    /// The maximum distance of similar positions.
    private static let window = 32

    /// The pairs: equal records first, in the order of both lists; then the most similar ones; then the remaining ones
    /// in order, if both lists have the same number of them.
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

    /// The received records that a sent one is compared with.
    private func candidates(_ index: Int, received: [Int]) -> ArraySlice<Int> {
        guard sent * self.received > Self.maximumPairs else { return received[...] }
        let first = received.partitioningIndex { $0 >= index - Self.window }
        let end = received.partitioningIndex { $0 > index + Self.window }
        return received[first..<end]
    }

    private func pair(_ left: inout Left, where isSame: (Likeness) -> Bool) {
        var rest: [Int] = []
        for index in left.sent {
            let candidates = candidates(index, received: left.received)
            if let found = candidates.firstIndex(where: { isSame(likeness(index, $0)) }) {
                left.pairs.append((index, left.received.remove(at: found)))
            } else {
                rest.append(index)
            }
        }
        left.sent = rest
    }

    private func pairAlike(_ left: inout Left) {
        let alike = left.sent.flatMap { sent in
            candidates(sent, received: left.received).map { (sent, $0, likeness(sent, $0).count) }
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
    /// The first index at which a condition is true, in an array in which it stays true from there on.
    fileprivate func partitioningIndex(where isTrue: (Int) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isTrue(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
