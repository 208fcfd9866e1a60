public import Observation

/// What can be taken back of a context's unsaved changes, step by step, and done again.
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
/// A change outside of a group is a step of its own, with everything that the same call caused: what a delete cascades
/// to, both ends of a link, the places of others in an order. Undoing gives back values, links, orders, new and deleted
/// records, and whether there is anything to save; it asks nothing of the store. Transient attributes are not followed.
///
/// It is of unsaved changes: ``Context/save()``, ``Context/rollback()`` and ``Context/reset()`` clear it. So does
/// reading a record that it touches and that others have changed or deleted since: a step is taken back whole or not at
/// all, and nobody else's change is overwritten by it.
///
/// The history belongs to its context's isolation domain. It can be observed: buttons follow ``canUndo`` and
/// ``undoName``.
@Observable
public final class UndoHistory {
    /// How many steps are kept where nobody says otherwise. Each holds the objects that it touched; a hundred is more
    /// than anybody takes back one by one.
    public static let standardLevels = 100

    /// How many steps are kept; the oldest go first.
    public var levels: Int { didSet { forgetOldest() } }

    private var undoSteps: [ChangeStep] = []
    private var redoSteps: [ChangeStep] = []
    /// The groups that are open, the outermost first; a call that causes more than one change is one too.
    private var openSteps: [ChangeStep] = []

    @ObservationIgnored private weak var context: Context?
    /// How many calls are under way that cause changes together; they share one open step.
    @ObservationIgnored private var callDepth = 0
    @ObservationIgnored private var callStep: ChangeStep?
    /// The objects of all steps; `nil` when it must be worked out.
    @ObservationIgnored private var touchedIDs: Set<ObjectIdentifier>?

    init(_ context: Context, levels: Int) {
        self.context = context
        self.levels = max(1, levels)
    }

    // MARK: Undo and redo

    /// Whether there is a step to take back. Never while a group is open.
    public var canUndo: Bool { openSteps.isEmpty && !undoSteps.isEmpty }

    /// Whether there is a step to do again: one was taken back, and nothing was changed since.
    public var canRedo: Bool { openSteps.isEmpty && !redoSteps.isEmpty }

    /// The name of the step that ``undo()`` takes back; `nil` if it has none, or there is none.
    public var undoName: String? { undoSteps.last?.name }

    /// The name of the step that ``redo()`` does again; `nil` if it has none, or there is none.
    public var redoName: String? { redoSteps.last?.name }

    /// Takes back the latest step. Called by a model's own rule, it does nothing.
    ///
    /// - Returns: Whether that was done.
    @discardableResult
    public func undo() -> Bool {
        guard canUndo, canRestore, let step = undoSteps.popLast() else { return false }
        step.undo()
        redoSteps.append(step)
        return true
    }

    /// Does again the step that was taken back last. Called by a model's own rule, it does nothing.
    ///
    /// - Returns: Whether that was done.
    @discardableResult
    public func redo() -> Bool {
        guard canRedo, canRestore, let step = redoSteps.popLast() else { return false }
        step.redo()
        undoSteps.append(step)
        return true
    }

    /// Not in the middle of a call, nor while the models' rules are asked: what those change is recorded elsewhere.
    private var canRestore: Bool { callDepth == 0 && context?.recorders.current === self }

    /// Forgets every step. What is unsaved stays so.
    ///
    /// In a group, what was changed so far stays; the rest of the group is a step.
    public func clear() {
        if !undoSteps.isEmpty { undoSteps = [] }
        if !redoSteps.isEmpty { redoSteps = [] }
        if !openSteps.isEmpty { openSteps = openSteps.compactMap { step(named: $0.name) } }
        callStep = nil
        touchedIDs = nil
    }

    // MARK: Groups

    /// Makes one step of everything that `body` changes. A group in a group is part of that.
    ///
    /// - Parameters:
    ///   - name: What a menu calls it: `Delete Entry`.
    ///   - body: Makes the changes. If it throws, they are all taken back, and no step is left; those that it had
    ///     saved itself stay.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
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

    /// Begins a group that ``endGroup()`` ends, for changes that are made over some time: a drag, a panel that is open.
    public func beginGroup(_ name: String? = nil) {
        closeCall()
        if let step = step(named: name) { openSteps.append(step) }
    }

    /// Ends the group that was begun last. Where none is open, nothing happens.
    public func endGroup() {
        closeCall()
        guard let step = openSteps.popLast() else { return }
        add(step)
    }

    /// Takes back what the innermost group changed, and ends it.
    private func abandonGroup() {
        closeCall()
        openSteps.popLast()?.takeBack()
        touchedIDs = nil
    }

    // MARK: Steps

    /// `nil` if the context is gone: nothing is changed any more.
    private func step(named name: String? = nil) -> ChangeStep? {
        guard let context else { return nil }
        let step = ChangeStep(context)
        step.name = name
        return step
    }

    /// Puts a finished step into the group around it, or on the stack.
    private func add(_ step: ChangeStep) {
        guard !step.isEmpty else { return }
        if let group = openSteps.last { return group.absorb(step) }
        // Taking back only a part of it, or what others have made of it, would be worse than not being able to.
        guard step.changedUnderneath.isEmpty, step.hasEffect else { return }
        undoSteps.append(step)
        forgetOldest()
        touchedIDs = nil
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
        // The history may have been enabled in the middle of a call.
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
            (undoSteps, redoSteps) = ([], [])
            // Not for the open steps, which stay: working it out for each record of many would take minutes.
            touchedIDs = nil
        }
        for step in openSteps + (callStep.map { [$0] } ?? []) where step.has(object) {
            step.noteChangedUnderneath(object)
        }
    }
}
