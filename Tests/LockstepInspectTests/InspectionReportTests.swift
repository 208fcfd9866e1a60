import Foundation
import GRDB
import KitchenSink
@testable import LockstepStore
import TestSupport
import Testing

@Suite("What an inspection finds in a store")
struct InspectionReportTests {
    private func withReport(includesValues: Bool = false, _ body: (InspectionReport) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try body(try await InspectionStage.make(in: folder).report(includesValues: includesValues))
        }
    }

    @Test("Entities with their rows and changes, and tables of others")
    func entities() async throws {
        try await withReport { report in
            let keyword = try #require(report.entities.first { $0.name == "Keyword" })
            #expect(keyword.rows == 3 && keyword.pending == 3 && keyword.parked == 1 && keyword.isSynced)
            let note = try #require(report.entities.first { $0.name == "LocalNote" })
            #expect(note.rows == 1 && note.pending == 0 && !note.isSynced)
            #expect(report.otherTables == [InspectionReport.Table(name: "grdb_migrations", rows: 1)])
            #expect(report.schema.name == "KitchenSink" && report.schema.isDescribed)
            #expect(report.unreadable == [])
        }
    }

    @Test("An update names what differs, a creation and a delete nothing")
    func changes() async throws {
        try await withReport { report in
            func change(_ entity: String, _ record: String) -> InspectionReport.Change? {
                report.outbox.changes.first { $0.entity == entity && $0.record == record }
            }
            let updated = try #require(change("Keyword", "1"))
            #expect(updated.kind == .update && updated.changed == ["class", "type"] && updated.values == nil)
            #expect(updated.parked?.status == 422 && updated.parked?.attributes == ["class"])
            #expect(change("Keyword", "2")?.kind == .delete && change("Keyword", "2")?.changed == [])
            #expect(change("Keyword", "4")?.kind == .create)
            #expect(change("Screw", InspectionStage.uuid(1).uuidString.lowercased()) != nil)
        }
    }

    @Test("With values, a change has those of the server and those of the device")
    func values() async throws {
        try await withReport(includesValues: true) { report in
            let update = try #require(report.outbox.changes.first { $0.entity == "Keyword" && $0.record == "1" })
            #expect(
                update.values == [
                    .init(name: "class", base: "Marked-one", now: "Marked-other"),
                    .init(name: "type", base: .null, now: "Marked-type"),
                ])
            let person = try #require(report.outbox.changes.first { $0.entity == "Person" })
            #expect(person.record == "Marked-CH, 1" && person.changed == ["name"])
            let deleted = try #require(report.outbox.changes.first { $0.entity == "Keyword" && $0.record == "2" })
            #expect(deleted.values?.contains(.init(name: "class", base: "Marked-two", now: nil)) == true)
        }
    }

    @Test("What waits, what was pulled, and what the schema has no place for")
    func sync() async throws {
        try await withReport { report in
            #expect(report.sync.pause?.by == "server" && report.sync.pause?.error?.text == "unavailable 503")
            #expect(report.sync.waitingLinks.map(\.relationship) == ["Everything.labels"])
            #expect(report.sync.waitingLinks[0].owner == "7" && report.sync.waitingLinks[0].member.hasPrefix("text-"))
            #expect(report.sync.awaitedRecords == [.init(entity: "Part", count: 1)])
            let keywords = try #require(report.sync.collections.first { $0.entity == "Keyword" })
            #expect(keywords.validators == 1 && keywords.watermarks == 0)
            #expect(report.leftovers.map(\.member) == ["nickname"])
            #expect(report.attachments?.referenced == 1 && report.attachments?.present == 1)
            #expect(report.integrity.isChecked && report.integrity == .init(isChecked: true))
        }
    }

    @Test("Findings are in the order of their severity, and each says what to do")
    func findings() async throws {
        try await withReport { report in
            #expect(
                report.findings.map(\.code) == [
                    .parkedChanges, .leftovers, .waitingToSend, .pendingDeletes, .emptyCollection, .waitingLinks,
                ])
            #expect(report.findings.allSatisfy { $0.text.hasSuffix(".") && $0.remedy.hasSuffix(".") })
        }
    }

    @Test("Only one entity")
    func oneEntity() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            let report = try stage.report(entity: "Person")
            #expect(report.entities.map(\.name) == ["Person"])
            #expect(Set(report.outbox.changes.map(\.entity)) == ["Person"])
            #expect(report.leftovers.count == 1 && report.sync.waitingLinks.isEmpty && report.otherTables.isEmpty)
            #expect(throws: StoreError.self) { try stage.report(entity: "Nobody") }
        }
    }

    @Test("An open store gives the same report as its file")
    func openStore() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            let report = try stage.report()
            let store = try Store(KitchenSinkSchema.self, at: .file(stage.url))
            var own = try await store.inspection(InspectionOptions(at: InspectionStage.now))
            own.file = report.file
            #expect(own == report)
            let memory = try await Store(KitchenSinkSchema.self, at: .inMemory).inspection()
            #expect(memory.file.path == nil && memory.findings == [] && memory.outbox.count == 0)
            #expect(InspectionText(memory).text.contains("Nothing looks wrong."))
        }
    }

    @Test("A missing trigger, table and index are found; so are disabled changes and broken references")
    func missingParts() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            let queue = try DatabaseQueue(path: stage.url.path)
            try await queue.writeWithoutTransaction { database in
                try database.execute(
                    sql: """
                        PRAGMA foreign_keys = OFF;
                        DROP TRIGGER lockstep_outbox_keyword_delete; DROP TABLE scrap;
                        DROP INDEX everything_note; INSERT INTO lockstep_quiet VALUES (1);
                        DELETE FROM local_folder
                        """)
            }
            try queue.close()
            let report = try stage.report()
            #expect(
                report.integrity.missing.map(\.name) == ["note", "lockstep_outbox_keyword_delete", "scrap"])
            #expect(
                report.integrity.brokenReferences == [
                    .init(table: "local_note", destination: "local_folder", count: 1)
                ])
            #expect(report.entities.first { $0.name == "Scrap" }?.rows == nil)
            #expect(
                report.findings.prefix(4).map(\.code) == [
                    .missingParts, .brokenReferences, .disabledOutbox, .parkedChanges,
                ])
        }
    }
}
