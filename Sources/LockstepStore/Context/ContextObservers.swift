/// Follows what a context shows.
protocol ContextObserver: AnyObject {
    /// The context has taken over what commits have changed, its own saves included; several that came together are
    /// one call. It is called in the context's isolation domain.
    func contextDidRefresh(_ change: StoreChange)

    /// The context is done with: nothing more will come.
    func contextDidClose()
}

extension ContextObserver {
    func contextDidClose() {}
}

/// Those that follow what a context shows, all held weakly, and what they are still to be notified of.
final class ContextObservers {
    private struct WeakObserver {
        weak var observer: (any ContextObserver)?
    }

    private var observers: [WeakObserver] = []
    /// Contexts of the same isolation domain that take over commits along with this one.
    private var companions = WeakContexts()
    /// What was taken over and observers were not notified of yet.
    private var pending = StoreChange()
    private var isNotifying = false

    /// Notifies `observer` of everything that the context takes over from commits.
    func add(_ observer: any ContextObserver) {
        observers.removeAll { $0.observer == nil }
        observers.append(WeakObserver(observer: observer))
    }

    /// Lets another context take over commits whenever this one is woken to.
    func addCompanion(_ context: Context) { companions.insert(context) }

    /// The contexts that take over commits along with this one.
    var awakeCompanions: [Context] { companions.contexts }

    /// Something was taken over: ``notify()`` passes it on.
    func didTakeOver(_ change: StoreChange) { pending.merge(change) }

    /// Notifies observers of what was taken over. One that reads may let more be taken over: that comes after.
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

    /// The context is done with.
    func close() {
        for observer in observers { observer.observer?.contextDidClose() }
        observers = []
        pending = StoreChange()
    }
}

/// Contexts, held weakly.
struct WeakContexts {
    private struct WeakContext {
        weak var context: Context?
    }

    private var references: [WeakContext] = []

    var isEmpty: Bool { references.isEmpty }

    /// Those that are still there.
    var contexts: [Context] { references.compactMap(\.context) }

    mutating func insert(_ context: Context) {
        references.removeAll { $0.context == nil }
        references.append(WeakContext(context: context))
    }

    mutating func removeAll() { references = [] }
}
