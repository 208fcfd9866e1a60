import Foundation
import GRDB
import Journal
import LinkSamples
@testable import LockstepInspection
import LockstepJSON
@testable import LockstepStore
import LockstepSync
import TestSupport
import Testing

@Suite("All records of a file as JSON")
struct RecordExportTests {
    private func exported(_ url: URL, of entity: String? = nil) throws -> JSONObject {
        let text = try RecordExport(InspectedFile(url), entity: entity).document
        guard case .object(let document) = try JSONValue(parsing: text),
            case .object(let entities)? = document["entities"]
        else {
            Issue.record("\(text)")
            return [:]
        }
        return entities
    }

    @Test("Each type of attribute and each kind of relationship")
    func kinds() async throws {
        let entities = try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            return try exported(stage.url)
        }
        guard case .array(let things)? = entities["Everything"],
            let thing = things.compactMap({ thing -> JSONObject? in
                if case .object(let members) = thing, members["id"] == .integer(7) { members } else { nil }
            }).first
        else {
            Issue.record("\(entities)")
            return
        }
        let expected: [String: JSONValue] = [
            "name": .string("Marked-thing"), "flag": .bool(true), "large": .integer(.max),
            "exact": .string("12345678901234567890.123456789"), "day": .string("2020-02-29T00:00:00Z"),
            "birthday": .string("2020-02-29"), "holidays": .array([.string("2020-02-29")]), "optionalBirthday": .null,
            "blob": .string("aGVsbG8="), "extra": .object(["a": .array([.integer(1), .bool(true), .null])]),
            "slug": .string("marked"), "optionalMood": .null, "days": .array([.string("2026-11-26T00:00:00Z")]),
            "token": .string(InspectionStage.uuid(90).uuidString.lowercased()),
            "owner": .array([.string("Marked-CH"), .integer(1)]),
            "labels": .array([.string("Marked-blue"), .string("Marked-red")]), "cover": .null,
        ]
        for (name, value) in expected { #expect(thing[name] == value, "\(name)") }
        #expect(thing["draft"] == nil, "transient attributes are not stored")
        guard case .array(let people)? = entities["Person"], case .object(let ann) = people[0] else {
            Issue.record("no people")
            return
        }
        #expect(ann["things"] == .array([.integer(7)]))
        #expect(thing["scraps"] == nil && entities["Scrap"] == .array([]), "they have no keys, and name their owner")
    }

    @Test("Every record, and every value that is not null, whatever the schema")
    func complete() async throws {
        try await withTemporaryFolder { try await complete(at: $0.appendingPathComponent("museum.sqlite")) }
    }

    private func complete(at url: URL) async throws {
        let store = try Store(MuseumSchema.self, at: .file(url))
        let rooms = """
            [{"id": 1, "name": "Hall", "guard_ids": ["b", "a"], "exhibit_ids": [3, 2],
              "cameras": [{"id": 5, "model": "M"}],
              "benches": [{"id": 8, "seats": 2}, {"id": 7, "seats": 1}]}, {"id": 2, "name": "Attic"}]
            """
        let people = #"[{"id": "a", "name": "Ann"}, {"id": "b", "name": "Bea"}]"#
        let exhibits = #"[{"id": 2, "title": "Vase"}, {"id": 3, "title": "Urn"}]"#
        try await store.merge(Data(people.utf8), into: Guard.self)
        try await store.merge(Data(exhibits.utf8), into: Exhibit.self)
        try await store.merge(Data(rooms.utf8), into: Room.self)
        let entities = try exported(url)
        for plan in store.plans {
            let count = try await store.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(plan.table)") }
            guard case .array(let records)? = entities[plan.name] else {
                Issue.record("\(plan.name) is missing")
                continue
            }
            #expect(records.count == count, "\(plan.name)")
        }
        guard case .array(let all)? = entities["Room"], case .object(let hall) = all[0] else {
            Issue.record("\(entities)")
            return
        }
        guard case .array(let guards)? = hall["guards"] else {
            Issue.record("\(hall)")
            return
        }
        #expect(Set(guards) == [.string("a"), .string("b")])
        #expect(hall["cameras"] == .array([.integer(5)]))
        #expect(hall["benches"] == .array([.integer(8), .integer(7)]))
        try store.close()
    }

