import Foundation

/// The order in which pending changes are sent (Rules.md, P2): what a change requires on the server first, otherwise in
/// the order in which the changes were made.
///
/// It is made once for many changes, and updated with the outcome of each.
struct PushPlan {
    /// A change, and what has to be done before it.
    struct Item: Equatable {
        /// The identifier in the outbox: the order in which the records were changed.
        let id: Int64
        /// The indexes of the changes in the plan that must come first.
        var requires: [Int] = []
        /// The indexes of those that come first unless they require this one: what it refers to and can be without at
        /// first.
        var prefers: [Int] = []
        /// The records and values that it touches: it does not travel together with changes that touch the same.
        var touches: [PushTouch] = []
        /// When it may be retried.
        var retryAt: Date?
        var isHeld = false
    }

    private enum State: Equatable { case open, travelling, done, held, waiting(Date) }

    /// The changes, by index.
    let items: [Item]
    /// Their indexes in the order in which they are sent.
    let order: [Int]
    private var states: [State]
    /// The rank of each change in the order.
    private let ranks: [Int]
    /// The first position in the order whose change may be open.
    private var position = 0
    /// The records and values that changes in flight touch.
    private var touched = PushTouches()

    /// How many changes that cannot travel yet are passed over to find one that can: the search is repeated for each
    /// response.
    private static let passedLimit = 256

    init(_ items: [Item]) {
        self.items = items
        order = Self.order(of: items)
        var ranks = [Int](repeating: 0, count: items.count)
        for (rank, index) in order.enumerated() { ranks[index] = rank }
        self.ranks = ranks
        states = items.map { $0.isHeld ? .held : .open }
    }

    /// Each after those that it requires and prefers. A cycle is cut where something is preferred, or else where it is
    /// entered. Without recursion: chains may be long.
    ///
    /// A preference that was cut is not followed again: each cut repeats part of the way, and cycles may have many in
    /// common.
    private static func order(of items: [Item]) -> [Int] {
        var items = items
        var order: [Int] = []
        order.reserveCapacity(items.count)
        var states = [Visit.State](repeating: .unseen, count: items.count)
        for start in items.indices.sorted(by: { items[$0].id < items[$1].id }) where states[start] == .unseen {
            var path = [Visit(start, items: items, isPreferred: false)]
            states[start] = .open
            while !path.isEmpty {
                guard let next = path[path.count - 1].open.popLast() else {
                    let done = path.removeLast().index
                    states[done] = .done
                    order.append(done)
                    continue
                }
                switch states[next.index] {
                case .done: continue
                case .open:
                    guard !next.isPreferred, let first = path.lastIndex(where: { $0.index == next.index }),
                        let cut = path[(first + 1)...].firstIndex(where: \.isPreferred)
                    else { continue }
                    // What was only preferred comes later, with what led from there to here.
                    items[path[cut - 1].index].prefers.removeAll { $0 == path[cut].index }
                    for visit in path[cut...] { states[visit.index] = .unseen }
                    path.removeSubrange(cut...)
                case .unseen:
                    states[next.index] = .open
                    path.append(Visit(next.index, items: items, isPreferred: next.isPreferred))
                }
            }
        }
        return order
    }

    /// A change on the way through what changes require.
    private struct Visit {
        enum State { case unseen, open, done }

        let index: Int
        /// Whether the one before only prefers it.
        let isPreferred: Bool
        /// The changes to look at, the last first: requirements before preferences, each in the order of the changes.
        var open: [(index: Int, isPreferred: Bool)]

        init(_ index: Int, items: [Item], isPreferred: Bool) {
            (self.index, self.isPreferred) = (index, isPreferred)
            let isLater = { (one: Int, other: Int) in items[one].id > items[other].id }
            open =
                items[index].prefers.sorted(by: isLater).map { ($0, true) }
                + items[index].requires.sorted(by: isLater).map { ($0, false) }
        }
    }

    /// Whether a change that another one prefers to come first comes later.
    func isCut(_ preferred: Int, before index: Int) -> Bool { ranks[preferred] > ranks[index] }

    /// The index of the change to send now, which travels from now on; `nil` if none can be sent.
    ///
    /// A change that depends on one that travels is passed over, and so are those that depend on it.
    ///
    /// - Parameter now: Changes whose time to retry is later are not returned.
    mutating func next(at now: Date) -> Int? {
        while position < order.count, states[order[position]] != .open { position += 1 }
        var passed = PushTouches()
        var passedCount = 0
        for rank in position..<order.count where states[order[rank]] == .open {
            let index = order[rank]
            let touches = items[index].touches
            if let retryAt = items[index].retryAt, retryAt > now {
                states[index] = .waiting(retryAt)
            } else if first(of: index).contains(where: isInTheWay) {
                states[index] = .held
            } else if first(of: index).contains(where: { isBefore($0, at: rank) }) || touched.meet(touches)
                || passed.meet(touches)
            {
                passed.add(touches)
                passedCount += 1
                if passedCount == Self.passedLimit { return nil }
            } else {
                states[index] = .travelling
                touched.add(touches)
                return index
            }
        }
        return nil
    }

    /// Returns the changes that have to come before a change.
    private func first(of index: Int) -> [Int] {
        let item = items[index]
        return item.prefers.isEmpty ? item.requires : item.requires + item.prefers.filter { !isCut($0, before: index) }
    }

    private func isInTheWay(_ index: Int) -> Bool {
        switch states[index] {
        case .held, .waiting: true
        case .open, .travelling, .done: false
        }
    }

    /// Whether a required change has to be waited for. One that is later in the order is part of a cycle.
    private func isBefore(_ index: Int, at rank: Int) -> Bool {
        switch states[index] {
        case .travelling: true
        case .open: ranks[index] < rank
        case .held, .waiting, .done: false
        }
    }

    /// The change has taken effect, or there was nothing to do.
    mutating func finish(_ index: Int) { end(index, in: .done) }

    /// The server rejects the change: what requires it is held back.
    mutating func hold(_ index: Int) { end(index, in: .held) }

    /// The change is retried at that time.
    mutating func delay(_ index: Int, until date: Date) { end(index, in: .waiting(date)) }

    private mutating func end(_ index: Int, in state: State) {
        if states[index] == .travelling { touched.remove(items[index].touches) }
        states[index] = state
    }

    /// When the first of the waiting changes may be retried, and its index; `nil` if none waits.
    var earliestRetry: (date: Date, index: Int)? {
        var earliest: (date: Date, index: Int)?
        for (index, state) in states.enumerated() {
            guard case .waiting(let date) = state else { continue }
            if earliest.map({ date < $0.date }) ?? true { earliest = (date, index) }
        }
        return earliest
    }
}
