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
        undoHistory = history
        changeRecorder = changeRecorder ?? history
        return history
    }

    /// Ends following unsaved changes. They stay; ``undoHistory`` is `nil`.
    public func disableUndo() {
        undoHistory?.clear()
        if changeRecorder === undoHistory { changeRecorder = nil }
        undoHistory = nil
    }

    /// What is changed until the matching ``endChange()`` is one step of the undo history. Generated code calls it; apps
    /// use ``UndoHistory/group(_:_:)``.
    public func beginChange() { changeRecorder?.beginChange() }

    /// Ends what ``beginChange()`` began.
    public func endChange() { changeRecorder?.endChange() }

    /// Lets the undo history know that an object is not what it was told of: a step must not put that back.
    func noteChangedUnderneath(_ object: ManagedObject) {
        guard let changeRecorder, changeRecorder.touches(object) else { return }
        changeRecorder.didChangeUnderneath(object)
    }

    /// Runs `body`; where it throws, what it changed is taken back, and never was as far as the undo history goes.
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
        let outer = changeRecorder as? ChangeStep
        let step = ChangeStep(self)
        changeRecorder = step
        defer { changeRecorder = outer ?? undoHistory }
        return try body(step)
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
