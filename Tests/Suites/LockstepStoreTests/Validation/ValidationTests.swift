import Foundation
import GRDB
import LockstepStore
import SampleTypes
import Testing

@testable import InternalSample

// The behavior that each text of a note selects in the rule. `KitchenSink` has internal access, like an app's module.
extension LocalNote: Validatable {
    func validateForSave() throws {
        if let mark = text.split(separator: ":").first, text.hasSuffix("!") { text = String(mark) }
        switch text {
        case "empty": throw ValidationError("a note must say something", attribute: "text")
        case "own": throw NoteError.unreadable
        case "breed": LocalNote(id: UUID(), text: "breed", folder: folder, context: context)
        case "complete": LocalNote(id: UUID(), text: "made", folder: folder, context: context)
        case "remove": context.delete(self)
        case "clear": folderID = nil
        case "save":
            _ = context.validate()
            try validate()
            try context.save()
        case "roll back": context.rollback()
        case "undo": while context.undoHistory?.undo() ?? false {}
        case "titles": folder.title += "+"
        default: break
        }
    }
}

extension LocalFolder: Validatable {
    func validateForSave() throws {
        title = title.trimmingCharacters(in: .whitespaces)
        if title == "bad" { throw ValidationError("it is bad") }
    }
}

enum NoteError: Error { case unreadable }

@Suite("Validation") @MainActor
struct ValidationTests {
    private let store: Store
    private let context: ManagedObjectContext
    private let statements: StatementLog
    private let folder: LocalFolder
    private let owner: Person

    init() throws {
        let statements = StatementLog()
        var configuration = Configuration()
        configuration.prepareDatabase { database in database.trace { statements.add($0.description) } }
        self.statements = statements
        store = try Store(KitchenSinkSchema.self, at: .inMemory, configuration: configuration)
        context = store.mainContext
        folder = LocalFolder(id: UUID(), title: "Folder", context: context)
        owner = Person(name: "Owner", country: "CH", number: 1, context: context)
        try context.save()
    }

    @discardableResult
    private func note(_ text: String) -> LocalNote {
        LocalNote(id: UUID(), text: text, folder: folder, context: context)
    }

    @discardableResult
    private func thing(_ id: Int) -> Everything {
        Everything(name: "T", id: id, slug: Slug(stored: "s\(id)"), days: [], owner: owner, context: context)
    }

    private func saveError() -> StoreError? {
        do { try context.save() } catch { return error as? StoreError }
        return nil
    }

    // MARK: The schema's limits

    @Test("reports all problems, in order and in the schema's terms, without querying the store")
    func all() throws {
        let first = thing(1)
        first.name = ""
        first.small = 101
        first.summary = String(repeating: "a", count: 201)
        first.precise = .nan
        let screw = Screw(id: UUID(), length: 0.25, part: Part(context: context), context: context)
        screw.partID = nil
        owner.name = String(repeating: "n", count: 201)
        let before = statements.texts.count
        let problems = context.validate()
        #expect(statements.texts.count == before)
        let expected = [
            "Everything 1 name limit its length must be at least 1 (minLength: 1)",
            "Everything 1 small limit it must be at most 100 (max: 100)",
            "Everything 1 precise limit it must be a finite number",
            "Everything 1 summary limit its length must be at most 200 (maxLength: 200)",
            "Screw \(screw.id.uuidString.lowercased()) length limit it must be at least 0.5 (min: 0.5)",
            "Screw \(screw.id.uuidString.lowercased()) part missingValue it is required",
            "Person CH, 1 name limit its length must be at most 200 (maxLength: 200)",
        ]
        let found = problems.map { problem in
            "\(problem.entity ?? "") \(problem.record ?? "") \(problem.attribute ?? "") \(problem.code) \(problem.reason)"
        }
        #expect(found == expected)
        #expect(problems.prefix(6).allSatisfy { $0.operation == "inserting" } && problems.last?.operation == "changing")
        #expect(saveError()?.description == problems.first?.description)
        #expect(statements.texts.count == before)
    }

    @Test("reports a required composite link once")
    func requiredLink() throws {
        let thing = thing(1)
        thing.ownerID = nil
        #expect(context.validate().map(\.attribute) == ["owner"])
        #expect(saveError()?.code == .missingValue)
        thing.owner = owner
        try context.save()
        thing.ownerID = nil
        #expect(context.validate().map(\.attribute) == ["owner"])
    }

