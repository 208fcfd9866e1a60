@testable import LockstepUI

/// What Foundation's `UndoManager` does, with its habits: what is registered while an action undoes can be redone; any
/// other new action forgets what could be redone; actions of one event are one group; an action is gone once it was
/// called, whatever it did.
@MainActor
final class UndoStack: UndoActions {
    private struct Action {
        let target: ObjectIdentifier
        let perform: () -> Void
    }

    private struct Group {
        var name: String?
        var actions: [Action] = []
    }

    private var undoGroups: [Group] = []
    private var redoGroups: [Group] = []
    private var open: Group?
    private var isUndoing = false
    private var isRedoing = false

    var undoNames: [String?] { undoGroups.map(\.name) }
    var redoNames: [String?] { redoGroups.map(\.name) }

    func register(of bridge: UndoBridge, named name: String?, _ action: @escaping @MainActor (UndoBridge) -> Void) {
        let isGrouped = open != nil
        var group = open ?? Group()
        group.name = name ?? group.name
        group.actions.append(Action(target: ObjectIdentifier(bridge)) { action(bridge) })
        open = group
        if !isGrouped { close() }
    }

    /// What happens during one event is one group.
    func event(_ body: () throws -> Void) rethrows {
        open = Group()
        defer { close() }
        try body()
    }

    private func close() {
        defer { open = nil }
        guard let group = open, !group.actions.isEmpty else { return }
        if isUndoing { return redoGroups.append(group) }
        undoGroups.append(group)
        if !isRedoing { redoGroups = [] }
    }

    func removeActions(of bridge: UndoBridge) {
        func removed(_ groups: [Group]) -> [Group] {
            groups.compactMap { group in
                var rest = group
                rest.actions.removeAll { $0.target == ObjectIdentifier(bridge) }
                return rest.actions.isEmpty ? nil : rest
            }
        }
        (undoGroups, redoGroups) = (removed(undoGroups), removed(redoGroups))
        open?.actions.removeAll { $0.target == ObjectIdentifier(bridge) }
    }

    func undo() {
        guard let group = undoGroups.popLast() else { return }
        isUndoing = true
        event { for action in group.actions.reversed() { action.perform() } }
        isUndoing = false
    }

    func redo() {
        guard let group = redoGroups.popLast() else { return }
        isRedoing = true
        event { for action in group.actions.reversed() { action.perform() } }
        isRedoing = false
    }
}
