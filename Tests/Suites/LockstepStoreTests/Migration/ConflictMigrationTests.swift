import Foundation
import GRDB
import LockstepEvolution
import LockstepStore
import LockstepTesting
import TestSupport
import Testing

@Suite("C6.7 The journal of conflicts after a migration")
struct ConflictMigrationTests {
    @Test("C6.7 A migration renames entries, and deletes those of removed or converted members and of removed entities")
    func migrates() async throws {
        var journal = SchemaStructure.journal
        journal.change("Entry") { $0.attributes.append(.init("price", .scalar(.string))) }
        journal.entities.append(
            EntityStructure(
                name: "Draft", table: "draft", identity: .attributes(["id"]), attributes: [.init("id", .scalar(.int))],
                remote: RemoteStructure(path: "/drafts", writes: [.create, .update, .delete])))
        var builder = HistoryBuilder(journal)
        try builder.version(
            renames: ["Entry.bodyText": "text"],
            answers: ["Entry.price": ChangeAnswers(convert: "number", otherwise: .integer(0))]
        ) { structure in
            structure.change("Entry") { entry in
                entry.rename("bodyText", to: "text")
                entry.attributes.removeAll { $0.name == "mood" }
                entry.change("price") { $0.type = .scalar(.int) }
            }
        }
        try builder.version(renames: ["Entry": "Note"]) { structure in
            structure.entities.removeAll { $0.name == "Draft" }
            structure.change("Entry") { entry in
                entry.name = "Note"
                entry.table = "note"
                entry.remote?.path = "/notes"
            }
        }
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            var fixture = MigrationFixture(try builder.schema(1), seed: 1, rowCount: 2)
            try fixture.make(at: url)
            try await DatabaseQueue(path: url.path).write { database in
                let members = [
                    ("Entry", "title"), ("Entry", "bodyText"), ("Entry", "mood"), ("Entry", "price"),
                    ("Draft", "title"),
                ]
                for (entity, member) in members {
                    try database.execute(
                        sql: """
                            INSERT INTO lockstep_conflict (entity, record, member, local, sides, lost, rule, at)
                            VALUES (?, 'x', ?, ?, 2, 'local', 'serverWins', 0)
                            """, arguments: [entity, member, "the \(member)"])
                }
            }
            let opened = try StoreOpening(
                schema: builder.schema().description, location: .file(url), configuration: Configuration(),
                options: MigrationOptions()
            ).open()
            let kept = try await opened.writer.read {
                try String.fetchAll(
                    $0, sql: "SELECT entity || '.' || member || ': ' || local FROM lockstep_conflict ORDER BY id")
            }
            #expect(kept == ["Note.title: the title", "Note.text: the bodyText"])
            try opened.writer.close()
        }
    }
}
