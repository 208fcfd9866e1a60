import Foundation
import GRDB
import Journal
import LockstepEvolution
import LockstepJSON
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport
import Testing

@Suite("V5: Leftovers are sent if the schema has a place for them again")
struct LeftoverTests {
    private static let keys = (1...3).map { "00000000-0000-4000-8000-00000000000\($0)" }

    /// A file of the first version of a schema, with an entry that was created, one that was changed, and one that was
    /// deleted; it was then opened by the versions in between.
    private func withFile<Schema: MadeJournal>(
        _ schema: Schema.Type, _ body: (Store) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let builder = try Schema.history()
            for version in 1..<builder.history.head.number {
                let opened = try builder.open(version, at: url)
                if version == 1 { try await opened.write { try Self.edit($0, Schema.extra) } }
                try opened.close()
            }
            let store = try Store(schema, at: .file(url))
            try await body(store)
            try store.close()
        }
    }

    private static func edit(_ database: Database, _ extra: String?) throws {
        func insert(_ number: Int) throws {
            try database.execute(
                sql: "INSERT INTO entry (identifier, title, mood, timestamp) VALUES (?, ?, 'sad', 0)",
                arguments: [keys[number - 1], "Entry \(number)"])
        }
        try OutboxTable.suppressed(database) {
            try insert(2)
            try insert(3)
        }
        try insert(1)
        let change = extra.map { "\($0) = 'rain'" } ?? "mood = 'happy'"
        try database.execute(sql: "UPDATE entry SET \(change) WHERE identifier = ?", arguments: [keys[1]])
        try database.execute(sql: "DELETE FROM entry WHERE identifier = ?", arguments: [keys[2]])
    }

    private func pending(_ store: Store) async throws -> [String] {
        try await store.outbox.pending().map { "\($0.kind) \($0.record.suffix(1))" }.sorted()
    }

    private func moods(_ store: Store) async throws -> [String] {
        try await store.writer.read {
            try String.fetchAll($0, sql: "SELECT title || ' ' || mood FROM entry ORDER BY identifier")
        }
    }

    @Test("V5 The value of an attribute that has come back is an edit again")
    func attribute() async throws {
        try await withFile(MoodAgain.self) { store in
            #expect(try await moods(store) == ["Entry 1 neutral", "Entry 2 neutral"])
            #expect(try await pending(store) == ["create 1", "delete 3"])
            let status = try await store.outbox.status()
            #expect(status.leftoverCount == 2)
            for leftover in try store.leftovers() {
                #expect(leftover.member == "mood")
                try store.send(leftover)
                try store.send(leftover)
            }
            #expect(try store.leftovers().isEmpty)
            #expect(try await store.outbox.status().leftoverCount == 0)
            #expect(try await moods(store) == ["Entry 1 sad", "Entry 2 happy"])
            #expect(try await pending(store) == ["create 1", "delete 3", "update 2"])

            let remote = MemoryRemote()
            for key in Self.keys.dropFirst() {
                remote.set(
                    ["identifier": .string(key), "title": "Theirs", "mood": "neutral"], id: key, in: "/entries")
            }
            let summary = try await Sync(store: store, remote: remote, clock: ManualClock()).push()
            #expect(summary.sent == 3)
            #expect(remote.record(Self.keys[1], of: "/entries")?["mood"] == "happy")
            #expect(remote.record(Self.keys[1], of: "/entries")?["title"] == "Theirs")
        }
    }

    @Test("V5 Records of an entity that has come back are created, and deleted, again")
    func records() async throws {
        try await withFile(EntryAgain.self) { store in
            #expect(try await moods(store) == [])
            let leftovers = try store.leftovers()
            #expect(leftovers.map { String($0.record.suffix(1)) }.sorted() == ["1", "2", "3"])
            for leftover in leftovers where leftover.value != nil { try store.send(leftover) }
            #expect(try await moods(store) == ["Entry 1 sad", "Entry 2 happy"])
            #expect(try await pending(store) == ["create 1", "create 2"])

            // The deleted one was not pulled yet.
            let deleted = try #require(try store.leftovers().first)
            let error = #expect(throws: StoreError.self) { try store.send(deleted) }
            #expect(error?.code == .recordGone)
            #expect(try store.leftovers() == [deleted])
            try await store.writer.write { database in
                try OutboxTable.suppressed(database) {
                    try database.execute(
                        sql: "INSERT INTO entry (identifier, title, timestamp) VALUES (?, 'Theirs', 0)",
                        arguments: [Self.keys[2]])
                }
            }
            try store.send(deleted)
            #expect(try store.leftovers().isEmpty)
            #expect(try await pending(store) == ["create 1", "create 2", "delete 3"])
        }
    }

    @Test("V5 A value for which the schema has no place stays a leftover, and the error says why")
    func unsuitable() async throws {
        try await withFile(WeatherGone.self) { store in
            let leftover = try #require(try store.leftovers().first)
            let error = #expect(throws: StoreError.self) { try store.send(leftover) }
            #expect(error?.code == .unsuitableLeftover)
            #expect(error?.attribute == "weather")
            #expect(error?.reason == "the schema has no attribute or to-one relationship “weather” of it")
            #expect(try store.leftovers() == [leftover])
            #expect(try await store.outbox.status().leftoverCount == 1)
        }
    }

    @Test("The number of leftovers is reported when it changes")
    func updates() async throws {
        try await withFile(WeatherGone.self) { store in
            var counts: [Int] = []
            for await status in store.outbox.updates {
                counts.append(status.leftoverCount)
                if status.leftoverCount == 0 { break }
                try store.discard(try store.leftovers())
            }
            #expect(counts == [1, 0])
        }
    }
}

