/// The recorders of a context's unsaved changes.
final class ChangeRecorders {
    /// The recorder that is notified of changes before they are made.
    private(set) var current: (any ChangeRecorder)?
    /// The recorder of all changes, except those that are recorded separately.
    private(set) var standing: (any ChangeRecorder)?

    /// Notifies a recorder of all changes from now on.
    func begin(_ recorder: any ChangeRecorder) {
        standing = recorder
        current = current ?? recorder
    }

    /// Ends what ``begin(_:)`` began.
    func end() {
        standing?.clear()
        if current === standing { current = nil }
        standing = nil
    }

    /// Runs `body` while another recorder is notified of the changes.
    func recordingApart<Value>(with recorder: any ChangeRecorder, _ body: () throws -> Value) rethrows -> Value {
        let outer = current === standing ? nil : current
        current = recorder
        defer { current = outer ?? standing }
        return try body()
    }

    /// An object no longer has the recorded values, so no step may restore them.
    func didChangeUnderneath(_ object: ManagedObject) {
        guard let current, current.touches(object) else { return }
        current.didChangeUnderneath(object)
    }

    /// All unsaved changes were saved or discarded.
    func clear() {
        current?.clear()
        standing?.clear()
    }
}
