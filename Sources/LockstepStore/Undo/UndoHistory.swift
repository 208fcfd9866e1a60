public import Observation

/// The history of a context's unsaved changes, which can be undone and redone step by step.
///
/// ```swift
/// let history = context.enableUndo()
/// entry.title = "Monday"
/// history.group("Change Mood") {
///     entry.mood = .happy
///     entry.bodyText = "All well."
/// }
/// history.undo()  // the mood and the text
/// history.undo()  // the title: nothing is unsaved any more
/// ```
///
/// A change outside a group is a separate step, together with everything that the same call caused: the cascade of a
/// delete, both ends of a link, the positions of others in an order. Undo restores values, links, orders, new and
/// deleted records, and whether there is anything to save. It does not query the store. Transient attributes are not
/// recorded.
///
/// It contains unsaved changes only: `ManagedObjectContext.save()`, ``ManagedObjectContext/rollback()`` and
/// ``ManagedObjectContext/reset()`` clear it. So does reading a record that it involves and that was changed or deleted
/// elsewhere since: a step is undone completely or not at all, and never overwrites a change made elsewhere.
///
/// The history belongs to its context's isolation domain. It can be observed, for example to update buttons with
/// ``canUndo`` and ``undoName``.
@Observable
public final class UndoHistory {
    /// The number of steps that are kept by default. Each keeps the objects that it involves; a hundred is more than
    /// anyone undoes one by one.
    @usableFromInline package static let standardLevels = 100

    /// The number of steps to keep; the oldest are dropped first.
    public var levels: Int { didSet { forgetOldest() } }

    private var undoSteps: [ChangeStep] = []
    private var redoSteps: [ChangeStep] = []
    /// The open groups, outermost first. A call that causes more than one change is one too.
    private var openSteps: [ChangeStep] = []

    /// The follower that is told of each step, as it is made.
    @ObservationIgnored package weak var follower: (any UndoFollower)?
    @ObservationIgnored private weak var context: ManagedObjectContext?
    /// The depth of calls that cause changes together. They share one open step.
    @ObservationIgnored private var callDepth = 0
    @ObservationIgnored private var callStep: ChangeStep?
    /// The objects of all steps; `nil` if they must be computed.
    @ObservationIgnored private var touchedIDs: Set<ObjectIdentifier>?

    init(_ context: ManagedObjectContext, levels: Int) {
        self.context = context
        self.levels = max(1, levels)
    }

    // MARK: Undo and redo

    /// Whether there is a step to undo; `false` while a group is open.
    public var canUndo: Bool { openSteps.isEmpty && !undoSteps.isEmpty }

    /// Whether there is a step to redo: one was undone, and nothing was changed since.
    public var canRedo: Bool { openSteps.isEmpty && !redoSteps.isEmpty }

    /// The name of the step that ``undo()`` undoes; `nil` if it has none, or there is no step.
    public var undoName: String? { undoSteps.last?.name }

    /// The name of the step that ``redo()`` redoes; `nil` if it has none, or there is no step.
    public var redoName: String? { redoSteps.last?.name }

    /// The names of the steps to undo, the latest last.
    package var undoNames: [String?] { undoSteps.map(\.name) }

    /// Undoes the latest step. It does nothing if a model's own rule calls it.
    ///
    /// - Returns: Whether a step was undone.
    @discardableResult
    public func undo() -> Bool {
        guard canUndo, canRestore, let step = undoSteps.popLast() else { return false }
        context?.observingChanges(step.undo)
        redoSteps.append(step)
        follower?.historyDidChange()
        return true
    }

    /// Redoes the step that was undone last. It does nothing if a model's own rule calls it.
    ///
    /// - Returns: Whether a step was redone.
    @discardableResult
    public func redo() -> Bool {
        guard canRedo, canRestore, let step = redoSteps.popLast() else { return false }
        context?.observingChanges(step.redo)
        undoSteps.append(step)
        follower?.historyDidChange()
        return true
    }

    /// Not during a call, nor while the models' rules run, because their changes are recorded elsewhere.
    private var canRestore: Bool { callDepth == 0 && context?.recorders.current === self }

