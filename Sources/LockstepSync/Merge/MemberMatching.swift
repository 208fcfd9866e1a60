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

    private func pair(_ left: inout Left, where isSame: (Likeness) -> Bool) {
        var rest: [Int] = []
        for place in left.sent {
            if let found = left.received.firstIndex(where: { isSame(likeness(place, $0)) }) {
                left.pairs.append((place, left.received.remove(at: found)))
            } else {
                rest.append(place)
            }
        }
        left.sent = rest
    }

    private func pairAlike(_ left: inout Left) {
        let alike = left.sent.flatMap { sent in left.received.map { (sent, $0, likeness(sent, $0).count) } }
            .filter { $0.2 > 0 }
            .sorted { ($1.2, $0.0, $0.1) < ($0.2, $1.0, $1.1) }
        for (sent, received, _) in alike where left.sent.contains(sent) && left.received.contains(received) {
            left.pairs.append((sent, received))
            left.sent.removeAll { $0 == sent }
            left.received.removeAll { $0 == received }
        }
    }
}
