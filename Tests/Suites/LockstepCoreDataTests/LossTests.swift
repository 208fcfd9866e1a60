import Foundation
import GRDB
@testable import LockstepCoreData
import LockstepJSON
import LockstepStore
import TestSupport
import Testing

@testable import ImportedModels

@Suite("What does not fit is kept aside")
struct LossTests {
    private func problems(_ copy: CoreDataCopy) -> Set<String> {
        Set(
            copy.problems.map { problem in
                let subject = [problem.entity, problem.member].compactMap(\.self).joined(separator: ".")
                return "\(problem.kind) \(subject) \(problem.firstRow): \(problem.reason)"
            })
    }

    @Test("Rows without an identity, with one that is taken, or with values that the schema refuses")
    func rows() async throws {
        try await Fixture.with("Broken", TypesSchema.self) { fixture in
            let copy = try await fixture.copy(.types)
            #expect(
                problems(copy) == [
                    "row Sample.id Sample/p2: another record has this identity",
                    "row Sample.id Sample/p3: it is required, and there is no value",
                    "row Sample.id Sample/p4: it is not a UUID",
                    "row Sample.name Sample/p5: its length must be at least 1",
                    "row Sample.count16 Sample/p6: it must be at most 99",
                    "value Sample.large Sample/p7: its external file does not exist",
                    "value Sample.large Sample/p8: it refers to an external file without a name",
                    "value Sample.born Sample/p9: it is not a date",
                    "value Sample.amount Sample/p9: it is not a value of the attribute's type",
                ])
            #expect(copy.copied == 4)
            #expect(copy.keptAside == 5)
            let leftovers = try fixture.store.leftovers()
            #expect(leftovers.count == 9)
            #expect(leftovers.allSatisfy { $0.entity == "Sample" && $0.reason != nil })
            let second = try #require(leftovers.first { $0.record == "Sample/p2" })
            #expect(second.member == nil)
            #expect(second.value == ["active": 1, "name": "the same identity", "id": "EAAAAAAAQACAAAAAAAAAAQ=="])
            #expect(leftovers.first { $0.member == "born" }?.value == "yesterday")
            // The record of the value that does not fit is there.
            let born = try await fixture.store.perform { context in try context.find(Sample.self, identity(9))?.born }
            #expect(born == nil)
            #expect(throws: StoreError.self) { try fixture.store.send(second) }
            try fixture.store.discard(leftovers)
            #expect(try fixture.store.leftovers().isEmpty)
        }
    }

    @Test(
        "An external file that is a link, or behind one, or a named pipe is not read",
        arguments: [
            "file", "folder", "pipe",
        ])
    func externalLinks(kind: String) async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            let folder = fixture.url.deletingLastPathComponent()
                .appendingPathComponent(".Types_SUPPORT/_EXTERNAL_DATA")
            let secret = fixture.url.deletingLastPathComponent().appendingPathComponent("secret")
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
            let file = folder.appendingPathComponent(name)
            switch kind {
            case "file":
                try Data("secret".utf8).write(to: secret)
                try FileManager.default.removeItem(at: file)
                try FileManager.default.createSymbolicLink(at: file, withDestinationURL: secret)
            case "folder":
                try FileManager.default.moveItem(at: folder, to: secret)
                try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: secret)
            default:
                try FileManager.default.removeItem(at: file)
                #expect(mkfifo(file.path, 0o600) == 0)
            }
            let copy = try await fixture.copy(.types)
            #expect(
                problems(copy) == [
                    "value Sample.large Sample/p2: its external file cannot be read: it must be a file, and no link"
                ])
            let large = try await fixture.store.perform { context in try context.find(Sample.self, identity(2))?.large }
            #expect(large == nil)
        }
    }

    @Test("F2 An external file is read where it was opened, whatever takes its place")
    func replacedExternalFile() async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            let folder = fixture.url.deletingLastPathComponent()
                .appendingPathComponent(".Types_SUPPORT/_EXTERNAL_DATA")
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
            let (file, secret) = (folder.appendingPathComponent(name), folder.appendingPathComponent("secret"))
            let bytes = try Data(contentsOf: file)
            let stored = try ExternalData(of: fixture.url).bytes(Data([2]) + Data(name.utf8) + Data([0]))
            try Data("secret".utf8).write(to: secret)
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: secret)
            guard case .file(let opened) = stored else {
                Issue.record("the bytes are in the row")
                return
            }
            #expect(try FileAttachment(contentsOf: opened).data() == bytes)
        }
    }

    @Test("Links to rows that do not exist, or were kept aside, in either order")
    func links() async throws {
        try await Fixture.with("Dangling", LinksSchema.self) { fixture in
            let copy = try await fixture.copy(.links)
            #expect(
                problems(copy) == [
                    "row Author.passport Author/p2: it is required, and there is no value",
                    "row Book.title Book/p2: another record has the same value",
                    "row Book.author Book/p3: it is required, and there is no value",
                    "link Passport.holder Passport/p2: its destination does not exist",
                    "link Book.tags Book/p1: one of its ends does not exist",
                    "link Book.tags Book/p2: one of its ends was kept aside",
                ])
            #expect(copy.linksWithoutDestination == 3)
            let leftover = try #require(try fixture.store.leftovers().first { $0.record == "Book/p3" })
            #expect(leftover.value == ["isbn": "3", "edition": 1, "author": 88])
            try await fixture.store.perform { context in
                let book = try #require(try context.only(Book.all()))
                #expect(book.tags.count == 1)
                #expect(book.author.name == "Ada")
                #expect(try context.count(Passport.all()) == 3)
            }
        }
    }

    @Test("An optional link to a row that is kept aside later is cleared and reported")
    func lateLinks() async throws {
        try await Fixture.with("Inheritance", InheritanceSchema.self) { fixture in
            // Toys come last in the map, and are copied first here; the cat has no name.
            try SQLiteFile.execute("UPDATE ZRECORD SET ZNAME = NULL WHERE ZUUID = 'c'", fixture.url)
            var map = CoreDataMap.inheritance
            map.entities.reverse()
            let copy = try await fixture.copy(map)
            #expect(
                problems(copy) == [
                    "row Cat.name Cat/p3: it is required, and there is no value",
                    "link Toy.animal Toy/p2: its destination was kept aside",
                ])
            let cat = try await fixture.store.perform { context in
                try context.only(Toy.filter { $0.name == "Mouse" })?.animalCat?.uuid
            }
            #expect(cat == nil)
            let raw = try await fixture.store.writer.read {
                try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM toy WHERE animal_cat_id IS NOT NULL")
            }
            #expect(raw == 0)
        }
    }

    @Test("What the store has already is kept")
    func existing() async throws {
        try await Fixture.with("Inheritance", InheritanceSchema.self) { fixture in
            try await fixture.store.perform { context in
                Person(uuid: "p", createdAt: Date(timeIntervalSince1970: 5), context: context)
                try context.save()
            }
            let copy = try await fixture.copy(.inheritance)
            #expect(problems(copy) == ["row Person.uuid Person/p1: another record has this identity"])
            try await fixture.store.perform { context in
                let person = try #require(try context.find(Person.self, "p"))
                #expect(person.createdAt == Date(timeIntervalSince1970: 5))
                // Links lead to the record with the identity.
                #expect(person.animals.count == 1)
            }
        }
    }

    @Test("Rows of an entity that the map does not name are reported")
    func unnamed() async throws {
        try await Fixture.with("Inheritance", InheritanceSchema.self) { fixture in
            var map = CoreDataMap.inheritance
            map.entities.removeAll { $0.name == "Toy" }
            let copy = try await fixture.copy(map)
            #expect(copy.findings == ["The map does not say what Toy becomes: 4 rows are not copied."])
            #expect(copy.copied == 4)
        }
    }

    @Test("An attribute whose namesake of another entity is not in the map has its own column")
    func namesakes() async throws {
        try await Fixture.with("Inheritance", InheritanceSchema.self) { fixture in
            // As if Animal and Person had an attribute `name` each, and Animal's came second.
            for sql in [
                "ALTER TABLE ZRECORD ADD COLUMN ZNAME1 VARCHAR", "UPDATE ZRECORD SET ZNAME1 = ZNAME, ZNAME = NULL",
                "UPDATE ZRECORD SET ZNAME = 'Ada' WHERE ZUUID = 'p'",
            ] {
                try SQLiteFile.execute(sql, fixture.url)
            }
            let copy = try await fixture.copy(.inheritance)
            #expect(copy.isComplete, "\(copy)")
            let name = try await fixture.store.perform { try $0.find(Cat.self, "c")?.name }
            #expect(name == "Tom")
        }
    }

    @Test("A report is readable")
    func description() async throws {
        try await Fixture.with("Dangling", LinksSchema.self) { fixture in
            for sql in ["INSERT INTO Z_2TAGS SELECT 1, 90 + value FROM json_each('[1, 2]')"] {
                try SQLiteFile.execute(sql, fixture.url)
            }
            let copy = try await fixture.copy(.links)
            #expect(copy.description.contains("Author: 1 copied, 1 kept aside\n"))
            #expect(copy.description.contains("\nBook.author: it is required, and there is no value, in Book/p3\n"))
            #expect(copy.description.contains("\nBook.tags: one of its ends does not exist, 3 times, first in Book/p1"))
            let second = try await fixture.copy(.links)
            #expect(second.description == "Copied before; nothing was done.\n\(copy)")
        }
    }
}
