public import Observation
import GRDB

/// The records that a request selects, section by section, kept as the store has them.
///
/// ```swift
/// let results = store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood)
/// print(results.items.map(\.title))
/// ```
///
/// It can be read in two ways. It is `Observable`: a SwiftUI view that reads ``sections`` in its `body` is drawn again
/// when they change. And it is an `AsyncSequence`: each loop gets the snapshot that is there, then one for each change,
/// with the difference from what *that loop* saw last. A loop that is slow gets the latest snapshot only.
///
/// What is shown is what is saved, by this context or any other, or by SQL: a new record appears with the save, and
/// moves to another section with the save; one that the context is about to delete goes with the save. The rows are the
/// context's own objects, so what they say of themselves includes unsaved changes.
///
/// Results live in their context's isolation domain, as its models do. They follow the store as long as someone holds
/// them (a loop does), until ``stop()``, and until the context or the store is closed.
@Observable
public final class LiveResults<Object: Model, Key: Hashable> {
    /// What is shown now, with the difference from what was shown before.
    public private(set) var snapshot: ResultsSnapshot<Object, Key>

    /// Why what is shown may be out of date: the latest change could not be read. What was shown before stays; the next
    /// change is read anew and clears it.
    public private(set) var error: StoreError?

    /// The context whose objects are shown.
    @ObservationIgnored public let context: Context

    @ObservationIgnored let isolation: (any Actor)?
    @ObservationIgnored private let query: ResultsQuery<Object, Key>
    /// The parts of the database that the request depends on; `nil` while they are not known.
    @ObservationIgnored private var region: DatabaseRegion?
    /// What has changed and could not be read.
    @ObservationIgnored private var unread: StoreChange?
    @ObservationIgnored private var seats: [WeakSeat] = []
    @ObservationIgnored private(set) var isStopped = false

    private struct WeakSeat {
        weak var seat: ResultsSeat<Object, Key>?
    }

    init(_ query: ResultsQuery<Object, Key>, in context: Context, isolation: (any Actor)?) {
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
            note(error, StoreChange())
        }
    }

    /// The sections that are shown now. Results without sections have one.
    public var sections: [ResultsSection<Key, Object>] { snapshot.sections }

    /// The rows that are shown now, one section after the other. The array is made anew each time.
    public var items: [Object] { snapshot.items }

    /// How what is shown now differs from what was shown before.
    public var difference: ResultsDifference { snapshot.difference }

    /// Stops following the store: what is shown stays as it is, and every loop over the results ends.
    public func stop() {
        isStopped = true
        for seat in seats { seat.seat?.signal.end() }
        seats = []
    }

    // MARK: Readers

    /// Gives a loop its place among the readers.
    func takeSeat(_ seat: ResultsSeat<Object, Key>) {
        guard !isStopped else { return seat.signal.end() }
        context.base.signals.insert(seat.signal)
        seats.removeAll { $0.seat == nil }
        seats.append(WeakSeat(seat: seat))
    }

    /// The difference of what is shown now from other sections.
    func difference(
        from sections: [ResultsSection<Key, Object>], updated: UpdatedRows = UpdatedRows()
    ) -> ResultsDifference {
        DifferenceMaker.difference(from: sections, to: snapshot.sections, updated: updated)
    }

    // MARK: Following the store

    private func follow(_ change: StoreChange) throws {
        let region = try region ?? query.region(in: context)
        self.region = region
        guard unread != nil || query.isTouched(by: change, region) else { return }
        var updated = query.unlinkedRows(change, snapshot.sections)
        let sections = try query.sections(in: context)
        updated.formUnion(query.updatedRows(change, sections, in: context))
        unread = nil
        if error != nil { error = nil }
        publish(sections, updated)
    }

    private func publish(_ sections: [ResultsSection<Key, Object>], _ updated: UpdatedRows) {
        let difference = DifferenceMaker.difference(from: snapshot.sections, to: sections, updated: updated)
        guard !difference.isEmpty else { return }
        snapshot = ResultsSnapshot(sections: sections, difference: difference, number: snapshot.number + 1)
        for seat in seats { seat.seat?.notice(updated) }
    }

    private func note(_ error: any Error, _ change: StoreChange) {
        unread = change
        self.error =
            error as? StoreError
            ?? StoreError(
                .database, doing: "reading live results", entity: Object.entity.name, reason: "\(error)",
                remedy: "Look at what the store says.", underlyingError: error)
    }
}

extension LiveResults: ContextObserver {
    func contextDidRefresh(_ change: StoreChange) {
        guard !isStopped else { return }
        var all = unread ?? StoreChange()
        all.merge(change)
        do { try follow(all) } catch { note(error, all) }
    }

    func contextDidClose() { stop() }
}
