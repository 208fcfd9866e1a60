import Foundation
import LockstepStore
import SampleTypes
import Testing

@testable import InternalSample

/// The rules of `LocalNote` and `LocalFolder` are those of the validation tests.
@Suite("Validation in a child") @MainActor
struct ChildRulesTests {
    private let context: ManagedObjectContext
    private let child: ManagedObjectContext
    private let folder: LocalFolder
    private let copy: LocalFolder

    init() throws {
        context = try Store(KitchenSinkSchema.self, at: .inMemory).mainContext
        folder = LocalFolder(id: UUID(), title: "Folder", context: context)
        try context.save()
        child = context.makeChild()
        copy = try #require(try child.find(LocalFolder.self, folder.id))
    }

    @Test("changes rejected by a rule stay in the child unchanged, and affect neither the parent nor both histories")
    func refused() throws {
        let history = context.enableUndo()
        let childHistory = child.enableUndo()
        copy.title = " x "
        let note = LocalNote(id: UUID(), text: "empty", folder: copy, context: child)
        let error = #expect(throws: StoreError.self) { try child.save() }
        #expect(error?.entity == "LocalNote" && error?.record == note.recordText && error?.attribute == "text")
        #expect(copy.title == " x " && copy.notes.count == 1 && !context.hasChanges && !history.canUndo)
        #expect(childHistory.undo() && childHistory.undo() && !childHistory.canUndo && !child.hasChanges)
        #expect(childHistory.redo() && childHistory.redo())
        note.text = "complete"
        try child.save()
        #expect(folder.title == "x" && folder.notes.count == 2 && !childHistory.canUndo)
        history.undo()
        #expect(folder.title == "Folder" && folder.notes.isEmpty && !context.hasChanges && !history.canUndo)
        history.redo()
        #expect(context.validate().isEmpty)
        try context.save()
        // The note's rule requires another one each time it is saved as new: once in each context.
        #expect(try context.count(LocalNote.all()) == 3)
    }

    @Test("a save that fails after the rules leaves the child unchanged")
    func failsLate() throws {
        copy.title = " x "
        let id = UUID()
        LocalFolder(id: id, title: "here", context: context)
        let other = LocalFolder(id: id, title: " there ", context: child)
        let error = #expect(throws: StoreError.self) { try child.save() }
        #expect(error?.code == .duplicateIdentity && error?.entity == "LocalFolder")
        #expect(copy.title == " x " && other.title == " there " && folder.title == "Folder")
        child.delete(other)
        try child.save()
        #expect(folder.title == "x")
    }
}

extension LocalNote {
    fileprivate var recordText: String { id.uuidString.lowercased() }
}
