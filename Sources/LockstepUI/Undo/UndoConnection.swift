import LockstepStore

/// Connects a history to an undo manager as long as a view is on screen. Both can change.
@MainActor
final class UndoConnection {
    private var bridge: UndoBridge?
    private var history: UndoHistory?
    private weak var actions: (any UndoActions)?
    private var isOnScreen = false

    /// The view appears, for the first time or again: a view in another tab, or below another one, disappears.
    func appear(_ history: UndoHistory?, actions: (any UndoActions)?) {
        isOnScreen = true
        follow(history, actions: actions)
    }

    /// The view has another history, such as that of another account, or another manager.
    func follow(_ history: UndoHistory?, actions: (any UndoActions)?) {
        guard isOnScreen, history !== self.history || actions !== self.actions else { return }
        disconnect()
        (self.history, self.actions) = (history, actions)
        if let history, let actions { bridge = UndoBridge(history, to: actions) }
    }

    func disappear() {
        isOnScreen = false
        disconnect()
    }

    private func disconnect() {
        bridge?.disconnect()
        (bridge, history, actions) = (nil, nil, nil)
    }
}
