import Foundation
import KitchenSink
import LockstepStore
import SampleTypes
import Testing

/// The effects on a child's records when the parent changes, saves, rolls back or deletes.
@MainActor
@Suite("A child picks up its parent's changes")
struct FollowingParentTests {
    private let parent: ManagedObjectContext
    private let child: ManagedObjectContext
    private let store: Store

    init() throws {
        store = try Store(KitchenSinkSchema.self, at: .inMemory)
        parent = store.mainContext
        child = parent.makeChild()
    }

    private func label(_ id: String, in context: ManagedObjectContext) throws -> KitchenSink.Label {
        try #require(try KitchenSink.Label.find(id, in: context))
    }

    @Test("Changed values are picked up on the child's next access; its own are kept")
    func changedValues() throws {
        let folder = LocalFolder(title: "Plans", context: parent)
        let note = LocalNote(text: "first", folder: folder, context: parent)
        let seen = try #require(try LocalNote.find(note.id, in: child))
        let seenFolder = seen.folder
        note.text = "second"
        folder.title = "Drawings"
        #expect(seen.text == "first")
        seenFolder.title = "Sketches"
        _ = try LocalNote.find(note.id, in: child)
        #expect(seen.text == "second")
        #expect(seenFolder.title == "Sketches")
        try child.save()
        #expect(folder.title == "Sketches")
        #expect(note.text == "second")
    }

    @Test("A value saved by the parent is correct in the child, whoever changed it and when")
    func parentSaves() throws {
        let made = KitchenSink.Label(id: "a", colour: "red", context: parent)
        let seen = try label("a", in: child)
        made.colour = "green"
        try parent.save()
        _ = try label("a", in: child)
        #expect(seen.colour == "green")
        #expect(seen.recordState == .stored)
        #expect(!child.hasChanges)
        seen.colour = "blue"
        try child.save()
        #expect(made.colour == "blue")
        #expect(made.recordState == .changed)
    }

    @Test("A record that the parent rolled back no longer exists; a changed one is as in the store again")
    func parentRollsBack() throws {
        let stored = KitchenSink.Label(id: "stored", colour: "red", context: parent)
        try parent.save()
        stored.colour = "green"
        KitchenSink.Label(id: "new", context: parent)
        let (seenStored, seenNew) = (try label("stored", in: child), try label("new", in: child))
        #expect(seenStored.colour == "green")
        parent.rollback()
        #expect(try KitchenSink.Label.find("new", in: child) == nil)
        #expect(seenNew.recordState == .deleted)
        #expect(child.isDeleted(seenNew))
        #expect(seenStored.colour == "red")
        #expect(!child.hasChanges)
    }

    @Test("The child's edits of a record that the parent deleted are not lost silently")
    func parentDeletes() throws {
        child.mergePolicy = .error
        let label = KitchenSink.Label(id: "a", context: parent)
        let other = KitchenSink.Label(id: "b", context: parent)
        let (seen, unchanged) = (try self.label("a", in: child), try self.label("b", in: child))
        seen.colour = "red"
        parent.delete(label)
        parent.delete(other)
        let error = #expect(throws: StoreError.self) { try child.save() }
        #expect(error?.code == .recordGone)
        #expect(error?.record == "a")
        #expect(unchanged.recordState == .deleted)
        #expect(seen.colour == "red")
        child.rollback()
        #expect(seen.recordState == .deleted)
        try child.save()
    }

    @Test("If the context wins, a changed record that the parent deleted is inserted again")
    func insertedAgain() throws {
        let label = KitchenSink.Label(id: "a", colour: "red", context: parent)
        try parent.save()
        let seen = try self.label("a", in: child)
        seen.colour = "green"
        parent.delete(label)
        child.mergePolicy = .contextWins
        try child.save()
        #expect(try self.label("a", in: parent).colour == "green")
        try parent.save()
        #expect(try parent.count(KitchenSink.Label.filter { $0.colour == "green" }) == 1)
    }

    @Test("If the store wins, the parent's values are kept, and its deletes are applied")
    func parentWins() throws {
        let (label, other) = (KitchenSink.Label(id: "a", context: parent), KitchenSink.Label(id: "b", context: parent))
        child.mergePolicy = .storeWins
        let (seen, seenOther) = (try self.label("a", in: child), try self.label("b", in: child))
        seen.colour = "green"
        seenOther.colour = "green"
        label.colour = "red"
        parent.delete(other)
        try child.save()
        #expect(seen.colour == "red")
        #expect(label.colour == "red")
        #expect(seenOther.recordState == .deleted)
    }

