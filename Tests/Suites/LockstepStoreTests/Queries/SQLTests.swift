import Foundation
import Journal
import KitchenSink
import LockstepStore
import SampleTypes
import Testing
import TestSupport

@Suite("Models from custom SQL")
struct SQLTests {
    private static let day = Date(timeIntervalSince1970: 1_534_345_000.25)

    private static func journal(_ body: @escaping @Sendable (Store, ManagedObjectContext) throws -> Void) async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            for (index, mood) in [Journal.Mood.sad, .happy, .unknown("odd"), .happy].enumerated() {
                Entry(
                    title: "\(index)", bodyText: index == 0 ? nil : "n\u{0}\(index)", mood: mood,
                    timestamp: day + Double(index), context: context)
            }
            try context.save()
            try body(store, context)
        }
    }

    @Test("Columns are found by name: in any order, with others before and after, and joins")
    func columns() async throws {
        try await Self.journal { store, context in
            let plain = try context.fetch(Entry.self, sql: "SELECT * FROM entry ORDER BY title DESC")
            #expect(plain.map(\.title) == ["3", "2", "1", "0"])
            let mixed = try context.fetch(
                Entry.self,
                sql: """
                    SELECT 'x' AS extra, timestamp, mood, title, body_text AS BODY_TEXT, identifier, 1 AS "1"
                    FROM entry ORDER BY title DESC LIMIT 3;
                    -- the latest
                    """)
            #expect(mixed.map(\.title) == ["3", "2", "1"])
            #expect(mixed.first?.bodyText == "n\u{0}3" && mixed.first?.mood == .happy)
            #expect(zip(plain, mixed).allSatisfy { $0 === $1 })
            let joined = try context.fetch(
                Entry.self,
                sql: """
                    WITH latest AS (SELECT MAX(title) AS title, mood FROM entry GROUP BY mood)
                    SELECT latest.mood AS group_mood, entry.*, latest.* FROM latest JOIN entry USING (title)
                    ORDER BY title -- by title
                    """)
            #expect(joined.map(\.title) == ["0", "2", "3"])
        }
    }

    @Test("Values are bound as stored")
    func arguments() async throws {
        try await Self.journal { _, context in
            let all = try context.fetch(Entry.order(\.title))
            let byID = try context.fetch(
                Entry.self, sql: "SELECT * FROM entry WHERE identifier = ?", arguments: [all[1].identifier])
            #expect(byID.map(\.title) == ["1"])
            let sql = "SELECT * FROM entry WHERE mood = ? AND timestamp >= ? AND body_text = ? AND ? IS NULL"
            let some = try context.fetch(
                Entry.self, sql: sql, arguments: [Journal.Mood.happy, Self.day + 2, "n\u{0}3", nil])
            #expect(some.map(\.title) == ["3"])
            let shuffled = "SELECT title, * FROM (\(sql))"
            let wrapped = try context.fetch(
                Entry.self, sql: shuffled, arguments: [Journal.Mood.happy, Self.day, "n\u{0}1", nil])
            #expect(wrapped.map(\.title) == ["1"])
            let counted = try context.count(
                Entry.self, sql: sql, arguments: [Journal.Mood.happy, Self.day, "n\u{0}1", nil])
            #expect(counted == 1)
            let first = try context.first(Entry.self, sql: "SELECT * FROM entry WHERE title > ?", arguments: ["1"])
            #expect(first?.title == "2")
            let nobody = try context.first(Entry.self, sql: "SELECT * FROM entry WHERE title > ?", arguments: ["9"])
            #expect(nobody == nil)
        }
    }

    @Test("Values in a text are bound as stored")
    func interpolation() async throws {
        try await Self.journal { _, context in
            let identifier = try #require(try context.first(Entry.order(\.title))?.identifier)
            let byID: SQLRequest<Entry> = "SELECT * FROM entry WHERE identifier = \(identifier)"
            let found = try context.fetch(byID)
            #expect(found.map(\.title) == ["0"])
            let body: String? = nil
            let request: SQLRequest<Entry> = """
                SELECT mood, \(Entry.self).* FROM entry
                WHERE timestamp < \(Self.day + 3) AND mood = \(Journal.Mood.happy) AND body_text = \("n\u{0}1") AND \(body) IS NULL
                """
            let happy = try context.fetch(request)
            #expect(happy.map(\.title) == ["1"])
            let count = try context.count(request)
            let first = try context.first(request)
            #expect(count == 1 && first === happy.first)
            let moods: SQLRequest<Entry> = """
                SELECT * FROM entry WHERE mood IN \([Journal.Mood.sad, .unknown("odd")]) AND identifier IN \([identifier]) \
                AND title IN \(["0", "1"]) AND mood NOT IN \([Journal.Mood]())
                """
            let listed = try context.fetch(moods)
            #expect(listed.map(\.title) == ["0"])
            let stored = SQLRequest<Entry>(
                sql: "SELECT * FROM entry WHERE identifier = :id", arguments: ["id": identifier.storedValue])
            let byName = try context.fetch(stored)
            #expect(byName.map(\.title) == ["0"])
        }
    }

    @Test("Decimals and custom types are bound as digits")
    func money() async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.perform { context in
            var random = SeededRandom(seed: 5)
            QuerySamples.insertThings(5, &random, context)
            try context.save()
            let thing = try #require(try context.first(Everything.order(\.id.desc)))
            let sql = "SELECT * FROM everything WHERE price = ? AND exact = ? AND token = ? AND blob = ? AND link = ?"
            let found = try context.fetch(
                Everything.self, sql: sql, arguments: [thing.price, thing.exact, thing.token, thing.blob, thing.link])
            #expect(found.map(\.id) == [4])
            let request: SQLRequest<Everything> = """
                SELECT * FROM everything WHERE price = \(thing.price) AND priority = \(thing.priority) \
                AND blob = \(thing.blob) AND exact = \(thing.exact)
                """
            let again = try context.fetch(request)
            #expect(again.map(\.id) == [4])
        }
    }

    @Test("A missing column is an error that names it")
    func missing() async throws {
        try await Self.journal { _, context in
            let error = thrownStoreError {
                _ = try context.fetch(Entry.self, sql: "SELECT identifier, title, mood, timestamp FROM entry")
            }
            #expect(error?.code == .wrongColumns)
            #expect(error?.attribute == "bodyText")
            #expect(error?.reason.contains("body_text") == true)
        }
    }

    @Test("SQL that writes is rejected, invalid SQL is reported, and nothing has changed")
    func refusals() async throws {
        try await Self.journal { _, context in
            for sql in [
                "DELETE FROM entry RETURNING *", "DELETE FROM entry", "UPDATE entry SET title = 'x' RETURNING *",
            ] {
                let error = thrownStoreError { _ = try context.fetch(Entry.self, sql: sql) }
                #expect(error?.code == .notAQuery)
                let counting = thrownStoreError { _ = try context.count(Entry.self, sql: sql) }
                #expect(counting?.code == .notAQuery)
            }
            for sql in [
                "SELECT * FROM nothing", "SELECT * FROM entry; SELECT 1", "SELECT * FROM entry WHERE title = ?",
            ] {
                let error = thrownStoreError { _ = try context.fetch(Entry.self, sql: sql) }
                #expect(error != nil)
            }
            let count = try context.count(Entry.all())
            #expect(count == 4)
        }
    }

    @Test("Records about to be deleted are left out; unsaved changes are kept")
    func pending() async throws {
        try await Self.journal { _, context in
            let all = try context.fetch(Entry.order(\.title))
            context.delete(all[0])
            all[1].title = "changed"
            let found = try context.fetch(Entry.self, sql: "SELECT * FROM entry ORDER BY title")
            #expect(found.map(\.title) == ["changed", "2", "3"])
            let first = try context.first(Entry.self, sql: "SELECT * FROM entry ORDER BY title")
            #expect(first === all[1])
        }
    }
}
