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
        /// What it touches: it does not travel together with changes that touch the same.
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
    /// The place of each change in the order.
    private let places: [Int]
    /// The first place in the order whose change may be open.
    private var position = 0
    /// What is touched by changes that travel.
    private var touched = PushTouches()

    /// How many changes that cannot travel yet are passed over to find one that can: the search is repeated for each
    /// response.
    private static let passedLimit = 256

    init(_ items: [Item]) {
        self.items = items
        order = Self.order(of: items)
        var places = [Int](repeating: 0, count: items.count)
        for (place, index) in order.enumerated() { places[index] = place }
        self.places = places
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

    /// The index of the change to send now, which travels from now on; `nil` if none can be sent.
    ///
    /// A change that depends on one that travels is passed over, and so are those that depend on it.
    ///
    /// - Parameter now: Changes whose time to retry is later are not returned.
    mutating func next(at now: Date) -> Int? {
        while position < order.count, states[order[position]] != .open { position += 1 }
        var passed = PushTouches()
        var passedCount = 0
        for place in position..<order.count where states[order[place]] == .open {
            let index = order[place]
            let touches = items[index].touches
            if let retryAt = items[index].retryAt, retryAt > now {
                states[index] = .waiting(retryAt)
            } else if items[index].requires.contains(where: isInTheWay) {
                states[index] = .held
            } else if items[index].requires.contains(where: { isBefore($0, place) }) || touched.meet(touches)
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

    private func isInTheWay(_ index: Int) -> Bool {
        switch states[index] {
        case .held, .waiting: true
        case .open, .travelling, .done: false
        }
    }

    /// Whether a required change has to be waited for. One that is later in the order is part of a cycle.
    private func isBefore(_ index: Int, _ place: Int) -> Bool {
        switch states[index] {
        case .travelling: true
        case .open: places[index] < place
        case .held, .waiting, .done: false
        }
    }

    /// The change has taken effect, or there was nothing to do.
    mutating func finish(_ index: Int) { end(index, .done) }

    /// The server rejects the change: what requires it is held back.
    mutating func hold(_ index: Int) { end(index, .held) }

    /// The change is retried at that time.
    mutating func delay(_ index: Int, until date: Date) { end(index, .waiting(date)) }

    private mutating func end(_ index: Int, _ state: State) {
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
