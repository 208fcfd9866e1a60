extension Context {
    /// Tells an observer what the context has taken over, as long as someone holds it.
    func addObserver(_ observer: any ContextObserver) {
        observers.removeAll { $0.observer == nil }
        observers.append(WeakObserver(observer: observer))
    }

    func notifyObservers(_ change: StoreChange) {
        for observer in observers { observer.observer?.contextDidRefresh(change) }
    }

    /// Tells observers that the context is done with.
    func endObservation() {
        for observer in observers { observer.observer?.contextDidClose() }
        observers = []
    }

    /// What a save of this context is about to write.
    func pendingChange() -> StoreChange {
        var change = StoreChange()
        for object in inserted where object.recordState == .inserted {
            change.tables[object.plan.table, default: TableChange()].hasInserts = true
        }
        for object in changed where object.recordState == .changed {
            change.tables[object.plan.table, default: TableChange()].updated.insert(object.recordKey)
        }
        for object in deleted {
            change.tables[object.plan.table, default: TableChange()].deleted.insert(object.recordKey)
        }
        for table in joins.keys { change.tables[table, default: TableChange()].isUnbounded = true }
        return change
    }
}

struct WeakObserver {
    weak var observer: (any ContextObserver)?
}
