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
        guard let registrar = trackingRegistrar() else { return }
        for column in plan.columns.indices { observe(.attribute(column), registrar) }
    }

    @inline(never)
    @usableFromInline final func didRead(_ attribute: Int) { didRead(.attribute(attribute)) }

    @inline(__always)
    final func didRead(_ part: ObservedPart) {
        if let registrar = trackingRegistrar() { observe(part, registrar) }
    }

    /// Notes that the members of a relationship are read.
    final func didRead(_ relationship: Int, showing links: LoadedLinks) {
        guard let registrar = trackingRegistrar() else { return }
        context.observation?.show(links, of: self, relationship)
        observe(.relationship(relationship), registrar)
    }

    /// Notes that a to-one that holds the key is read.
    final func didRead(_ relationship: Int, showing destination: ManagedObject?) {
        guard let registrar = trackingRegistrar() else { return }
        context.observation?.show(destination, of: self, relationship)
        observe(.relationship(relationship), registrar)
    }

    /// Reports that a transient property was set.
    @_spi(Generated) public final func didChangeTransient(_ attribute: Int) { didChange(.attribute(attribute)) }

    /// Notifies the observers of a part that it has changed.
    final func didChange(_ part: ObservedPart) {
        guard let registrar else { return }
        registrar.withMutation(of: self, keyPath: \ManagedObject[observed: part]) {}
    }

    /// The object's registrar if the code that reads the object is tracked; otherwise `nil`.
    @inline(__always)
    private func trackingRegistrar() -> ObservationRegistrar? {
        guard isObservable else { return nil }
        if let registrar { return TrackingProbe.main.isTracking(registrar) ? registrar : nil }
        guard let new = TrackingProbe.main.registrarIfTracking() else { return nil }
        registrar = new
        return new
    }

    private func observe(_ part: ObservedPart, _ registrar: ObservationRegistrar) {
        registrar.access(self, keyPath: \ManagedObject[observed: part])
    }

    /// The subscript whose key path identifies a part for observers. Its value is not used.
    private subscript(observed part: ObservedPart) -> Void { () }
}
