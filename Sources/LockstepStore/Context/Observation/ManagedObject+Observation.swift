import Observation

/// A part of an object that code can observe.
enum ObservedPart: Hashable {
    /// An attribute, by its column; a foreign key, by its first column; a transient attribute, by a negative number.
    case attribute(Int)
    case relationship(Int)
    case state
    case synced
}

extension ManagedObject {
    /// Notes that an attribute is read, by its number in generated code.
    ///
    /// It costs nothing in a context that is not the main actor's, and one call in one that is.
    @inlinable @inline(__always)
    @_spi(Generated) public final func willRead(_ attribute: Int) {
        if isObservable { didRead(attribute) }
    }

    /// Notes that every attribute is read.
    @_spi(Generated) public final func willRead() {
        guard let observers = trackingObservers() else { return }
        for column in plan.columns.indices { observe(.attribute(column), observers: observers) }
    }

    // It releases nothing that the reader can see. A compiler that knows this does not retain the object around each
    // read of it, which would cost more than the read.
    @inline(never)
    @_effects(releasenone)
    @usableFromInline final func didRead(_ attribute: Int) { didRead(.attribute(attribute)) }

    @inline(__always)
    final func didRead(_ part: ObservedPart) {
        if let observers = trackingObservers() { observe(part, observers: observers) }
    }

    /// Notes that the members of a relationship are read.
    final func didRead(_ relationship: Int, showing links: LoadedLinks) {
        didRead(relationship) { $0.show(links, of: self, for: relationship) }
    }

    /// Notes that a to-one that holds the key is read.
    final func didRead(_ relationship: Int, showing destination: ManagedObject?) {
        didRead(relationship) { $0.show(destination, of: self, for: relationship) }
    }

    /// Values that are shown are compared until they change, so a read must not count as tracked by mistake.
    private func didRead(_ relationship: Int, show: (ContextObservation) -> Void) {
        guard isObservable else { return }
        TrackingProbe.main.forget()
        guard let observers = trackingObservers() else { return }
        if let observation = context.observation { show(observation) }
        observe(.relationship(relationship), observers: observers)
    }

    /// Reports that a transient property was set.
    @_spi(Generated) public final func didChangeTransient(_ attribute: Int) { didChange(.attribute(attribute)) }

    /// Notifies the observers of a part that it has changed.
    final func didChange(_ part: ObservedPart) {
        guard let observers else { return }
        observers.registrar.withMutation(of: self, keyPath: \ManagedObject[observed: part]) {}
    }

    /// The object's observers if the code that reads the object is tracked; otherwise `nil`.
    @inline(__always)
    private func trackingObservers() -> ObserverList? {
        guard isObservable else { return nil }
        if let observers { return TrackingProbe.main.isTracking(observers) ? observers : nil }
        guard let new = TrackingProbe.main.observersIfTracking() else { return nil }
        observers = new
        return new
    }

    private func observe(_ part: ObservedPart, observers: ObserverList) {
        observers.registrar.access(self, keyPath: \ManagedObject[observed: part])
    }

    /// The subscript whose key path identifies a part for observers. Its value is not used.
    private subscript(observed part: ObservedPart) -> Void { () }
}
