import Foundation
import Journal
import LockstepStore
import Testing

@testable import LockstepUI

@MainActor
@Suite("The undo history of a view")
struct UndoConnectionTests {
    private let store: Store
    private let entry: Entry
    private let history: UndoHistory
    private let stack = UndoStack()
    private let connection = UndoConnection()

    init() throws {
        store = try journal("one")
        entry = try #require(try store.mainContext.fetch(Entry.all()).first)
        history = store.mainContext.enableUndo()
    }

    @Test("is connected again when the view comes back")
    func comesBack() {
        connection.appear(history, actions: stack)
        stack.event { entry.title = "two" }
        connection.disappear()
        #expect(stack.undoNames.isEmpty)
        connection.appear(history, actions: stack)
        #expect(stack.undoNames.count == 1)
        stack.event { entry.title = "three" }
        stack.undo()
        #expect(entry.title == "two")
        stack.undo()
        #expect(entry.title == "one")
        connection.disappear()
    }

    @Test("is that of the other account when the view gets another history")
    func otherHistory() throws {
        let other = try journal("other").mainContext
        let otherEntry = try #require(try other.fetch(Entry.all()).first)
        connection.appear(history, actions: stack)
        stack.event { entry.title = "two" }
        connection.follow(other.enableUndo(), actions: stack)
        stack.event { entry.title = "three" }
        #expect(stack.undoNames.isEmpty)
        stack.event { otherEntry.title = "changed" }
        stack.undo()
        #expect(otherEntry.title == "other")
        #expect(entry.title == "three")
        connection.disappear()
    }

    @Test("moves to another undo manager, and to none")
    func otherManager() {
        let other = UndoStack()
        connection.appear(history, actions: nil)
        entry.title = "two"
        connection.follow(history, actions: stack)
        #expect(stack.undoNames.count == 1)
        connection.follow(history, actions: other)
        #expect(stack.undoNames.isEmpty)
        other.undo()
        #expect(entry.title == "one")
        connection.follow(nil, actions: other)
        #expect(other.redoNames.isEmpty)
        connection.disappear()
    }

    @Test("keeps what can be redone when nothing has changed")
    func same() {
        connection.appear(history, actions: stack)
        stack.event { entry.title = "two" }
        stack.undo()
        connection.follow(history, actions: stack)
        connection.appear(history, actions: stack)
        stack.redo()
        #expect(entry.title == "two")
        connection.disappear()
    }

    @Test("can be asked for in a body, which is not evaluated again because of that, nor for each step")
    func enabledInBody() {
        let frames = Frames { store.mainContext.enableUndo() }
        frames.draw()
        entry.title = "two"
        frames.draw()
        #expect(frames.invalidationCount == 0)
    }

    @Test("is not connected while the view is not on screen")
    func hidden() {
        connection.follow(history, actions: stack)
        entry.title = "two"
        #expect(stack.undoNames.isEmpty)
        connection.appear(history, actions: stack)
        connection.disappear()
        connection.follow(history, actions: stack)
        #expect(stack.undoNames.isEmpty)
    }
}
