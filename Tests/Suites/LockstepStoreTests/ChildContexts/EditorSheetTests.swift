import Foundation
import LockstepStore
import SchematicCapture
import Testing

/// An editor that works in a child of the list's context.
@Suite("An editor sheet adds a component to an unsaved job sheet")
struct EditorSheetTests {
    private func makeStore() throws -> Store { try Store(SchematicCaptureSchema.self, at: .inMemory) }

    @MainActor
    @Test("After cancelling, nothing is left; the job sheet is unchanged and can be saved")
    func cancelled() async throws {
        let store = try makeStore()
        let list = store.mainContext
        let sheet = JobSheet(id: 1, name: "Pump room", context: list)
        let editor = list.makeChild()
        let edited = try #require(try JobSheet.find(1, in: editor))
        #expect(edited !== sheet)
        edited.name = "Pump hall"
        let component = Component(id: 10, componentId: "C-10", jobSheet: edited, context: editor)
        #expect(edited.components.map(\.id) == [10])
        #expect(editor.hasChanges)
        #expect(sheet.name == "Pump room")
        #expect(sheet.components.isEmpty)

        editor.rollback()
        #expect(!editor.hasChanges)
        #expect(edited.name == "Pump room")
        #expect(edited.components.isEmpty)
        #expect(component.recordState == .deleted)
        try await list.save()
        let stored = try await store.perform { context in try context.count(Component.all()) }
        #expect(stored == 0)
    }

    @MainActor
    @Test("After saving, the list has it at once, and the store when the list is saved")
    func saved() async throws {
        let store = try makeStore()
        let list = store.mainContext
        let sheet = JobSheet(id: 1, name: "Pump room", context: list)
        #expect(sheet.components.isEmpty)
        let editor = list.makeChild()
        let edited = try #require(try JobSheet.find(1, in: editor))
        edited.name = "Pump hall"
        let component = Component(
            id: 10, componentId: "C-10", jobSheet: edited, photo: Photo(id: 5, name: "front", context: editor),
            context: editor)
        try await editor.save()

        #expect(!editor.hasChanges)
        #expect(component.recordState == .stored)
        #expect(sheet.name == "Pump hall")
        #expect(sheet.components.map(\.id) == [10])
        #expect(sheet.components.first?.photo?.name == "front")
        #expect(sheet.components.first?.recordState == .inserted)
        let before = try await store.perform { context in try context.count(Component.all()) }
        #expect(before == 0)

        // The editor continues with its objects.
        component.manufacturer = "Acme"
        try await editor.save()
        #expect(sheet.components.first?.manufacturer == "Acme")
        try await list.save()
        let after = try await store.perform { context in
            try JobSheet.find(1, in: context)?.components.map(\.manufacturer)
        }
        #expect(after == ["Acme"])
        #expect(edited.name == "Pump hall")
        #expect(!editor.hasChanges)
    }

    @MainActor
    @Test("An editor opened from an editor saves only to that one")
    func nested() throws {
        let list = try makeStore().mainContext
        let editor = list.makeChild()
        JobSheet(id: 1, name: "Pump room", context: editor)
        let detail = editor.makeChild()
        let sheet = try #require(try JobSheet.find(1, in: detail))
        Component(id: 10, componentId: "C-10", jobSheet: sheet, context: detail)
        try detail.save()
        #expect(try JobSheet.find(1, in: editor)?.components.map(\.id) == [10])
        #expect(try JobSheet.find(1, in: list) == nil)
        try editor.save()
        #expect(try JobSheet.find(1, in: list)?.components.map(\.id) == [10])
    }

    @MainActor
    @Test("Invalid changes are not saved to the parent, and both contexts are unchanged")
    func refused() throws {
        let list = try makeStore().mainContext
        JobSheet(id: 1, name: "Pump room", context: list)
        let editor = list.makeChild()
        let edited = try #require(try JobSheet.find(1, in: editor))
        edited.name = "Pump hall"
        let component = Component(id: 10, componentId: "C-10", jobSheet: edited, context: editor)
        Component(id: 10, componentId: "twice", context: editor)
        let error = #expect(throws: StoreError.self) { try editor.save() }
        #expect(error?.code == .duplicateIdentity)
        #expect(error?.record == "10")
        #expect(try JobSheet.find(1, in: list)?.name == "Pump room")
        #expect(try Component.find(10, in: list) == nil)
        #expect(edited.name == "Pump hall")
        #expect(component.recordState == .inserted)
    }

    @MainActor
    @Test("A fetch queries the store, and includes the parent's changes of the rows")
    func fetches() throws {
        let list = try makeStore().mainContext
        for id in 1...3 { JobSheet(id: Int32(id), name: "Sheet \(id)", context: list) }
        try list.save()
        try JobSheet.find(1, in: list)?.name = "Changed"
        let second = try #require(try JobSheet.find(2, in: list))
        list.delete(second)
        JobSheet(id: 4, name: "New", context: list)
        let editor = list.makeChild()
        #expect(try editor.fetch(JobSheet.order(\.id)).map(\.name) == ["Changed", "Sheet 3"])
        #expect(try editor.count(JobSheet.all()) == 3)
        #expect(try JobSheet.find(4, in: editor)?.name == "New")
        #expect(try JobSheet.find(2, in: editor) == nil)
    }

    @MainActor
    @Test("A scratch context shows the store without the other's unsaved changes, and saves to the store")
    func scratch() throws {
        let list = try makeStore().mainContext
        let sheet = JobSheet(id: 1, name: "Pump room", context: list)
        try list.save()
        sheet.name = "Pump hall"
        let scratch = list.makeScratch()
        let other = try #require(try JobSheet.find(1, in: scratch))
        #expect(other.name == "Pump room")
        other.status = "complete"
        #expect(sheet.status == "incomplete")
        try scratch.save()
        #expect(try list.count(JobSheet.filter { $0.status == "complete" }) == 1)
        #expect(sheet.name == "Pump hall")
    }

    @Test("Using a child after the end of its parent's block is an error that says so")
    func outlives() async throws {
        let store = try makeStore()
        let kept = Kept()
        try await store.perform { context in
            kept.child = context.makeChild()
            if let child = kept.child { JobSheet(id: 1, name: "Late", context: child) }
        }
        try await store.perform { _ in
            let child = try #require(kept.child)
            JobSheet(id: 2, name: "Later", context: child)
            let error = #expect(throws: StoreError.self) { try child.save() }
            #expect(error?.code == .closedContext)
            #expect(throws: StoreError.self) { try JobSheet.find(1, in: child) }
            kept.child = nil
        }
    }

    @MainActor
    @Test("After the store is closed, a child's save fails with SQLite's message")
    func storeClosed() throws {
        let store = try makeStore()
        let child = store.mainContext.makeChild()
        JobSheet(id: 1, name: "Late", context: child)
        try store.close()
        #expect(throws: StoreError.self) { try child.save() }
        #expect(child.hasChanges)
        #expect(!store.mainContext.hasChanges)
    }

    /// Passes a context out of a `perform`, which apps do not do: only one thread at a time uses it here.
    private final class Kept: @unchecked Sendable {
        var child: ManagedObjectContext?
    }
}