    @Test("checks only the changes of a stored record")
    func onlyChanged() throws {
        thing(1)
        try context.save()
        try store.writer.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON; UPDATE everything SET small = 1000")
        }
        let read = try #require(try context.fetch(Everything.all()).first)
        #expect(read.small == 1000)
        read.medium = 3
        #expect(context.validate().isEmpty)
        try context.save()
    }

    @Test("of one record throws its first problem, and none if it is unchanged")
    func one() throws {
        let thing = thing(1)
        try thing.validate()
        thing.small = -101
        let error = #expect(throws: StoreError.self) { try thing.validate() }
        #expect(error?.reason == "it must be at least -100 (min: -100)" && error?.attribute == "small")
        try owner.validate()
        thing.small = 0
        try context.save()
        try thing.validate()
        context.delete(thing)
        try thing.validate()
    }

    @Test("reports rejected values first")
    func refused() throws {
        let gone = note("gone")
        context.delete(gone)
        try context.save()
        folder.notes.insert(gone)
        thing(1).small = 101
        #expect(context.validate().map(\.code) == [.recordGone, .limit])
    }

    // MARK: Rules of the app

    @Test("lets a rule reject, with the app's message")
    func rule() throws {
        let note = note("empty")
        let problem = try #require(saveError())
        #expect(problem.code == .validation && problem.entity == "LocalNote" && problem.attribute == "text")
        #expect(problem.record == note.id.uuidString.lowercased() && problem.operation == "inserting")
        #expect(problem.reason == "a note must say something" && problem.underlyingError is ValidationError)
        #expect(note.recordState == .inserted)
        note.text = "own"
        #expect(saveError()?.underlyingError is NoteError)
        note.text = "fine"
        try context.save()
        note.text = "empty"
        #expect(saveError()?.operation == "changing")
    }

    @Test("calls rules of changed records too, and only those")
    func changed() throws {
        try store.writer.write { try $0.execute(sql: "UPDATE local_folder SET title = 'bad'") }
        _ = try context.fetch(LocalFolder.all())
        note("a")
        try context.save()
        folder.title = "bad "
        #expect(saveError()?.reason == "it is bad")
        #expect(folder.title == "bad ")
    }

    @Test("stores values set by a rule, and checks their limits")
    func rulesThatSet() throws {
        folder.title = "  Trimmed "
        let note = note("mark:rest!")
        try context.save()
        #expect(folder.title == "Trimmed" && note.text == "mark")
        #expect(try store.writer.read { try String.fetchOne($0, sql: "SELECT text FROM local_note") } == "mark")
        note.text = "clear"
        #expect(saveError()?.code == .missingValue)
        #expect(note.folderID == folder.id)
    }

    @Test("calls rules of records that rules create or change, once each")
    func rulesThatMake() throws {
        note("complete")
        note("titles")
        try context.save()
        #expect(try context.count(LocalNote.all()) == 3)
        #expect(folder.title == "Folder+")
    }

    @Test("lets a rule delete its record")
    func rulesThatDelete() throws {
        let note = note("remove")
        try context.save()
        #expect(note.recordState == .deleted)
        #expect(try context.count(LocalNote.all()) == 0)
    }

    @Test("ends if rules create records endlessly, and undoes all changes of the rules")
    func endless() throws {
        note("breed")
        let trimmed = LocalFolder(id: UUID(), title: " x ", context: context)
        let problem = saveError()
        #expect(problem?.code == .validation && problem?.entity == "LocalNote")
        #expect(folder.notes.count == 1 && trimmed.title == " x ")
        #expect(try context.count(LocalNote.all()) == 0)
    }

    @Test("undoes changes of rules if the save fails later, in SQL")
    func failsLater() throws {
        folder.title = " x "
        Label(id: "a", context: context)
        Label(id: "a", context: context)
        #expect(saveError()?.code == .duplicateIdentity)
        #expect(folder.title == " x ")
    }

    @Test("rejects a rule that saves, and stores nothing if one rolls back")
    func rulesThatMisbehave() throws {
        let note = note("save")
        #expect((saveError()?.underlyingError as? StoreError)?.operation == "saving")
        note.text = "roll back"
        folder.title = "Lost"
        try context.save()
        #expect(note.recordState == .deleted && folder.title == "Folder" && !context.hasChanges)
        #expect(try context.count(LocalNote.all()) == 0)
    }

    @Test("lets no rule undo steps of the undo history")
    func rulesThatUndo() throws {
        let history = context.enableUndo()
        folder.title = "New"
        let note = note("undo")
        #expect(context.validate().isEmpty && history.canUndo)
        try context.save()
        #expect(note.recordState == .stored && folder.title == "New")
        #expect(try store.writer.read { try String.fetchOne($0, sql: "SELECT title FROM local_folder") } == "New")
    }

    @Test("does not modify: changes of rules are undone, and are not steps of the undo history")
    func pure() throws {
        let history = context.enableUndo()
        folder.title = " x "
        note("complete")
        note("empty")
        #expect(context.validate().map(\.code) == [.validation])
        #expect(folder.title == " x " && folder.notes.count == 2)
        try folder.validate()
        #expect(folder.title == " x ")
        for _ in 0..<3 { #expect(history.undo()) }
        #expect(!history.canUndo && !context.hasChanges)
    }

    @Test("is fast if nothing needs to be checked")
    func many() throws {
        for number in 0..<20_000 { Label(id: "\(number)", context: context) }
        #expect(context.validate().isEmpty)
        try context.save()
        #expect(try context.count(Label.all()) == 20_000)
    }
}
