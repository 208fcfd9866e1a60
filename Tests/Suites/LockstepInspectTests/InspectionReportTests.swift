import Checklist
import Foundation
import GRDB
import KitchenSink
import LockstepEvolution
@testable import LockstepInspection
import LockstepJSON
import LockstepMerge
@testable import LockstepStore
import TestSupport
import Testing
@testable import lockstep

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
            let keyword = try #require(report.entities?.first { $0.name == "Keyword" })
            #expect(keyword.rows == 3 && keyword.pending == 3 && keyword.parked == 1 && keyword.isSynced)
            let note = try #require(report.entities?.first { $0.name == "LocalNote" })
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
                report.outbox?.changes.first { $0.entity == entity && $0.record == record }
            }
            let updated = try #require(change("Keyword", "1"))
            #expect(updated.kind == .update && updated.changed == ["class", "type"] && updated.values == nil)
            #expect(updated.parked?.status == 422 && updated.parked?.attributes == ["class"])
            #expect(change("Keyword", "2")?.kind == .delete && change("Keyword", "2")?.changed == [])
            #expect(change("Keyword", "4")?.kind == .create)
            #expect(change("Screw", InspectionStage.uuid(1).uuidString.lowercased()) != nil)
        }
    }

    @Test("A position is named after the list, and the link after itself")
    func positions() async throws {
        let store = try Store(ChecklistSchema.self, at: .inMemory)
        try await store.merge(Data(#"[{"id": 1, "name": "First"}, {"id": 2, "name": "Second"}]"#.utf8), into: List.self)
        let tasks = #"[{"id": 1, "title": "One", "status": 0, "checklistID": 1}]"#
        try await store.merge(Data(tasks.utf8), into: Task.self)
        try await store.perform { context in
            let (list, task) = (try List.find(2, in: context), try #require(try Task.find(1, in: context)))
            Task(id: 2, title: "Two", list: list, context: context)
            task.list = list
            try context.save()
        }
        let change = try await store.inspection().outbox?.changes.first { $0.record == "1" }
        #expect(change?.changed == ["list", "tasks"])
    }

    @Test("With values, a change has those of the server and those of the device")
    func values() async throws {
        try await withReport(includesValues: true) { report in
            let update = try #require(report.outbox?.changes.first { $0.entity == "Keyword" && $0.record == "1" })
            #expect(
                update.values == [
                    .init(name: "class", base: "Marked-one", now: "Marked-other"),
                    .init(name: "type", base: .null, now: "Marked-type"),
                ])
            let person = try #require(report.outbox?.changes.first { $0.entity == "Person" })
            #expect(person.record == "Marked-CH, 1" && person.changed == ["name"])
            let deleted = try #require(report.outbox?.changes.first { $0.entity == "Keyword" && $0.record == "2" })
            #expect(deleted.values?.contains(.init(name: "class", base: "Marked-two", now: nil)) == true)
        }
    }

    @Test("What waits, what was pulled, and what the schema has no place for")
    func sync() async throws {
        try await withReport { report in
            let sync = try #require(report.sync)
            #expect(sync.pause?.by == "server" && sync.pause?.error?.text == "unavailable 503")
            #expect(sync.waitingLinks.map(\.relationship) == ["Everything.labels"])
            #expect(sync.waitingLinks[0].owner == "7" && sync.waitingLinks[0].member.hasPrefix("text-"))
            #expect(sync.awaitedRecords == [.init(entity: "Part", count: 1)])
            let keywords = try #require(sync.collections.first { $0.entity == "Keyword" })
            #expect(keywords.validators == 1 && keywords.watermarks == 0)
            #expect(report.leftovers?.map(\.member) == ["nickname"])
            let conflict = try #require(report.conflicts?.first)
            #expect(conflict.member == "name" && conflict.lost == .local && conflict.rule == .serverWins)
            #expect(conflict.base == nil && conflict.local == nil && conflict.remote == nil)
            #expect(report.attachments?.referenced == 1 && report.attachments?.present == 1)
            #expect(report.integrity.isChecked && report.integrity.lines == [])
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

    @Test("With one entity, the lists have only its records, and the findings are those of the whole store")
    func oneEntity() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            let report = try stage.report(entity: "Person")
            let (outbox, sync) = (try #require(report.outbox), try #require(report.sync))
            #expect(report.entity == "Person" && report.entities?.map(\.name) == ["Person"])
            #expect(Set(outbox.changes.map(\.entity)) == ["Person"])
            #expect(outbox.count == 1 && outbox.parked == 0)
            #expect(
                report.leftovers?.count == 1 && report.conflicts?.count == 1 && sync.waitingLinks == []
                    && sync.collections == [])
            #expect(report.otherTables == [])
            // A change of another entity is parked.
            #expect(report.findings == (try stage.report().findings))
            #expect(report.findings[0].code == .parkedChanges)
            #expect(
                InspectionText(report).text.contains(
                    "\n  Only the records of Person are listed. The findings are about the whole store.\n"))
            let inspection = try Inspection(path: stage.url.path, entity: "Person", at: InspectionStage.now)
            #expect(inspection.isWrong)
            let json = try JSONSerialization.jsonObject(with: inspection.json()) as? [String: Any]
            #expect(json?["entity"] as? String == "Person")
            #expect(throws: StoreError.self) { try stage.report(entity: "Nobody") }
        }
    }

    @Test("An owner with a key of several columns is named as elsewhere")
    func keysOfLinks() throws {
        let person = try #require(KitchenSinkSchema.plan.first { $0.name == "Person" })
        let stored = #"["CH",2]"#.databaseValue
        let key = WaitingLinkTable.owner(stored, of: person)
        #expect(key == RecordKey(["CH".databaseValue, 2.databaseValue]))
        let (hidden, shown) = (
            InspectedValue(includesValues: false, salt: "s"), InspectedValue(includesValues: true, salt: "s")
        )
        #expect(shown.identity(key, of: person) == "CH, 2")
        #expect(hidden.identity(key, of: person) == "\(hidden.standIn("CH")), 2")
        // What is no list is one value.
        #expect(WaitingLinkTable.owner(7.databaseValue, of: person) == RecordKey(7))
    }

    @Test("A date in an identity is shown as a date with values, and not at all without")
    func datesInIdentities() {
        let at = AttributeStructure(name: "at", column: "at", type: .scalar(.date))
        let day = EntityStructure(name: "Day", table: "day", identity: .attributes(["at"]), attributes: [at])
        let plans = SchemaPlan(SchemaStructure(name: "Days", entities: [day]))
        let plan = plans[0]
        let key = RecordKey(1_795_651_200.0.databaseValue)
        #expect(InspectedValue(includesValues: true, salt: "").identity(key, of: plan) == "2026-11-26T00:00:00Z")
        #expect(InspectedValue(includesValues: false, salt: "").identity(key, of: plan).hasPrefix("text-"))
    }

    @Test("What prevents a change from being sent, in the words of the text and the page")
    func states() throws {
        var change = InspectionReport.Change(
            id: 1, entity: "Entry", record: "1", kind: .update, since: InspectionStage.now, attempts: 1, isSent: true,
            isInside: false, isUnclaimed: false, changed: ["title"],
            links: [.init(relationship: "tags", added: 2, removed: 0)], error: .init(code: "unavailable", status: 503))
        #expect(change.notes == "title; tags +2; 1 attempt (unavailable 503); sent, outcome unknown")
        (change.attempts, change.retryAt, change.isSent) = (2, InspectionStage.now, false)
        #expect(change.notes == "title; tags +2; 2 attempts (unavailable 503); next at 2026-11-26 00:00:00Z")
        #expect(!change.isFailing)
        change.attempts = OutboxStatus.failingAttempts
        #expect(change.isFailing)
        change.parked = .init(status: 422, meaning: "the server rejects its values", attributes: ["title"])
        #expect(change.states.map(\.label) == ["parked"] && !change.isFailing)
        #expect(change.notes == "title; tags +2; parked: 422, the server rejects its values (title)")
        (change.isUnclaimed, change.isInside) = (true, true)
        #expect(change.states.map(\.label) == ["of no entity of the schema", "parked", nil])
    }

    @Test("Of two long values, the beginning and the end that they have in common are left out")
    func longValues() {
        func difference(_ base: JSONValue?, _ now: JSONValue?) -> InspectedDifference {
            InspectedDifference(.init(name: "text", base: base, now: now))
        }
        let same = String(repeating: "a", count: 300)
        let changed = difference(.string(same + "OLD" + same), .string(same + "NEW" + same))
        let context = String(repeating: "a", count: 20)
        #expect(changed.base == "…\(context)OLD\(context)…" && changed.now == "…\(context)NEW\(context)…")
        #expect(changed.whole == [same + "OLD" + same, same + "NEW" + same])
        let longer = difference(.string(same), .string(same + "a"))
        #expect(longer.base == "…\(context)" && longer.now == "…\(context)a")
        let short = difference("a\nb", "a\nc")
        #expect(short.base == "a b" && short.now == "a c" && short.whole == [])
        let created = difference(nil, .string(same))
        #expect(created.base == nil && created.now == String(repeating: "a", count: 200) + "…")
        #expect(created.whole == [same])
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
            #expect(memory.file.path == nil && memory.findings == [] && memory.outbox?.count == 0)
            #expect(InspectionText(memory).text.contains("Nothing looks wrong."))
        }
    }

    @Test("Triggers that neither the schema nor the library has made are found, in one line")
    func foreignTriggers() async throws {
        try await withTemporaryFolder { folder in
            let stage = try await InspectionStage.make(in: folder)
            #expect(try stage.report().integrity.foreignTriggers == [])
            let queue = try DatabaseQueue(path: stage.url.path)
            try await queue.write { database in
                try database.execute(
                    sql: """
                        CREATE TRIGGER "leak\u{1B}[2J\nDone" AFTER INSERT ON everything BEGIN SELECT 1; END;
                        CREATE TRIGGER watch AFTER INSERT ON lockstep_leftover BEGIN SELECT 1; END
                        """)
            }
            try queue.close()
            let report = try stage.report()
            #expect(
                report.integrity.foreignTriggers == [
                    .init(table: "everything", name: "leak\u{1B}[2J\nDone"),
                    .init(table: "lockstep_leftover", name: "watch"),
                ])
            let finding = try #require(report.findings.first { $0.code == .foreignTriggers })
            #expect(finding.severity == .warning)
            #expect(
                finding.text == """
                    The file has 2 triggers that neither the schema nor the library has made: \
                    “leak\\u{1B}[2J\\u{A}Done” of “everything”, “watch” of “lockstep_leftover”.
                    """)
            #expect(report.integrity.lines.allSatisfy { !$0.hasHidden })
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
                report.integrity.missing?.map(\.name) == ["note", "lockstep_outbox_keyword_delete", "scrap"])
            #expect(
                report.integrity.brokenReferences == [
                    .init(table: "local_note", destination: "local_folder", count: 1)
                ])
            #expect(report.entities?.first { $0.name == "Scrap" }?.rows == nil)
            #expect(
                report.findings.prefix(4).map(\.code) == [
                    .missingParts, .brokenReferences, .disabledOutbox, .parkedChanges,
                ])
        }
    }
}
