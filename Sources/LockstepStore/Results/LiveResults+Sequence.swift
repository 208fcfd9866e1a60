extension LiveResults: AsyncSequence {
    public typealias Element = ResultsSnapshot<Object, Key>
    public typealias Failure = Never

    public func makeAsyncIterator() -> Iterator { Iterator(ResultsSubscription(self)) }

    /// Returns the current snapshot first, then one for each change, with the difference from the previous one.
    ///
    /// It ends when its task is cancelled, the results are stopped, or the context or the store is closed. Until then,
    /// it keeps the results alive.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscription: ResultsSubscription<Object, Key>

        init(_ subscription: ResultsSubscription<Object, Key>) { self.subscription = subscription }

        public func next(isolation actor: isolated (any Actor)?) async -> ResultsSnapshot<Object, Key>? {
            if let first = subscription.takeFirst() { return first }
            while await subscription.signal.wait(isolation: actor) {
                if let snapshot = subscription.take() { return snapshot }
            }
            return nil
        }

        public func next() async -> ResultsSnapshot<Object, Key>? {
            // Systems that do not know the other method call this one. Only code of the results' own isolation domain
            // can have the iterator, so it continues there.
            nonisolated(unsafe) let iterator = self
            return await iterator.carried(to: subscription.results.isolation).snapshot
        }

        private func carried(to actor: isolated (any Actor)?) async -> Carried {
            let iterator = self
            return Carried(snapshot: await iterator.next(isolation: actor))
        }

        /// It is unchecked because the compiler cannot know that the snapshot returns to the domain that it belongs to.
        private struct Carried: @unchecked Sendable {
            let snapshot: ResultsSnapshot<Object, Key>?
        }
    }
}

/// The state that one loop over live results has seen.
final class ResultsSubscription<Object: Model, Key: Hashable> {
    let results: LiveResults<Object, Key>
    let signal = ChangeSignal()
    /// The last returned snapshot.
    private var seen: ResultsSnapshot<Object, Key>?
    /// The rows that were updated since.
    private var updated = UpdatedRows()

    init(_ results: LiveResults<Object, Key>) {
        self.results = results
        results.subscribe(self)
    }

    /// The results have a new snapshot.
    func notice(_ updated: UpdatedRows) {
        self.updated.formUnion(updated)
        signal.raise()
    }

    /// The current snapshot if none was returned before.
    func takeFirst() -> ResultsSnapshot<Object, Key>? {
        guard seen == nil, !signal.isEnded, !Task.isCancelled else { return nil }
        var snapshot = results.snapshot
        snapshot.difference = results.difference(from: [])
        return give(snapshot)
    }

    /// The current snapshot; `nil` if it was returned already, or shows the same.
    func take() -> ResultsSnapshot<Object, Key>? {
        var snapshot = results.snapshot
        guard let seen, snapshot.number != seen.number else { return nil }
        if snapshot.number != seen.number + 1 {
            snapshot.difference = results.difference(from: seen.sections, updated: updated)
        }
        return snapshot.difference.isEmpty ? nil : give(snapshot)
    }

    private func give(_ snapshot: ResultsSnapshot<Object, Key>) -> ResultsSnapshot<Object, Key> {
        seen = snapshot
        updated = UpdatedRows()
        return snapshot
    }
}
