import GRDB
import LinkSamples
import LockstepStore
import LockstepSystem
import Shop
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("The phases of a batch, on staged rows")
struct BatchPhaseTests {
    @Test("R10.1 A member that was sent without an identity gets the key of the local record")
    func matchSentMembers() async throws {
        let stage = try await PhaseStage(
            MuseumSchema.self,
            """
            INSERT INTO survey VALUES ('\(uuid(1))', 1, 'Spring');
            INSERT INTO sheet (local_id, remote_id, name, survey_id) VALUES ('\(uuid(2))', NULL, 'Roof', '\(uuid(1))')
            """)
        try await stage.merge(into: Survey.self, isStarted: false) { merge in
            try merge.rememberSheet("Roof", local: uuid(2), in: uuid(1))
            try merge.run(merge.start)
            try merge.stage(#"{"id": 1, "name": "Spring", "sheets": [{"id": 70, "name": "Roof"}]}"#)
            try merge.run([MatchSentMembers()])
            #expect(try merge.rows("SELECT local_id, remote_id FROM sheet") == ["\(uuid(2)) 70"])
            try merge.run([ResolveLinks()])
            #expect(try merge.cell("Sheet", 0, "local_id") == uuid(2).databaseValue)
        }
    }

    @Test("R1 R4 Links become foreign keys: of the owner that contains a record, and of one by its remote identity")
    func resolveLinks() async throws {
        let stage = try await PhaseStage(
            MuseumSchema.self, "INSERT INTO loan (local_id, remote_id, title) VALUES ('\(uuid(5))', 50, 'Amphora')")
        try await stage.merge(into: Room.self) { merge in
            try merge.stage(#"{"id": 3, "name": "Hall", "cameras": [{"id": 30, "model": "A"}]}"#)
            try merge.run([ResolveLinks()])
            #expect(try merge.cell("Camera", 0, "room_id") == 3.databaseValue)
        }
        try await stage.merge(into: Loan.self) { merge in
            try merge.stage(#"{"id": 51, "title": "Bust", "holder_id": 50}"#)
            try merge.run([ResolveLinks()])
            #expect(try merge.cell("Loan", 0, "holder_id") == uuid(5).databaseValue)
        }
    }

    @Test("M12 A record whose required embedded to-one is null is skipped")
    func nullLamp() async throws {
        let stage = try await PhaseStage()
        try await stage.merge(into: Vitrine.self) { merge in
            try merge.stage(#"{"id": 1, "glass": "thick", "lamp": null}"#)
            try merge.run([ResolveLinks()])
            #expect(try merge.isSkipped("Vitrine", 0))
        }
    }

    @Test("M12 An invalid record is skipped with its nested records, and reported once")
    func skipRefusedRecords() async throws {
        let stage = try await PhaseStage()
        try await stage.merge(into: Room.self) { merge in
            let room = try merge.entity("Room")
            merge.state.retryHints.refuse(
                Cell(integer: 3).fingerprint, of: room,
                refusal: MergeRetryHints.Refusal(columns: [1], reason: "is refused"))
            try merge.stage(
                #"{"id": 3, "name": "Hall", "cameras": [{"id": 30, "model": "A"}]}"#,
                #"{"id": 4, "name": "Attic"}"#, #"{"id": 3, "name": "Hall again"}"#)
            try merge.run([ResolveLinks(), SkipRefusedRecords()])
            #expect(try [0, 1, 2].map { try merge.isSkipped("Room", $0) } == [true, false, true])
            #expect(try merge.isSkipped("Camera", 0))
            let summary = merge.transaction.recorder.summary()
            #expect(summary.skipped.map(\.description).count == 1)
            #expect(summary.skipped.first?.identity == "3")
        }
    }

    @Test("M6 Rows are compared with the store's, and nothing is written")
    func matchRows() async throws {
        let stage = try await PhaseStage(
            MuseumSchema.self, "INSERT INTO room VALUES (1, 'Hall'), (2, 'Cellar')")
        try await stage.merge(into: Room.self) { merge in
            try merge.stage(
                #"{"id": 1, "name": "Hall"}"#, #"{"id": 2, "name": "Vault"}"#, #"{"id": 3, "name": "Attic"}"#)
            try merge.run([ResolveLinks(), MatchRows()])
            let rooms = try #require(merge.batch.tables.first)
            #expect(rooms.updates.map(\.row) == [1])
            #expect(rooms.inserts == [2])
            #expect(try merge.outcome("Room", 1) == .unchanged)
            #expect(try merge.rows("SELECT name FROM room ORDER BY id") == ["Hall", "Cellar"])
        }
    }

    @Test("C3 The base of a record that stays deleted is written with the outcomes, not when rows are compared")
    func matchRowsOfDeleted() async throws {
        let stage = try await PhaseStage(MuseumSchema.self, "INSERT INTO room VALUES (1, 'Hall')")
        try stage.edit("DELETE FROM room")
        try await stage.merge(into: Room.self) { merge in
            try merge.stage(#"{"id": 1, "name": "Foyer"}"#)
            try merge.run(through: MatchRows.self)
            let edits = try #require(try merge.state.local?.edits(of: merge.entity("Room")))
            let name = { try edits.base(of: [Cell(integer: 1)])?[1].databaseValue }
            #expect(try name() == "Hall".databaseValue)
            try merge.run([WriteRows(), WriteConflictOutcomes()])
            #expect(try name() == "Foyer".databaseValue)
            #expect(try merge.rows("SELECT * FROM room").isEmpty)
        }
        #expect(try stage.pending() == ["delete Room 1"])
    }

    @Test("M3 If one record is repeated, the last value of each attribute counts")
    func matchRowsOfOneRecord() async throws {
        let stage = try await PhaseStage(MuseumSchema.self, "INSERT INTO bench VALUES (1, 2, 'grey', NULL, NULL)")
        try await stage.merge(into: Bench.self) { merge in
            try merge.stage(#"{"id": 1, "seats": 4, "colour": "red"}"#, #"{"id": 1, "seats": 3}"#)
            try merge.run([ResolveLinks(), MatchRows(), WriteRows()])
            #expect(try merge.rows("SELECT seats, colour FROM bench") == ["3 red"])
        }
    }

    @Test("Unique values that records swap are written in one batch")
    func swap() async throws {
        let stage = try await PhaseStage(ShopSchema.self, "INSERT INTO tag VALUES (1, 'new'), (2, 'old')")
        try await stage.merge(into: Tag.self) { merge in
            try merge.stage(#"{"id": 1, "name": "old"}"#, #"{"id": 2, "name": "new"}"#)
            try merge.run([ResolveLinks(), MatchRows(), WriteRows()])
            #expect(try merge.rows("SELECT * FROM tag ORDER BY id") == ["1 old", "2 new"])
            #expect(merge.state.deferredUniqueValues.isEmpty)
        }
    }

    @Test("A record whose unique value is taken waits, and is stored with a placeholder")
    func wait() async throws {
        let stage = try await PhaseStage(ShopSchema.self, "INSERT INTO tag VALUES (1, 'new')")
        try await stage.merge(into: Tag.self) { merge in
            try merge.stage(#"{"id": 2, "name": "new"}"#)
            try merge.run([ResolveLinks(), MatchRows(), WriteRows()])
            #expect(merge.state.deferredUniqueValues.records.map { $0.key[0].integer } == [2])
            #expect(try merge.rows("SELECT count(*) FROM tag WHERE id = 2 AND name <> 'new'") == ["1"])
        }
    }

    @Test("C2 A pending change is compared with the server's record, and each row has its outcome")
    func writeConflictOutcomes() async throws {
        let stage = try await PhaseStage(MuseumSchema.self, "INSERT INTO bench VALUES (1, 2, 'grey', NULL, NULL)")
        try stage.edit("UPDATE bench SET colour = 'blue'")
        try await stage.merge(into: Bench.self) { merge in
            try merge.stage(#"{"id": 1, "seats": 5, "colour": "grey"}"#)
            try merge.run([ResolveLinks(), MatchRows(), WriteRows()])
            let edits = try #require(try merge.state.local?.edits(of: merge.entity("Bench")))
            #expect(try edits.base(of: [Cell(integer: 1)])?[1].integer == 2)
            try merge.run([WriteConflictOutcomes()])
            #expect(try edits.base(of: [Cell(integer: 1)])?[1].integer == 5)
            #expect(try merge.outcome("Bench", 1) == .updated)
            #expect(try merge.rows("SELECT seats, colour FROM bench") == ["5 blue"])
        }
    }

    @Test("M14 A function that replaces records runs after the others of the batch were written")
    func runReplacements() async throws {
        let stage = try await PhaseStage()
        let customize = { (options: inout MergeOptions) in
            options.customizeMerge(
                of: Camera.self,
                MergeCustomization(replace: { json, context, database in
                    let rooms = try Int.fetchOne(database, sql: "SELECT count(*) FROM room") ?? 0
                    try database.execute(
                        sql: "INSERT INTO camera VALUES (?, 'own', \(rooms), ?)",
                        arguments: [context.identity.flatMap(Int.init), context.parent?.values.first])
                    return .inserted
                }))
        }
        try await stage.merge(into: Room.self, customize) { merge in
            try merge.stage(#"{"id": 3, "name": "Hall", "cameras": [{"id": 30, "model": "A"}]}"#)
            try merge.writeRows()
            #expect(try merge.rows("SELECT * FROM camera").isEmpty)
            let hooks = HookCaller(transaction: merge.transaction, reader: merge.run.reader)
            try merge.run([RunReplacements(hooks: hooks)])
            #expect(try merge.rows("SELECT id, model, seen, room_id FROM camera") == ["30 own 1 3"])
            #expect(try merge.outcome("Camera", 30) == .inserted)
        }
    }

    @Test("R3 A list of identities is the exact membership: children are linked and unlinked")
    func writeMemberships() async throws {
        let stage = try await PhaseStage(
            MuseumSchema.self,
            """
            INSERT INTO room VALUES (1, 'Hall');
            INSERT INTO exhibit (id, title, room_id) VALUES (10, 'Vase', 1), (11, 'Urn', NULL)
            """)
        try await stage.merge(into: Room.self) { merge in
            try merge.stage(#"{"id": 1, "name": "Hall", "exhibit_ids": [11]}"#)
            try merge.writeRows()
            #expect(try merge.rows("SELECT id FROM exhibit WHERE room_id = 1") == ["10"])
            try merge.run([WriteMemberships()])
            #expect(try merge.rows("SELECT id FROM exhibit WHERE room_id = 1") == ["11"])
        }
    }

    @Test("M8 The records of a many-to-many scope are linked to its owner")
    func linkScopeOwner() async throws {
        let stage = try await PhaseStage(ShopSchema.self, "INSERT INTO tag VALUES (1, 'new')")
        let scope = MergeScope<Product>.children(of: 1, in: Tag.Relationships.products)
        try await stage.merge(into: Product.self, scope: scope) { merge in
            try merge.stage(#"{"id": 8, "name": "Mug"}"#, #"{"id": 9, "name": "Cup", "tag_ids": []}"#)
            try merge.writeRows()
            try merge.run([WriteMemberships(), LinkScopeOwner()])
            // A record that lists its owners decides itself.
            #expect(try merge.rows("SELECT product_id FROM product_tag") == ["8"])
            #expect(try merge.outcome("Tag", 1) == .updated)
        }
    }

    @Test("R2 The key of a record that others refer to is kept until the record arrives")
    func reserveIdentities() async throws {
        let stage = try await PhaseStage()
        try await stage.merge(into: Loan.self) { merge in
            try merge.stage(#"{"id": 51, "title": "Bust", "holder_id": 50}"#)
            try merge.writeRows()
            try merge.run([ReserveIdentities()])
            #expect(try merge.table("Loan").count == 0)
            let loan = try merge.entity("Loan")
            let reserved = try merge.transaction.identities.key(
                of: Cell(integer: 50), in: loan, isLinked: true)
            #expect(
                try merge.rows("SELECT holder_id FROM loan")
                    == [String(decoding: reserved.bytes, as: UTF8.self)])
            #expect(try ReservedIdentities.hasRows(merge.transaction.database))
        }
    }

    @Test("R2 A record that comes by other means, with another key, adopts the one that others refer to")
    func reserveOther() async throws {
        let stage = try await PhaseStage()
        try await stage.merge(into: Loan.self) { merge in
            try merge.stage(#"{"id": 51, "title": "Bust", "holder_id": 50}"#)
            try merge.writeRows()
            // For example, a hook writes it.
            try merge.transaction.database.execute(
                sql: "INSERT INTO loan (local_id, remote_id, title) VALUES ('\(uuid(2))', 50, 'Vase')")
            try merge.run([ReserveIdentities()])
            try merge.run([AdoptIdentities()])
            #expect(try merge.rows("SELECT holder_id FROM loan WHERE remote_id = 51") == [uuid(2)])
        }
    }

    @Test("R2 M15 No key is reserved for a link that the payload has and that is not written")
    func reserveNothing() async throws {
        let stage = try await PhaseStage()
        try await stage.merge(into: Loan.self) { merge in
            try merge.stage(#"{"id": 51, "title": "Bust", "holder_id": 50}"#)
            try merge.writeRows()
            try merge.transaction.database.execute(sql: "UPDATE loan SET holder_id = NULL")
            try merge.run([ReserveIdentities()])
            #expect(try !ReservedIdentities.hasRows(merge.transaction.database))
        }
    }
}
