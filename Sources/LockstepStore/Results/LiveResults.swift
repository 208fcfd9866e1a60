public import Observation
import GRDB

/// The records that a request selects, in sections, updated with each change of the store.
///
/// ```swift
/// let results = store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood)
/// print(results.items.map(\.title))
/// ```
///
/// There are two ways to read it. It is `Observable`: a SwiftUI view that reads ``sections`` in its `body` is updated
/// when they change. It is also an `AsyncSequence`: each loop receives the current snapshot, then one for each change,
/// with the difference from what *that loop* received last. A slow loop receives the latest snapshot only.
///
/// It shows what is saved, by this context, any other, or SQL: a new record appears, moves to another section or
/// disappears when that is saved. The rows are the context's own objects, so their properties include unsaved changes.
///
/// Results belong to their context's isolation domain, as its models do. They follow the store as long as something
/// keeps them alive (a loop does), until ``stop()``, or until the context or the store is closed.
@Observable
public final class LiveResults<Object: Model, Key: Hashable> {
    /// The current snapshot, with the difference from the previous one.
    public private(set) var snapshot: ResultsSnapshot<Object, Key>

    /// Why the snapshot may be out of date: the latest change could not be read. The previous snapshot stays, and the
    /// next change is re-read and clears the error.
    public private(set) var error: StoreError?

    /// The context whose objects are shown.
    @ObservationIgnored public let context: ManagedObjectContext

    @ObservationIgnored let isolation: (any Actor)?
    @ObservationIgnored private var query: ResultsQuery<Object, Key>
    /// The parts of the database that the request depends on; `nil` while they are not known.
    @ObservationIgnored private var region: DatabaseRegion?
    /// The changes that could not be read.
    @ObservationIgnored private var unread: StoreChange?
    @ObservationIgnored private var subscribers: [Subscriber] = []
    @ObservationIgnored private(set) var isStopped = false
    /// Surrounds each change of the snapshot: an animation, for example.
    @ObservationIgnored package var surround: ((() -> Void) -> Void)?

    private struct Subscriber {
        weak var subscription: ResultsSubscription<Object, Key>?
    }

    init(_ query: ResultsQuery<Object, Key>, in context: ManagedObjectContext, isolation: (any Actor)?) {
        self.query = query
        self.context = context
        self.isolation = isolation
        let empty = query.permanentKey.map { [ResultsSection<Key, Object>(key: $0, rows: [])] } ?? []
        snapshot = ResultsSnapshot(sections: empty, difference: ResultsDifference(), number: 0)
        snapshot.difference = difference(from: [])
        context.observers.add(self)
        do {
            try context.takeOverChanges()
            let sections = try query.sections(in: context)
            snapshot = ResultsSnapshot(sections: sections, difference: ResultsDifference(), number: 0)
            snapshot.difference = difference(from: [])
            region = try query.region(in: context)
        } catch {
            note(error, change: StoreChange())
        }
    }

    /// The current sections. Results without sections have one.
    public var sections: [ResultsSection<Key, Object>] { snapshot.sections }

    /// The current rows of all sections. The array is recomputed on each access.
    public var items: [Object] { snapshot.items }

    /// The difference between the current and the previous snapshot.
    public var difference: ResultsDifference { snapshot.difference }

    /// Stops following the store. The snapshot stays as it is, and every loop over the results ends.
    public func stop() {
        isStopped = true
        for subscriber in subscribers { subscriber.subscription?.signal.end() }
        subscribers = []
    }

    /// Shows the records that another request selects, in sections by the same key.
    ///
    /// The previous rows stay until the others have been read, and are followed by one snapshot with the difference. If
    /// the others cannot be read, ``error`` is set, and the next change of the store reads them again.
    ///
    /// ```swift
    /// results.change(to: Entry.filter { $0.title.contains(text) }.order(\.timestamp.desc))
    /// ```
    public func change(to request: some ModelRequest<Object>) {
        guard !isStopped else { return }
        query = query.changed(to: request)
        region = nil
        let missed = unread ?? StoreChange()
        unread = missed
        do {
            try context.takeOverChanges()
            if unread != nil { try follow(missed) }
        } catch {
            note(error, change: missed)
        }
    }

    // MARK: Readers

    /// Adds a loop to the readers.
    func subscribe(_ subscription: ResultsSubscription<Object, Key>) {
        guard !isStopped else { return subscription.signal.end() }
        context.base.signals.insert(subscription.signal)
        subscribers.removeAll { $0.subscription == nil }
        subscribers.append(Subscriber(subscription: subscription))
    }

    /// The difference between the current and other sections.
    func difference(
        from sections: [ResultsSection<Key, Object>], updated: UpdatedRows = UpdatedRows()
    ) -> ResultsDifference {
        DifferenceMaker.difference(from: sections, to: snapshot.sections, updated: updated)
    }

    // MARK: Following the store

    private func follow(_ change: StoreChange) throws {
        let region = try region ?? query.region(in: context)
        self.region = region
        guard unread != nil || query.isTouched(by: change, region: region) else { return }
        var updated = query.unlinkedRows(change, sections: snapshot.sections)
        let sections = try query.sections(in: context, knowsRows: snapshot.sections.contains { !$0.isEmpty })
        updated.formUnion(query.updatedRows(change, sections: sections, in: context))
        unread = nil
        if error != nil { error = nil }
        publish(sections, updated: updated)
    }

    private func publish(_ sections: [ResultsSection<Key, Object>], updated: UpdatedRows) {
        let difference = DifferenceMaker.difference(from: snapshot.sections, to: sections, updated: updated)
        guard !difference.isEmpty else { return }
        let next = ResultsSnapshot(sections: sections, difference: difference, number: snapshot.number + 1)
        if let surround { surround { snapshot = next } } else { snapshot = next }
        for subscriber in subscribers { subscriber.subscription?.notice(updated) }
    }

    private func note(_ error: any Error, change: StoreChange) {
        unread = change
        self.error =
            error as? StoreError
            ?? StoreError(
                .database, doing: "reading live results", entity: Object.entity.name, reason: "\(error)",
                remedy: "See `underlyingError`.", underlyingError: error)
    }
}

extension LiveResults: ContextObserver {
    func contextDidRefresh(_ change: StoreChange) {
        guard !isStopped else { return }
        var all = unread ?? StoreChange()
        all.merge(change)
        do { try follow(all) } catch { note(error, change: all) }
    }

    func contextDidClose() { stop() }
}