    /// Removes every step. Unsaved changes stay.
    ///
    /// In a group, previous changes stay; the rest of the group is a step.
    public func clear() {
        dropSteps()
        if !openSteps.isEmpty { openSteps = openSteps.compactMap { step(named: $0.name) } }
        callStep = nil
        touchedIDs = nil
    }

    private func dropSteps() {
        guard !undoSteps.isEmpty || !redoSteps.isEmpty else { return }
        (undoSteps, redoSteps) = ([], [])
        follower?.historyDidChange()
    }

    // MARK: Groups

    /// Makes everything that `body` changes one step. A nested group is part of the outer one.
    ///
    /// - Parameters:
    ///   - name: The name in a menu: `Delete Entry`.
    ///   - body: Makes the changes. If it throws, they are all undone, and there is no step; changes that it has saved
    ///     stay.
    /// - Returns: The result of `body`.
    /// - Throws: Errors of `body`.
    public func group<Value>(_ name: String? = nil, _ body: () throws -> Value) rethrows -> Value {
        beginGroup(name)
        do {
            let value = try body()
            endGroup()
            return value
        } catch {
            abandonGroup()
            throw error
        }
    }

    /// Begins a group that ``endGroup()`` ends, for changes over a period of time, such as a drag or an open panel.
    public func beginGroup(_ name: String? = nil) {
        closeCall()
        if let step = step(named: name) { openSteps.append(step) }
    }

    /// Ends the group that was begun last. It does nothing if no group is open.
    public func endGroup() {
        closeCall()
        guard let step = openSteps.popLast() else { return }
        add(step)
    }

    /// Undoes the changes of the innermost group, and ends it.
    private func abandonGroup() {
        closeCall()
        if let step = openSteps.popLast() { context?.observingChanges(step.revert) }
        touchedIDs = nil
    }

    // MARK: Steps

    /// `nil` if the context was released, so that nothing can change any more.
    private func step(named name: String? = nil) -> ChangeStep? {
        guard let context else { return nil }
        let step = ChangeStep(context)
        step.name = name
        return step
    }

    /// Adds a finished step to the enclosing group, or to the stack.
    private func add(_ step: ChangeStep) {
        guard !step.isEmpty else { return }
        if let group = openSteps.last { return group.absorb(step) }
        // Undoing only a part of it, or what was changed elsewhere, would be worse than not undoing it.
        guard step.changedUnderneath.isEmpty, step.hasEffect else { return }
        undoSteps.append(step)
        forgetOldest()
        touchedIDs = nil
        follower?.historyDidAddStep(named: step.name)
    }

    private func forgetOldest() {
        guard undoSteps.count > max(1, levels) else { return }
        undoSteps.removeFirst(undoSteps.count - max(1, levels))
        touchedIDs = nil
    }

    private func closeCall() {
        guard let step = callStep else { return }
        callStep = nil
        add(step)
    }
}

extension UndoHistory: StepRecorder {
    func record(_ note: (ChangeStep) -> Void) {
        if !redoSteps.isEmpty { redoSteps = [] }
        guard let step = callStep ?? step() else { return }
        callStep = step
        note(step)
        touchedIDs = nil
        if callDepth == 0 { closeCall() }
    }

    func beginChange() { callDepth += 1 }

    func endChange() {
        // The history may have been enabled during a call.
        callDepth = max(0, callDepth - 1)
        if callDepth == 0 { closeCall() }
    }

    func touches(_ object: ManagedObject) -> Bool {
        if touchedIDs == nil {
            let steps = undoSteps + redoSteps + openSteps + (callStep.map { [$0] } ?? [])
            touchedIDs = steps.reduce(into: []) { $0.formUnion($1.objectIDs) }
        }
        return touchedIDs?.contains(ObjectIdentifier(object)) ?? false
    }

    func didChangeUnderneath(_ object: ManagedObject) {
        if !undoSteps.isEmpty || !redoSteps.isEmpty {
            dropSteps()
            // Not for the open steps, which stay: computing it for each record of many would take minutes.
            touchedIDs = nil
        }
        for step in openSteps + (callStep.map { [$0] } ?? []) where step.has(object) {
            step.noteChangedUnderneath(object)
        }
    }
}
