import LockstepSystem

/// Identifies a context.
package struct ContextID: Hashable, Sendable {
    private static let last = Locked<UInt64>(0)
    private let number: UInt64

    init() {
        number = Self.last.withLock { last in
            last += 1
            return last
        }
    }
}

/// The changes of a committed transaction.
package struct Commit: Sendable {
    /// The context that was saved; `nil` if something else has written.
    var origin: ContextID?
    var change = StoreChange()
    /// The part that the origin does not know: the effects of triggers.
    var effects = StoreChange()

    package init(origin: ContextID? = nil, change: StoreChange = StoreChange()) {
        (self.origin, self.change) = (origin, change)
    }
}

/// Sends commits to the open contexts, and counts them.
package final class ChangeHub: Sendable {
    private struct State {
        var announced: UInt64 = 0
        var posted: UInt64 = 0
        var inboxes: [WeakInbox] = []
    }

    private struct WeakInbox {
        weak var inbox: ContextInbox?
    }

    private let state = Locked(State())

    package init() {}

    /// The number of the newest commit that may be visible already. A context that has picked it up shows what the
    /// store has.
    package var announced: UInt64 { state.withLock { $0.announced } }

    /// Call this before a transaction is committed. It is not visible until then, so a reader that sees it finds it
    /// announced.
    func announce() { state.withLock { $0.announced = $0.posted + 1 } }

    /// Call this if the transaction was not committed, or has changed nothing.
    func withdraw() { state.withLock { $0.announced = $0.posted } }

    package func post(_ commit: Commit) {
        let inboxes = state.withLock { state in
            state.posted += 1
            state.announced = state.posted
            state.inboxes.removeAll { $0.inbox == nil }
            let inboxes = state.inboxes.compactMap(\.inbox)
            // While the lock is held, so that a context that is created now either receives it or is too new for it.
            for inbox in inboxes { inbox.receive(commit, number: state.posted) }
            return inboxes
        }
        for inbox in inboxes { inbox.wakeIfNeeded() }
    }

    /// - Returns: The number of the newest commit that the inbox does not receive.
    package func register(_ inbox: ContextInbox) -> UInt64 {
        state.withLock { state in
            state.inboxes.append(WeakInbox(inbox: inbox))
            return state.posted
        }
    }
}

/// The commits that a context has not picked up yet. Writers add them from any thread.
package final class ContextInbox: Sendable {
    /// Several commits, combined.
    package struct Waiting: Sendable {
        /// The number of the latest one.
        package var number: UInt64
        /// The changes whose rows must be read again.
        package fileprivate(set) var unknown = StoreChange()
        /// All changes, including those of the context's own saves.
        package fileprivate(set) var change = StoreChange()

        mutating func merge(_ later: Waiting) {
            number = later.number
            unknown.merge(later.unknown)
            change.merge(later.change)
        }
    }

    private struct State {
        var waiting: Waiting?
        var isWakePending = false
    }

    package let owner = ContextID()
    private let state = Locked(State())
    /// Makes the context pick up the commits, soon and in its own isolation domain.
    private let wake: (@Sendable () -> Void)?

    package init(wake: (@Sendable () -> Void)?) { self.wake = wake }

    func receive(_ commit: Commit, number: UInt64) {
        let unknown = commit.origin == owner ? commit.effects : commit.change
        let later = Waiting(number: number, unknown: unknown, change: commit.change)
        state.withLock { state in
            if state.waiting == nil { state.waiting = later } else { state.waiting?.merge(later) }
        }
    }

    func wakeIfNeeded() {
        guard let wake else { return }
        let isNeeded = state.withLock { state in
            guard state.waiting != nil, !state.isWakePending else { return false }
            state.isWakePending = true
            return true
        }
        if isNeeded { wake() }
    }

    /// Call this when a requested wake has arrived.
    package func didWake() { state.withLock { $0.isWakePending = false } }

    package func take() -> Waiting? {
        state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
    }

    /// Puts commits back that could not be picked up.
    package func putBack(_ earlier: Waiting) {
        state.withLock { state in
            var waiting = earlier
            if let later = state.waiting { waiting.merge(later) }
            state.waiting = waiting
        }
    }
}
