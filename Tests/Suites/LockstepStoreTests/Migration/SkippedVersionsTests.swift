import Foundation
import GRDB
import LockstepEvolution
@_spi(Generated) import LockstepStore
import LockstepTesting
import TestSupport
import Testing

@Suite("A file that skips versions is equal to one that follows each")
struct SkippedVersionsTests {
    /// What a file of the first version with two entries, which were pulled and then edited, contains in the last.
    private struct Outcome: Equatable {
        var rowCount: Int
        var pending: [String]
        var leftovers: [String]

        /// - Parameter atOnce: Whether no version in between opens the file.
        init(
            _ builder: HistoryBuilder, titles: [String], edit: String, atOnce: Bool,
            conversions: [RowConversion] = []
        ) async throws {
            self = try await withTemporaryFolder { folder in
                let last = builder.history.head.number
                let file = folder.appendingPathComponent("journal.sqlite")
                func open(_ version: Int) throws -> any DatabaseWriter {
                    try builder.open(version, at: file, conversions: conversions)
                }
                let writer = try open(1)
                try await writer.write { try Self.insert(titles, $0) }
                try await writer.write { database in
                    try database.execute(sql: "UPDATE entry SET \(edit) WHERE identifier = '2'")
                }
                try writer.close()
                for version in 2..<last where !atOnce { try open(version).close() }
                let migrated = try open(last)
                defer { try? migrated.close() }
                return try await migrated.read { try Outcome($0) }
            }
        }

        private static func insert(_ titles: [String], _ database: Database) throws {
            try OutboxTable.suppressed(database) {
                for (index, title) in titles.enumerated() {
                    try database.execute(
                        sql: "INSERT INTO entry (identifier, title, mood, timestamp) VALUES (?, ?, 'sad', 0)",
                        arguments: ["\(index + 1)", title])
                }
            }
        }

        private init(_ database: Database) throws {
            rowCount = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM entry") ?? 0
            pending = try OutboxTable.storedRows(database).map { row in
                (String.fromDatabaseValue(row.record) ?? "") + (row.isParked ? " parked" : "")
            }
            leftovers = try String.fetchAll(
                database,
                sql: """
                    SELECT record || ' ' || coalesce(member || ' ' || value, json_extract(value, '$.mood')) \
                    || coalesce(': ' || reason, '') FROM lockstep_leftover ORDER BY record, member
                    """)
        }
    }

    @Test("V5 Of records with one value, the same stays if a later version pulls them again", arguments: [true, false])
    func pulledAgain(atOnce: Bool) async throws {
        var builder = HistoryBuilder(.journal)
        try builder.version(answers: ["Entry.title": ChangeAnswers(duplicates: "keepFirst")]) {
            $0.change("Entry") { $0.change("title") { $0.isUnique = true } }
        }
        try builder.version(answers: ["Entry.site": ChangeAnswers(refetch: true)]) { $0.addSite() }
        let outcome = try await Outcome(builder, titles: ["A", "A"], edit: "mood = 'happy'", atOnce: atOnce)
        #expect(outcome.leftovers == ["2 happy"])
        #expect(outcome.pending.isEmpty)
        #expect(outcome.rowCount == 0)
    }

    @Test(
        "V2 A record is pulled again if its only edit was of an attribute that was removed before",
        arguments: [true, false])
    func settled(atOnce: Bool) async throws {
        var builder = HistoryBuilder(.journal)
        try builder.version { $0.change("Entry") { $0.attributes.removeAll { $0.name == "mood" } } }
        try builder.version(answers: ["Entry.site": ChangeAnswers(refetch: true)]) { $0.addSite() }
        let outcome = try await Outcome(builder, titles: ["A", "B"], edit: "mood = 'happy'", atOnce: atOnce)
        #expect(outcome.leftovers == ["2 mood \"happy\""])
        #expect(outcome.pending.isEmpty)
        #expect(outcome.rowCount == 0)
    }

    // MARK: Conversions

    /// The title becomes a headline, which is then removed.
    private static func withoutHeadline() throws -> HistoryBuilder {
        var builder = HistoryBuilder(.journal)
        try builder.version(answers: ["Entry.headline": ChangeAnswers(fill: "none", convert: "swift")]) {
            $0.change("Entry") { entry in
                entry.attributes.removeAll { $0.name == "title" }
                entry.attributes.append(.init("headline", .scalar(.string)))
            }
        }
        try builder.version { $0.change("Entry") { $0.attributes.removeAll { $0.name == "headline" } } }
        return builder
    }

    private static let conversion = RowConversion("version 2/Entry") { row in
        let titles = row.storedValues.compactMap { String.fromDatabaseValue($0) }.filter { $0.hasSuffix(" title") }
        guard let title = titles.first, title != "bad title" else { throw ConversionError("it is bad") }
        return [title.uppercased()]
    }

    @Test(
        "V5 An edit that a conversion got is a leftover if a later version removes what was made of it",
        arguments: [true, false])
    func converted(atOnce: Bool) async throws {
        let outcome = try await Outcome(
            Self.withoutHeadline(), titles: ["a title", "b title"], edit: "title = 'c title'", atOnce: atOnce,
            conversions: [Self.conversion])
        #expect(outcome.leftovers == ["2 headline \"C TITLE\""])
        #expect(outcome.pending.isEmpty)
    }

    @Test(
        "V5 A row that could not be converted is a leftover if a later version removes what was to be made of it",
        arguments: [true, false])
    func notConverted(atOnce: Bool) async throws {
        let outcome = try await Outcome(
            Self.withoutHeadline(), titles: ["bad title", "bad title"], edit: "mood = 'happy'", atOnce: atOnce,
            conversions: [Self.conversion])
        #expect(outcome.leftovers == ["1 sad: it is bad", "2 happy: it is bad"])
        #expect(outcome.pending == ["2 parked"])
    }

    @Test("V1–V7: Such files are migrated with every row and every pending change", arguments: 1...3)
    func check(version: Int) throws {
        var schema = try Self.withoutHeadline().schema().description
        schema.conversions = [Self.conversion]
        try MigrationCheck(schema, from: version).run(seed: 1)
    }
}

extension SchemaStructure {
    /// A required attribute that only the server has.
    fileprivate mutating func addSite() {
        change("Entry") { $0.attributes.append(.init("site", .scalar(.int))) }
    }
}
