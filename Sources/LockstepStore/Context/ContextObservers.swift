/// An observer of what a context shows.
protocol ContextObserver: AnyObject {
    /// The context has picked up the changes of commits, including its own saves. Several commits at once are one call.
    /// It is called in the context's isolation domain.
    func contextDidRefresh(_ change: StoreChange)

    /// The context is closed. No more calls follow.
    func contextDidClose()
}

extension ContextObserver {
    func contextDidClose() {}
}

/// The observers of a context, which are weak references, and the changes that they are still to be notified of.
final class ContextObservers {
    private struct WeakObserver {
        weak var observer: (any ContextObserver)?
    }

    private var observers: [WeakObserver] = []
    /// Contexts of the same isolation domain that pick up commits together with this one.
    private var companions = WeakContexts()
    /// Changes that were picked up, and that observers were not notified of yet.
    private var pending = StoreChange()
    private var isNotifying = false

    /// Notifies `observer` of everything that the context picks up from commits.
    func add(_ observer: any ContextObserver) {
        observers.removeAll { $0.observer == nil }
        observers.append(WeakObserver(observer: observer))
    }

    /// Makes another context pick up commits whenever this one is woken to do so.
    func addCompanion(_ context: ManagedObjectContext) { companions.insert(context) }

    /// The contexts that pick up commits together with this one.
    var awakeCompanions: [ManagedObjectContext] { companions.contexts }

    /// Records picked-up changes, for ``notify()`` to report.
    func didTakeOver(_ change: StoreChange) { pending.merge(change) }

    /// Notifies observers of picked-up changes. If an observer reads, more may be picked up; that is reported
    /// afterwards.
    func notify() {
        guard !isNotifying else { return }
        isNotifying = true
        defer { isNotifying = false }
        while !pending.isEmpty {
            let change = pending
            pending = StoreChange()
            for observer in observers { observer.observer?.contextDidRefresh(change) }
        }
    }

    /// The context is closed.
    func close() {
        for observer in observers { observer.observer?.contextDidClose() }
        observers = []
        pending = StoreChange()
    }
}

/// Contexts, held weakly.
struct WeakContexts {
    private struct WeakContext {
        weak var context: ManagedObjectContext?
    }

    private var references: [WeakContext] = []

    var isEmpty: Bool { references.isEmpty }

    /// The contexts that still exist.
    var contexts: [ManagedObjectContext] { references.compactMap(\.context) }

    mutating func insert(_ context: ManagedObjectContext) {
        references.removeAll { $0.context == nil }
        references.append(WeakContext(context: context))
    }

    mutating func removeAll() { references = [] }
}
