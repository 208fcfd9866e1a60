import GRDB
import LinkSamples
import LockstepStore
import LockstepSystem
import Shop
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("The phases before the first record")
struct StartPhaseTests {
    @Test("Participants write first, in the merge's transaction, and what they write is not pending")
    func notifyWillMerge() async throws {
        let stage = try await PhaseStage()
        let change = { (options: inout MergeOptions) in options.participants = [RoomParticipant()] }
        try await stage.merge(into: Room.self, isStarted: false, change) { merge in
            try NotifyWillMerge().run(merge.state)
            #expect(try merge.rows("SELECT * FROM room") == ["1 before"])
            try Report().run(merge.state)
            try NotifyDidMerge().run(merge.state)
        }
        #expect(try stage.rows("SELECT * FROM room ORDER BY id") == ["1 before", "2 after"])
        #expect(try stage.pending().isEmpty)
    }

    @Test("R10 Members sent without an identity are looked up only if there are any")
    func findSentMembers() async throws {
        let stage = try await PhaseStage(
            MuseumSchema.self, "INSERT INTO survey VALUES ('\(uuid(1))', 1, 'Spring')")
        try await stage.merge(into: Survey.self, isStarted: false) { merge in
            try FindSentMembers().run(merge.state)
            #expect(merge.state.sentMembers == nil)
            try merge.rememberSheet("Roof", local: uuid(2), in: uuid(1))
            try FindSentMembers().run(merge.state)
            #expect(merge.state.sentMembers != nil)
        }
    }

    @Test("C5 A record that an earlier attempt found to collide is renamed, and the change is pending")
    func applyDuplicateResolutions() async throws {
        let stage = try await PhaseStage(ShopSchema.self)
        try stage.edit("INSERT INTO tag VALUES (1, 'new')")
        try await stage.merge(into: Tag.self, isStarted: false) { merge in
            let tag = try merge.entity("Tag")
            let column = try #require(tag.plan.columns.firstIndex { $0.name == "name" })
            merge.state.retryHints.duplicates = [
                .rename(
                    entity: tag.index, record: RecordKey(1.databaseValue), column: column,
                    value: "new (2)".databaseValue)
            ]
            try ApplyDuplicateResolutions().run(merge.state)
        }
        #expect(try stage.rows("SELECT * FROM tag") == ["1 new (2)"])
        #expect(try stage.pending() == ["create Tag 1"])
    }

    @Test("C1 Local edits are looked up only if there are any")
    func findLocalEdits() async throws {
        let stage = try await PhaseStage(MuseumSchema.self, "INSERT INTO room VALUES (1, 'Hall')")
        try await stage.merge(into: Room.self) { merge in #expect(merge.state.local == nil) }
        try stage.edit("UPDATE room SET name = 'Foyer'")
        try await stage.merge(into: Room.self) { merge in
            let edits = try merge.state.local?.edits(of: merge.entity("Room"))
            #expect(try edits?.pending(of: [Cell(integer: 1)])?.change == .update)
            #expect(try edits?.pending(of: [Cell(integer: 2)]) == nil)
        }
    }

    @Test("M8 Records get missing values from the scope")
    func resolveScope() async throws {
        let stage = try await PhaseStage(MuseumSchema.self, "INSERT INTO room VALUES (7, 'Hall')")
        let scope = MergeScope<Exhibit>.children(of: 7, in: Room.Relationships.exhibits)
        try await stage.merge(into: Exhibit.self, scope: scope) { merge in
            #expect(merge.state.scope?.allowsDeleting == true)
            try merge.stage(#"{"id": 1, "title": "Vase"}"#, #"{"id": 2, "title": "Urn", "room_id": null}"#)
            #expect(try merge.cell("Exhibit", 0, "room_id") == 7.databaseValue)
            #expect(try merge.cell("Exhibit", 1, "room_id") == .null)
        }
    }
}

/// Writes a room before the merge, and one after.
private struct RoomParticipant: MergeParticipant {
    func willMerge(_ database: Database, changes: RawChanges) throws {
        try changes.note(.insert, in: "room", database: database)
        try database.execute(sql: "INSERT INTO room VALUES (1, 'before')")
    }

    func didMerge(_ database: Database, changes: RawChanges, summary: MergeSummary) throws {
        try changes.note(.insert, in: "room", database: database)
        try database.execute(sql: "INSERT INTO room VALUES (2, 'after')")
    }
}

/// A UUID that ends in a number.
func uuid(_ number: Int) -> String {
    let text = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - text.count) + text
}

extension PhaseMerge {
    /// Records that a sheet was sent with its survey, without an identity.
    func rememberSheet(_ name: String, local: String, in survey: String) throws {
        let (sheets, surveys) = (try entity("Sheet").plan, try entity("Survey").plan)
        let recordID = RecordID(surveys, key: RecordKey(survey.databaseValue))
        let row: [DatabaseValue?] = sheets.columns.map { column in
            switch column.name {
            case "name": name.databaseValue
            case "local_id": local.databaseValue
            case "survey_id": survey.databaseValue
            default: DatabaseValue.null
            }
        }
        let member = SentMember(
            plan: sheets, key: RecordKey(local.databaseValue), owner: recordID, relationship: "sheets", position: 0,
            row: row)
        try SentMembers(database: transaction.database, plans: transaction.plan.schema)
            .note([member], in: recordID)
    }
}
