@testable import LockstepUI

/// What Foundation's `UndoManager` does, with its habits: unless it is told otherwise, everything that is registered
/// during one event, explicit groups included, is one group, which undoing ends; without that, an action needs an open
/// group; what is registered while an action undoes can be redone; any other new action forgets what could be redone;
/// an action is gone once it was called, whatever it did.
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

    var groupsByEvent = true
    private var undoGroups: [Group] = []
    private var redoGroups: [Group] = []
    /// The open groups, outermost first.
    private var open: [Group] = []
    private var isUndoing = false
    private var isRedoing = false

    var undoNames: [String?] { undoGroups.map(\.name) }
    var redoNames: [String?] { redoGroups.map(\.name) }
    var groupingLevel: Int { open.count }

    func register(of bridge: UndoBridge, named name: String?, _ action: @escaping @MainActor (UndoBridge) -> Void) {
        beginEvent()
        precondition(!open.isEmpty, "must begin a group before registering undo")
        var group = open.removeLast()
        group.name = name ?? group.name
        group.actions.append(Action(target: ObjectIdentifier(bridge)) { action(bridge) })
        open.append(group)
    }

    func beginUndoGrouping() {
        beginEvent()
        open.append(Group())
    }

    func endUndoGrouping() {
        guard let group = open.popLast(), !group.actions.isEmpty else { return }
        if var outer = open.popLast() {
            outer.name = group.name ?? outer.name
            outer.actions += group.actions
            return open.append(outer)
        }
        if isUndoing { return redoGroups.append(group) }
        undoGroups.append(group)
        if !isRedoing { redoGroups = [] }
    }

    private func beginEvent() {
        if groupsByEvent, open.isEmpty { open.append(Group()) }
    }

    /// One pass of the run loop.
    func event(_ body: () throws -> Void) rethrows {
        defer { endEvent() }
        try body()
    }

    private func endEvent() {
        while !open.isEmpty { endUndoGrouping() }
    }

    func removeActions(of bridge: UndoBridge) {
        func removed(_ groups: [Group]) -> [Group] {
            groups.map { group in
                var rest = group
                rest.actions.removeAll { $0.target == ObjectIdentifier(bridge) }
                return rest
            }
        }
        undoGroups = removed(undoGroups).filter { !$0.actions.isEmpty }
        redoGroups = removed(redoGroups).filter { !$0.actions.isEmpty }
        open = removed(open)
    }

    func undo() {
        endEvent()
        guard let group = undoGroups.popLast() else { return }
        isUndoing = true
        perform(group)
        isUndoing = false
    }

    func redo() {
        endEvent()
        guard let group = redoGroups.popLast() else { return }
        isRedoing = true
        perform(group)
        isRedoing = false
    }

    private func perform(_ group: Group) {
        open.append(Group())
        for action in group.actions.reversed() { action.perform() }
        endUndoGrouping()
    }
}
