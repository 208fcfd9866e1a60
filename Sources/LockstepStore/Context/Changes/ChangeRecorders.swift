/// Who is notified of a context's unsaved changes.
final class ChangeRecorders {
    /// Is notified of changes before they are taken over.
    private(set) var current: (any ChangeRecorder)?
    /// Is notified of all changes but those that are recorded apart.
    private(set) var standing: (any ChangeRecorder)?

    /// Lets a recorder be told of all changes from now on.
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

    /// An object is not what was recorded of it: no step may put that back.
    func didChangeUnderneath(_ object: ManagedObject) {
        guard let current, current.touches(object) else { return }
        current.didChangeUnderneath(object)
    }

    /// Everything unsaved was saved, or thrown away.
    func clear() {
        current?.clear()
        standing?.clear()
    }
}