    @Test("Saves of other contexts appear in parent and child, unsaved edits are kept")
    func othersSave() async throws {
        let label = KitchenSink.Label(id: "a", colour: "red", context: parent)
        KitchenSink.Label(id: "b", colour: "red", context: parent)
        try await parent.save()
        let (seen, other) = (try self.label("a", in: child), try self.label("b", in: child))
        seen.colour = "green"
        try await store.perform { context in
            for label in try context.fetch(KitchenSink.Label.all()) { label.colour = "blue" }
            KitchenSink.Label(id: "c", context: context)
            try context.save()
        }
        #expect(try child.fetch(KitchenSink.Label.order(\.id)).map(\.colour) == ["green", "blue", nil])
        #expect(other.colour == "blue")
        #expect(label.colour == "blue")
        try await child.save()
        #expect(label.colour == "green")
    }

    @Test("Prefetched relationships are the parent's, unsaved links included")
    func prefetches() throws {
        let folder = LocalFolder(title: "Plans", context: parent)
        LocalNote(text: "stored", folder: folder, context: parent)
        try parent.save()
        LocalNote(text: "new", folder: folder, context: parent)
        let folders = try child.fetch(LocalFolder.all().prefetch(\.notes.folder))
        #expect(folders.map { $0.notes.map(\.text) } == [["new", "stored"]])
        #expect(folders.first?.notes.first?.folder === folders.first)
    }

    @Test("Both inserted the same identity: the child's save reports it")
    func clash() throws {
        KitchenSink.Label(id: "a", colour: "red", context: child)
        KitchenSink.Label(id: "a", colour: "green", context: parent)
        let error = #expect(throws: StoreError.self) { try child.save() }
        #expect(error?.code == .duplicateIdentity)
        #expect(try label("a", in: parent).colour == "green")
        parent.rollback()
        try child.save()
        #expect(try label("a", in: parent).colour == "red")
    }

    @Test("Both changed one attribute: the child's value wins; other columns keep the parent's values")
    func bothChanged() throws {
        let owner = Person(name: "P", country: "ch", number: 1, context: parent)
        let thing = Everything(name: "E", id: 1, days: [], owner: owner, context: parent)
        try parent.save()
        let seen = try #require(try Everything.find(1, in: child))
        seen.note = "child"
        thing.note = "parent"
        thing.small = 9
        try child.save()
        #expect(thing.note == "child")
        #expect(thing.small == 9)
        #expect(seen.small == 9)
        try parent.save()
        #expect(try parent.count(Everything.filter { $0.note == "child" && $0.small == 9 }) == 1)
    }

    @Test("A required to-one to a missing record is a placeholder; the save reports the missing record")
    func standIn() throws {
        let screw = Screw(length: 1, part: Part(context: child), context: child)
        screw.partID = UUID(number: 99)
        #expect(screw.part.recordState == .missing)
        screw.partID = nil
        let error = #expect(throws: StoreError.self) { try child.save() }
        #expect(error?.code == .missingValue)
        #expect(!parent.hasChanges)
    }

    @Test("Limits are checked when the child saves")
    func limits() throws {
        Scrap(text: "fine", page: 1, context: child)
        Scrap(text: "none", page: 0, context: child)
        let error = #expect(throws: StoreError.self) { try child.save() }
        #expect(error?.code == .limit)
        #expect(error?.attribute == "page")
        #expect(!parent.hasChanges)
        child.rollback()
        #expect(!child.hasChanges)
    }

    @Test("A delete that a rule denies stays in the child")
    func denied() throws {
        let part = Part(context: parent)
        Screw(length: 1, part: part, context: parent)
        let seen = try #require(try Part.find(part.localID, in: child))
        child.delete(seen)
        let error = #expect(throws: StoreError.self) { try child.save() }
        #expect(error?.code == .deleteDenied)
        #expect(part.recordState == .inserted)
        child.rollback()
        #expect(seen.recordState == .stored)
        #expect(seen.screws.count == 1)
    }

    @Test("A released child is deallocated, and its parent does not retain it")
    func released() throws {
        let label = KitchenSink.Label(id: "a", context: parent)
        weak var context: ManagedObjectContext?
        do {
            let draft = parent.makeChild()
            context = draft
            let seen = try self.label("a", in: draft)
            seen.colour = "red"
            KitchenSink.Label(id: "b", things: [], context: draft)
        }
        #expect(context == nil)
        #expect(label.colour == nil)
    }
}