    @Test("One entity; one that the file does not have is an error")
    func one() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            #expect(try Array(exported(stage.url, of: "Person").keys) == ["Person"])
            #expect(throws: StoreError.self) { try RecordExport(InspectedFile(stage.url), entity: "Nobody") }
        }
    }

    @Test("A record is a line, whatever its texts contain, and nothing hidden leaves the file")
    func lines() async throws {
        try await withTemporaryFolder { try await lines(at: $0.appendingPathComponent("journal.sqlite")) }
    }

    private func lines(at url: URL) async throws {
        let store = try Store(JournalSchema.self, at: .file(url))
        let title = "a\n\"b\"\u{0}\u{1B}[2J\u{202E}c\\"
        try await store.perform { context in
            for _ in 0..<3 { Entry(title: title, context: context) }
            try context.save()
        }
        try store.close()
        let text = try RecordExport(InspectedFile(url)).document
        #expect(text.split(separator: "\n").count { $0.contains("\"identifier\"") } == 3)
        #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\u{0}" })
        guard case .array(let entries)? = try exported(url)["Entry"], case .object(let entry) = entries[0] else {
            Issue.record("\(text)")
            return
        }
        #expect(entry["title"] == .string(title))
    }

    @Test(
        "A record without an identity and an owner is written, and a to-one keeps the key of a missing one"
    )
    func loose() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("museum.sqlite")
            let store = try Store(MuseumSchema.self, at: .file(url))
            let owned = try #require(store.plans.first { !$0.hasIdentity })
            try await store.writer.write { database in
                try database.execute(sql: "INSERT INTO exhibit (id, title, room_id) VALUES (1, 'Vase', 77)")
                let required = owned.columns.filter { !$0.isOptional && !$0.type.isInteger }.map(\.name)
                let columns =
                    required.isEmpty
                    ? "DEFAULT VALUES"
                    : "(\(required.joined(separator: ", "))) "
                        + "VALUES (\(required.map { _ in "'x'" }.joined(separator: ", ")))"
                try database.execute(sql: "INSERT INTO \(owned.table) \(columns)")
            }
            try store.close()
            let entities = try exported(url)
            guard case .array(let vases)? = entities["Exhibit"], case .object(let vase) = vases[0],
                case .array(let loose)? = entities[owned.name]
            else {
                Issue.record("\(entities)")
                return
            }
            #expect(vase["room"] == .integer(77) && loose.count == 1)
        }
    }

    @Test("A damaged file, and one that does not describe its schema, are written as far as possible, with a warning")
    func warnings() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            #expect(try RecordExport(InspectedFile(stage.url)).warnings.isEmpty)
            let database = try DatabaseQueue(path: stage.url.path)
            try await database.write {
                try $0.execute(sql: "UPDATE lockstep_metadata SET value = '{' WHERE key = 'structure'")
            }
            try database.close()
            #expect(try RecordExport(InspectedFile(stage.url)).warnings.count == 1)
            let other = folder.appendingPathComponent("damaged")
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
            let damaged = try await InspectionStage.make(in: other)
            let queue = try DatabaseQueue(path: damaged.url.path)
            // A value is missing where the table requires one.
            try await queue.write { database in
                try database.execute(sql: "PRAGMA writable_schema = ON")
                try database.execute(
                    sql: """
                        UPDATE sqlite_master SET sql = replace(sql, '"note" TEXT', '"note" TEXT NOT NULL')
                            WHERE name = 'everything'
                        """)
            }
            try queue.close()
            let export = try RecordExport(InspectedFile(damaged.url))
            #expect(export.warnings.count == 1 && export.warnings[0].hasPrefix("The file is damaged"))
            #expect(export.document.contains("Marked-thing"))
        }
    }
}