/// A last version that is the journal's, with versions before it.
private protocol MadeJournal: StoreSchema {
    /// The versions.
    static func history() throws -> HistoryBuilder
    static var recorded: SchemaDescription { get }
    /// The attribute that is edited, if it is not the mood.
    static var extra: String? { get }
}

extension MadeJournal {
    static var name: String { JournalSchema.name }
    static var version: Int { recorded.version }
    static var entities: [any Model.Type] { JournalSchema.entities }
    static var compiled: CompiledSchema { JournalSchema.compiled }
    static var fingerprint: String { recorded.fingerprint }
    static var structure: String { recorded.structure }
    static var history: String { recorded.history }
    static var extra: String? { nil }

    fileprivate static func last() throws -> SchemaStructure {
        try SchemaStructure(SchemaTree(json: JSONValue(parsing: JournalSchema.structure)))
    }
}

/// The mood was removed, and has come back.
private enum MoodAgain: MadeJournal {
    static let recorded = try! history().schema().description

    static func history() throws -> HistoryBuilder {
        var builder = HistoryBuilder(try last())
        let mood = try last().entities[0].attribute("mood")
        try builder.version { $0.change("Entry") { $0.attributes.removeAll { $0.name == "mood" } } }
        try builder.version { $0.change("Entry") { entry in if let mood { entry.attributes.append(mood) } } }
        return builder
    }
}

/// The whole entity was removed, and has come back.
private enum EntryAgain: MadeJournal {
    static let recorded = try! history().schema().description

    static func history() throws -> HistoryBuilder {
        var builder = HistoryBuilder(try last())
        let entry = try last().entities[0]
        try builder.version { structure in
            structure.entities = [
                EntityStructure(
                    name: "Other", table: "other", identity: .attributes(["id"]),
                    attributes: [.init("id", .scalar(.uuid), default: .newUUID)])
            ]
        }
        try builder.version { $0.entities = [entry] }
        return builder
    }
}

/// An attribute was removed for good.
private enum WeatherGone: MadeJournal {
    static let recorded = try! history().schema().description
    static var extra: String? { "weather" }

    static func history() throws -> HistoryBuilder {
        var first = try last()
        first.change("Entry") { $0.attributes.append(.init("weather", .scalar(.string), isOptional: true)) }
        var builder = HistoryBuilder(first)
        try builder.version { $0.change("Entry") { $0.attributes.removeAll { $0.name == "weather" } } }
        return builder
    }
}
