extension ManagedObjectContext {
    /// Begins to record unsaved changes, so that they can be undone. Existing unsaved changes are not included.
    ///
    /// If called again, it returns the same history with another limit.
    ///
    /// - Parameter levels: The number of steps to keep, at least one; the oldest are dropped first.
    /// - Returns: The history, which is also ``undoHistory`` from now on.
    @discardableResult
    public func enableUndo(levels: Int = UndoHistory.standardLevels) -> UndoHistory {
        if let undoHistory {
            // A view's body may call this. If nothing changes, it must not be evaluated again.
            if undoHistory.levels != max(1, levels) { undoHistory.levels = max(1, levels) }
            return undoHistory
        }
        let history = UndoHistory(self, levels: levels)
        recorders.begin(history)
        return history
    }

    /// The history of unsaved changes; `nil` if ``enableUndo(levels:)`` was not called.
    public var undoHistory: UndoHistory? { recorders.standing as? UndoHistory }

    /// Stops recording unsaved changes. They stay; ``undoHistory`` is `nil`.
    public func disableUndo() { recorders.end() }

    /// Runs `body`. If it throws, its changes are undone, and are not part of the undo history.
    func takingBackOnError<Value>(_ body: () throws -> Value) throws -> Value {
        try recordingApart { step in
            do { return try body() } catch {
                step.revert()
                throw error
            }
        }
    }

    /// Runs `body` while a separate step, which is passed to it, records the changes.
    func recordingApart<Value>(_ body: (ChangeStep) throws -> Value) rethrows -> Value {
        let step = ChangeStep(self)
        return try recorders.recordingApart(with: step) { try body(step) }
    }
}

extension ChangeStep {
    /// Undoes a step that will not be redone.
    func revert() {
        guard !isEmpty else { return }
        undo()
        // Their previous states are not those of the store any more.
        for object in changedUnderneath where object.state == .stored || object.state == .changed {
            context.remembering {
                try object.records?.readAgain([(key: object.recordKey, object: object)], policy: context.mergePolicy)
            }
        }
    }
}
