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
        /// When it may be retried.
        var retryAt: Date?
        var isHeld = false
    }

    private enum State: Equatable { case open, done, held, waiting(Date) }

    /// The changes, by index.
    let items: [Item]
    /// Their indexes in the order in which they are sent.
    let order: [Int]
    private var states: [State]
    private var position = 0

    init(_ items: [Item]) {
        self.items = items
        order = Self.order(of: items)
        states = items.map { $0.isHeld ? .held : .open }
    }

    /// Each after those that it requires; a cycle is cut where it is entered. Without recursion: chains may be long.
    private static func order(of items: [Item]) -> [Int] {
        var order: [Int] = []
        order.reserveCapacity(items.count)
        var isVisited = [Bool](repeating: false, count: items.count)
        for start in items.indices.sorted(by: { items[$0].id < items[$1].id }) where !isVisited[start] {
            isVisited[start] = true
            var path = [(index: start, required: items[start].requires.sorted { items[$0].id < items[$1].id })]
            while !path.isEmpty {
                let last = path.count - 1
                guard !path[last].required.isEmpty else {
                    order.append(path.removeLast().index)
                    continue
                }
                let next = path[last].required.removeFirst()
                if isVisited[next] { continue }
                isVisited[next] = true
                path.append((next, items[next].requires.sorted { items[$0].id < items[$1].id }))
            }
        }
        return order
    }

    /// The index of the change to send now; `nil` if none can be sent.
    ///
    /// - Parameter now: Changes whose time to retry is later are not returned.
    mutating func next(at now: Date) -> Int? {
        while position < order.count {
            let index = order[position]
            position += 1
            guard states[index] == .open else { continue }
            if let retryAt = items[index].retryAt, retryAt > now {
                states[index] = .waiting(retryAt)
                continue
            }
            // A change later in a cycle is not waited for.
            if items[index].requires.contains(where: isInTheWay) {
                states[index] = .held
                continue
            }
            return index
        }
        return nil
    }

    private func isInTheWay(_ index: Int) -> Bool {
        switch states[index] {
        case .held, .waiting: true
        case .open, .done: false
        }
    }

    /// The change has taken effect, or there was nothing to do.
    mutating func finish(_ index: Int) { states[index] = .done }

    /// The server rejects the change: what requires it is held back.
    mutating func hold(_ index: Int) { states[index] = .held }

    /// The change is retried at that time.
    mutating func delay(_ index: Int, until date: Date) { states[index] = .waiting(date) }

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
