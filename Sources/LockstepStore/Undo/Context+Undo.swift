extension Context {
    /// Begins to follow unsaved changes, so that they can be taken back; what is unsaved already stays out of it.
    ///
    /// Called again, it gives the same history with another limit.
    ///
    /// - Parameter levels: How many steps are kept, at least one; the oldest go first.
    /// - Returns: The history, ``undoHistory`` from now on.
    @discardableResult
    public func enableUndo(levels: Int = UndoHistory.standardLevels) -> UndoHistory {
        if let undoHistory {
            undoHistory.levels = max(1, levels)
            return undoHistory
        }
        let history = UndoHistory(self, levels: levels)
        recorders.begin(history)
        return history
    }

    /// What can be taken back of the unsaved changes; `nil` if ``enableUndo(levels:)`` was not called.
    public var undoHistory: UndoHistory? { recorders.standing as? UndoHistory }

    /// Ends following unsaved changes. They stay; ``undoHistory`` is `nil`.
    public func disableUndo() { recorders.end() }

    /// Runs `body`; if it throws, what it changed is taken back, and never was as far as the undo history goes.
    func takingBackOnError<Value>(_ body: () throws -> Value) throws -> Value {
        try recordingApart { step in
            do { return try body() } catch {
                step.takeBack()
                throw error
            }
        }
    }

    /// Runs `body` while a step of its own, which is given to it, takes in what is changed.
    func recordingApart<Value>(_ body: (ChangeStep) throws -> Value) rethrows -> Value {
        let step = ChangeStep(self)
        return try recorders.recordingApart(with: step) { try body(step) }
    }
}

extension ChangeStep {
    /// Undoes a step that nobody will do again.
    func takeBack() {
        guard !isEmpty else { return }
        undo()
        // What they were before is not what the store has any more.
        for object in changedUnderneath where object.recordState == .stored || object.recordState == .changed {
            context.remembering {
                try object.records?.readAgain([(key: object.recordKey, object: object)], policy: context.mergePolicy)
            }
        }
    }
}
