import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON
import LockstepStore
import LockstepTesting
import TestSupport
import Testing

@Suite("V1–V7: The ten changes")
struct TenChangesTests {
    @Test("1: An optional attribute is added")
    func addOptional() throws {
        var builder = HistoryBuilder(.journal)
        try builder.version {
            $0.change("Entry") { $0.attributes.append(.init("place", .scalar(.string), isOptional: true)) }
        }
        try builder.check()
    }

    @Test(
        "2: Required attributes with defaults are added",
        arguments: [
            AttributeStructure("pinned", .scalar(.bool), default: .bool(false)),
            AttributeStructure("editedAt", .scalar(.date), column: "edited_at", default: .now),
            AttributeStructure("token", .scalar(.uuid), default: .newUUID),
        ])
    func addRequired(_ attribute: AttributeStructure) throws {
        var builder = HistoryBuilder(.journal)
        try builder.version { $0.change("Entry") { $0.attributes.append(attribute) } }
        try builder.check()
    }

    @Test("3: An entity and a relationship to it are added")
    func addEntity() throws {
        var builder = HistoryBuilder(.journal)
        try builder.version { $0.addNotebooks() }
        try builder.check()
    }

    @Test("4: An attribute is renamed", arguments: ["text", "body_text"])
    func renameAttribute(column: String) throws {
        var builder = HistoryBuilder(.journal)
        try builder.version(renames: ["Entry.bodyText": "text"]) {
            $0.change("Entry") { $0.rename("bodyText", to: "text", column: column) }
        }
        try builder.check()
    }

    @Test("5: An entity is renamed")
    func renameEntity() throws {
        var builder = HistoryBuilder(.journal)
        try builder.version(renames: ["Entry": "Note"]) {
            $0.change("Entry") { entry in
                entry.name = "Note"
                entry.table = "note"
                entry.remote?.path = "/notes"
            }
        }
        try builder.check()
    }

    @Test("6: An attribute is removed")
    func removeAttribute() throws {
        var builder = HistoryBuilder(.journal)
        try builder.version { $0.change("Entry") { $0.attributes.removeAll { $0.name == "mood" } } }
        try builder.check()
    }

    @Test("7: An entity is removed")
    func removeEntity() throws {
        var journal = SchemaStructure.journal
        journal.entities.append(
            EntityStructure(
                name: "Draft", table: "draft", identity: .attributes(["id"]),
                attributes: [.init("id", .scalar(.int)), .init("text", .scalar(.string))],
                remote: RemoteStructure(path: "/drafts", writes: [.create, .update, .delete])))
        var builder = HistoryBuilder(journal)
        try builder.version { $0.entities.removeAll { $0.name == "Draft" } }
        try builder.check()
    }

    @Test("5, 7: An entity gets the name of a removed one, and the changes of both are kept", arguments: [true, false])
    func nameOfRemovedEntity(atOnce: Bool) throws {
        var journal = SchemaStructure.journal
        journal.entities.append(
            EntityStructure(
                name: "Draft", table: "draft", identity: .attributes(["identifier"]),
                attributes: [.init("identifier", .scalar(.uuid), default: .newUUID), .init("text", .scalar(.string))],
                remote: RemoteStructure(path: "/drafts", writes: [.create, .update, .delete])))
        var builder = HistoryBuilder(journal)
        if !atOnce { try builder.version { $0.entities.removeAll { $0.name == "Draft" } } }
        try builder.version(renames: ["Entry": "Draft"]) { structure in
            structure.entities.removeAll { $0.name == "Draft" }
            structure.change("Entry") { entry in
                entry.name = "Draft"
                entry.table = "draft"
                entry.remote?.path = "/drafts"
            }
        }
        try builder.check()
    }

    @Test(
        "8: A type changes",
        arguments: [
            (ScalarType.int16, ScalarType.int, nil as String?), (.int, .double, nil), (.int, .decimal, nil),
            (.float, .double, nil), (.string, .decimal, "0"), (.string, .int, "0"), (.double, .int, "0"),
        ])
    func changeType(_ former: ScalarType, _ new: ScalarType, _ otherwise: String?) throws {
        var journal = SchemaStructure.journal
        journal.change("Entry") { $0.attributes.append(.init("price", .scalar(former))) }
        var builder = HistoryBuilder(journal)
        let value: JSONValue? = otherwise.map { new == .int ? .integer(Int64($0) ?? 0) : .string($0) }
        let answers = otherwise == nil ? ChangeAnswers() : ChangeAnswers(convert: "number", otherwise: value)
        try builder.version(answers: ["Entry.price": answers]) {
            $0.change("Entry") { $0.change("price") { $0.type = .scalar(new) } }
        }
        try builder.check()
    }

    @Test("9: An optional attribute becomes required, and back")
    func becomeRequired() throws {
        var builder = HistoryBuilder(.journal)
        try builder.version(answers: ["Entry.bodyText": ChangeAnswers(fill: "")]) {
            $0.change("Entry") { $0.change("bodyText") { $0.isOptional = false } }
        }
        try builder.version { $0.change("Entry") { $0.change("bodyText") { $0.isOptional = true } } }
        try builder.check()
    }

