import LockstepStore

/// A stack of actions to undo, such as Foundation's `UndoManager`.
///
/// An action that is registered during an undo can be redone. Any other can be undone, and clears what could be
/// redone. Actions of one group are undone together.
@MainActor
protocol UndoActions: AnyObject {
    /// Whether what is registered during one event is a group. Otherwise, each action requires an open group.
    var groupsByEvent: Bool { get set }

    /// The number of open groups, each inside the previous one.
    var groupingLevel: Int { get }

    func beginUndoGrouping()
    func endUndoGrouping()

    /// Registers an action of a bridge.
    func register(of bridge: UndoBridge, named name: String?, _ action: @escaping @MainActor (UndoBridge) -> Void)

    /// Removes all actions of a bridge.
    func removeActions(of bridge: UndoBridge)
}

/// Makes the undo manager of a window or a scene undo and redo the steps of an ``/LockstepStore/UndoHistory``.
///
/// The menu, the keyboard, a shake and the gestures use that manager. Each step is one of its actions, with the name of
/// the step. What clears the history (a save, a rollback, an edit of the same record elsewhere) removes the actions.
/// Steps that are made during one event form one undo group of the manager, unless its `groupsByEvent` is `false`.
/// Steps that were made before the bridge, or that remain when another one is undone by the app, are a group each.
///
/// A history has one bridge at a time.
@MainActor
public final class UndoBridge {
    private let history: UndoHistory
    private weak var actions: (any UndoActions)?
    /// Whether an action of the bridge is changing the history.
    private var isPassing = false
    /// Whether an action could not be carried out, so that the actions are not those of the history any more.
    private var isStale = false

    init(_ history: UndoHistory, to actions: any UndoActions) {
        self.history = history
        self.actions = actions
        history.follower = self
        registerSteps()
    }

    /// Removes the actions. The steps of the history stay.
    public func disconnect() {
        if history.follower === self { history.follower = nil }
        actions?.removeActions(of: self)
        actions = nil
    }

    /// Registers the steps of the history, each as a group of its own: they were not made during this event.
    private func registerSteps() {
        guard let actions else { return }
        let groupsByEvent = actions.groupsByEvent
        actions.groupsByEvent = false
        defer { actions.groupsByEvent = groupsByEvent }
        for name in history.undoNames { register(name) }
    }

    private func register(_ name: String?) {
        guard let actions else { return }
        let needsGroup = !actions.groupsByEvent && actions.groupingLevel == 0
        if needsGroup { actions.beginUndoGrouping() }
        actions.register(of: self, named: name) { $0.undo() }
        if needsGroup { actions.endUndoGrouping() }
    }

    private func undo() {
        let name = history.undoName
        guard pass({ history.undo() }) else { return }
        actions?.register(of: self, named: name) { $0.redo() }
    }

    private func redo() {
        let name = history.redoName
        guard pass({ history.redo() }) else { return }
        register(name)
    }

    private func pass(_ change: () -> Bool) -> Bool {
        isPassing = true
        defer { isPassing = false }
        let isDone = change()
        // A group is open, or the oldest steps were dropped.
        if !isDone { isStale = true }
        return isDone
    }

    /// Registers what can be undone again. What was undone in another way cannot be redone by the manager.
    private func reset() {
        isStale = false
        actions?.removeActions(of: self)
        registerSteps()
    }
}

extension UndoBridge: UndoFollower {
    package nonisolated func historyDidAddStep(named name: String?) {
        MainActor.assumeIsolated { if isStale { reset() } else { register(name) } }
    }

    package nonisolated func historyDidChange() {
        MainActor.assumeIsolated { if !isPassing { reset() } }
    }
}
