import Foundation
import Journal
import LockstepStore
import Testing

@testable import LockstepUI

@MainActor
@Suite("The source of a record on screen")
struct RecordSourceTests {
    private let source = RecordSource<Entry>()

    @Test("is the record with an identity, and follows its deletion")
    func deletion() throws {
        let store = try journal("A", "b")
        let entry = try #require(try store.mainContext.fetch(Entry.filter { $0.title == "b" }).first)
        source.follow(store, identity: entry.identifier)
        let frames = Frames { source.object?.title }
        store.mainContext.delete(entry)
        #expect(source.object == nil)
        try store.mainContext.save()
        frames.draw()
        #expect(frames.values == ["b", nil])
        #expect(frames.invalidationCount >= 1)
    }

    @Test("appears when it is inserted elsewhere")
    func insertion() async throws {
        let store = try journal("A")
        let id = UUID()
        source.follow(store, identity: id)
        let frames = Frames { source.object?.title }
        try await store.perform { context in
            Entry(identifier: id, title: "new", context: context)
            try context.save()
        }
        #expect(try store.mainContext.count(Entry.all()) == 2)  // picks up the commit
        frames.draw()
        #expect(frames.values == [nil, "new"])
        #expect(frames.invalidationCount == 1)
    }

    @Test("is a new record before it is saved")
    func unsaved() throws {
        let store = try journal()
        let entry = Entry(title: "new", context: store.mainContext)
        source.follow(store, identity: entry.identifier)
        #expect(source.object === entry)
        try store.mainContext.save()
        #expect(source.object === entry)
        source.follow(store, identity: nil)
        #expect(source.object == nil)
    }

    @Test("appears when it is inserted without a save, whatever else is unsaved, and follows undo and redo")
    func unsavedInsertion() throws {
        let store = try journal("A")
        let context = store.mainContext
        let other = try #require(try context.fetch(Entry.all()).first)
        other.title = "edited"
        let history = context.enableUndo()
        let id = UUID()
        source.follow(store, identity: id)
        let frames = Frames { source.object?.title }
        other.bodyText = "edited"
        #expect(frames.invalidationCount == 0)
        let steps: [() -> Void] = [
            { Entry(identifier: id, title: "new", context: context) }, { history.undo() }, { history.redo() },
            { [source] in source.object.map { context.delete($0) } }, { history.undo() }, { context.rollback() },
        ]
        for (number, step) in steps.enumerated() {
            let frames = Frames { source.object?.title }
            step()
            frames.draw()
            #expect(frames.values == (number % 2 == 0 ? [nil, "new"] : ["new", nil]), "step \(number)")
            #expect(frames.invalidationCount > 0, "step \(number)")
        }
    }

    @Test("appears when a child context saves it")
    func savedByChild() throws {
        let store = try journal("A")
        try #require(try store.mainContext.fetch(Entry.all()).first).title = "edited"
        let id = UUID()
        source.follow(store, identity: id)
        let frames = Frames { source.object?.title }
        let child = store.mainContext.makeChild()
        Entry(identifier: id, title: "new", context: child)
        try child.save()
        #expect(frames.invalidationCount == 1)
        #expect(source.object?.title == "new")
    }

    @Test("is another record when the view gets another identity or store")
    func others() throws {
        let (store, other) = (try journal("A", "b"), try journal("c"))
        let ids = try store.mainContext.fetch(Entry.order(\.timestamp.desc)).map(\.identifier)
        source.follow(store, identity: ids[0])
        #expect(source.object?.title == "A")
        source.follow(store, identity: ids[1])
        #expect(source.object?.title == "b")
        source.follow(other, identity: ids[1])
        #expect(source.object == nil)
        #expect(source.error == nil)
        source.follow(nil, identity: ids[1])
        #expect(source.error != nil)
    }
}