    @Test("9: An optional UUID becomes required, and a record with an edit gets that of its base")
    func requireUUID() async throws {
        var journal = SchemaStructure.journal
        journal.change("Entry") { entry in
            entry.attributes.append(.init("token", .scalar(.uuid), isOptional: true, default: .newUUID))
        }
        var builder = HistoryBuilder(journal)
        try builder.version { $0.change("Entry") { $0.change("token") { $0.isOptional = false } } }
        try builder.check()
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("journal.sqlite")
            let writer = try builder.open(1, at: file)
            try await writer.write { database in
                try OutboxTable.suppressed(database) {
                    try database.execute(
                        sql: "INSERT INTO entry (identifier, title, mood, timestamp) VALUES ('a', 'A', 'sad', 0)")
                }
                try database.execute(sql: "UPDATE entry SET title = 'B'")
            }
            try writer.close()
            let migrated = try builder.open(2, at: file)
            defer { try? migrated.close() }
            let tokens = try await migrated.read { database in
                try String?.fetchAll(
                    database, sql: "SELECT token FROM entry UNION ALL SELECT token FROM lockstep_base_entry")
            }
            #expect(tokens.count == 2)
            #expect(tokens.first != .some(nil))
            #expect(Set(tokens).count == 1)
        }
    }

    @Test("9: An optional link becomes required, and back")
    func requireLink() throws {
        var builder = HistoryBuilder(.journal)
        try builder.version { $0.addNotebooks() }
        try builder.version(
            answers: ["Entry.notebook": ChangeAnswers(fill: "00000000-0000-4000-8000-000000000050")]
        ) {
            $0.change("Entry") { $0.relationships[0].isOptional = false }
        }
        try builder.version { $0.change("Entry") { $0.relationships[0].isOptional = true } }
        try builder.check()
    }

    @Test("9: A required attribute is added by pulling the records again")
    func refetch() throws {
        var builder = HistoryBuilder(.journal)
        try builder.version(answers: ["Entry.site": ChangeAnswers(fill: 0, refetch: true)]) {
            $0.change("Entry") { $0.attributes.append(.init("site", .scalar(.int))) }
        }
        try builder.check()
    }

    @Test("10: A case of a closed enum goes")
    func removeCase() throws {
        var journal = SchemaStructure.journal
        journal.enumerations[0].isClosed = true
        var builder = HistoryBuilder(journal)
        try builder.version(answers: ["Mood": ChangeAnswers(cases: ["happy": "glad"])]) { structure in
            structure.enumerations[0].cases[2] = EnumerationStructure.Case(name: "glad", rawValue: .string("glad"))
        }
        try builder.check()
    }

    @Test("10: A value becomes unique", arguments: ["keepFirst", "keepNewest(by: timestamp)"])
    func becomeUnique(_ answer: String) throws {
        var builder = HistoryBuilder(.journal)
        try builder.version(answers: ["Entry.title": ChangeAnswers(duplicates: answer)]) {
            $0.change("Entry") { $0.change("title") { $0.isUnique = true } }
        }
        try builder.version { $0.change("Entry") { $0.change("title") { $0.isUnique = false } } }
        try builder.check()
    }

    @Test("All ten follow each other, and a file of any version is migrated in one pass")
    func chain() throws {
        var builder = HistoryBuilder(.journal)
        try builder.version {
            $0.change("Entry") { $0.attributes.append(.init("place", .scalar(.string), isOptional: true)) }
        }
        try builder.version {
            $0.change("Entry") { $0.attributes.append(.init("pinned", .scalar(.bool), default: .bool(false))) }
        }
        try builder.version(renames: ["Entry.bodyText": "text"]) {
            $0.change("Entry") { $0.rename("bodyText", to: "text") }
        }
        try builder.version(renames: ["Entry": "Note"]) {
            $0.change("Entry") { entry in
                entry.name = "Note"
                entry.table = "note"
            }
        }
        try builder.version { $0.change("Note") { $0.attributes.removeAll { $0.name == "mood" } } }
        try builder.version(answers: ["Note.text": ChangeAnswers(fill: "empty")]) {
            $0.change("Note") { $0.change("text") { $0.isOptional = false } }
        }
        try builder.version(answers: ["Note.place": ChangeAnswers(convert: "number", otherwise: .null)]) {
            $0.change("Note") { $0.change("place") { $0.type = .scalar(.int) } }
        }
        try builder.check()
    }
}

extension SchemaStructure {
    /// Entries may be in a notebook.
    fileprivate mutating func addNotebooks() {
        entities.append(
            EntityStructure(
                name: "Notebook", table: "notebook", identity: .attributes(["id"]),
                attributes: [.init("id", .scalar(.uuid), default: .newUUID), .init("name", .scalar(.string))],
                remote: RemoteStructure(path: "/notebooks", writes: [.create, .update, .delete])))
        change("Entry") { entry in
            entry.relationships.append(
                RelationshipStructure(
                    name: "notebook", destination: "Notebook", isToMany: false, isOptional: true,
                    storage: .foreignKey(columns: ["notebook_id"], position: nil),
                    wire: .id(paths: [["notebook_id"]], embeddedPath: ["notebook"])))
        }
    }
}
