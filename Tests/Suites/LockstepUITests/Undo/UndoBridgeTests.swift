import Foundation
import Journal
import LockstepStore
import Testing

@testable import LockstepUI

@MainActor
@Suite("The bridge from a history to an undo manager")
struct UndoBridgeTests {
    private let store: Store
    private let entry: Entry
    private let history: UndoHistory
    private let stack = UndoStack()

    init() throws {
        store = try journal("one")
        entry = try #require(try store.mainContext.fetch(Entry.all()).first)
        history = store.mainContext.enableUndo()
    }

    @Test("undoes and redoes each step by the manager, with its name")
    func steps() throws {
        let bridge = UndoBridge(history, to: stack)
        stack.event { history.group("Rename") { entry.title = "two" } }
        stack.event { history.group("Change Mood") { entry.mood = .happy } }
        #expect(stack.undoNames == ["Rename", "Change Mood"])
        stack.undo()
        stack.undo()
        #expect(entry.title == "one")
        #expect(!store.mainContext.hasChanges)
        #expect(stack.redoNames == ["Change Mood", "Rename"])
        stack.redo()
        #expect(entry.title == "two")
        #expect(entry.mood == .sad)
        #expect(stack.undoNames == ["Rename"])
        #expect(history.undoName == "Rename")
        bridge.disconnect()
    }

    @Test("takes the steps that the history has already")
    func earlier() {
        history.group("Rename") { entry.title = "two" }
        let bridge = UndoBridge(history, to: stack)
        stack.undo()
        #expect(entry.title == "one")
        bridge.disconnect()
    }

    @Test("undoes all steps of one event together, and redoes them")
    func events() {
        let bridge = UndoBridge(history, to: stack)
        stack.event {
            entry.title = "two"
            entry.mood = .happy
        }
        stack.undo()
        #expect(entry.title == "one" && entry.mood == .sad)
        stack.redo()
        #expect(entry.title == "two" && entry.mood == .happy)
        stack.undo()
        #expect(entry.title == "one" && entry.mood == .sad)
        bridge.disconnect()
    }

    @Test("removes the actions when a save clears the history")
    func save() throws {
        let bridge = UndoBridge(history, to: stack)
        entry.title = "two"
        try store.mainContext.save()
        #expect(stack.undoNames.isEmpty)
        stack.event { entry.title = "three" }
        stack.undo()
        #expect(entry.title == "two")
        bridge.disconnect()
    }

    @Test("follows a history that is undone by a button of the app")
    func button() {
        let bridge = UndoBridge(history, to: stack)
        stack.event { history.group("Rename") { entry.title = "two" } }
        stack.event { history.group("Change Mood") { entry.mood = .happy } }
        stack.event { _ = history.undo() }
        #expect(stack.undoNames == ["Rename"])
        stack.undo()
        #expect(entry.title == "one")
        bridge.disconnect()
    }

    @Test("keeps each step an undo of its own when the steps are registered again")
    func registeredAgain() {
        let bridge = UndoBridge(history, to: stack)
        for title in ["two", "three", "four"] { stack.event { history.group(title) { entry.title = title } } }
        stack.event { _ = history.undo() }
        #expect(stack.undoNames == ["two", "three"])
        stack.undo()
        #expect(entry.title == "two")
        stack.undo()
        #expect(entry.title == "one")
        stack.redo()
        #expect(entry.title == "two")
        #expect(stack.groupsByEvent)
        bridge.disconnect()
    }

    @Test("keeps each step an undo of its own when another bridge follows the history")
    func reconnected() {
        let former = UndoBridge(history, to: stack)
        for title in ["two", "three"] { stack.event { history.group(title) { entry.title = title } } }
        former.disconnect()
        let bridge = UndoBridge(history, to: stack)
        #expect(stack.undoNames == ["two", "three"])
        stack.undo()
        #expect(entry.title == "two")
        bridge.disconnect()
    }

    @Test("makes each step a group if the manager does not group by event")
    func withoutEvents() {
        stack.groupsByEvent = false
        let bridge = UndoBridge(history, to: stack)
        stack.beginUndoGrouping()
        history.group("Rename") { entry.title = "two" }
        entry.mood = .happy
        stack.endUndoGrouping()
        #expect(stack.undoNames == ["Rename"])
        entry.title = "three"
        #expect(stack.undoNames == ["Rename", nil])
        stack.undo()
        #expect(entry.title == "two" && entry.mood == .happy)
        stack.undo()
        #expect(entry.title == "one" && entry.mood == .sad)
        #expect(!stack.groupsByEvent)
        bridge.disconnect()
    }

    @Test("keeps the manager and the history alike if an open group cannot be undone")
    func openGroup() {
        let bridge = UndoBridge(history, to: stack)
        stack.event { entry.title = "two" }
        history.beginGroup("Drag")
        stack.undo()
        #expect(entry.title == "two")
        stack.event {
            entry.mood = .happy
            history.endGroup()
        }
        #expect(stack.undoNames == [nil, "Drag"])
        bridge.disconnect()
    }

    @Test("leaves the manager's other actions, and the steps of the history, when it is disconnected")
    func disconnect() throws {
        let other = try journal("other").mainContext
        let otherEntry = try #require(try other.fetch(Entry.all()).first)
        let (bridge, otherBridge) = (UndoBridge(history, to: stack), UndoBridge(other.enableUndo(), to: stack))
        stack.event { entry.title = "two" }
        stack.event { otherEntry.title = "changed" }
        bridge.disconnect()
        #expect(history.canUndo)
        stack.undo()
        #expect(otherEntry.title == "other")
        #expect(entry.title == "two")
        otherBridge.disconnect()
    }
}
