import GRDB
import LinkSamples
import LockstepStore
import LockstepSystem
import Shop
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("The phases after the last batch")
struct EndPhaseTests {
    @Test("R5 M11 A child that is listed elsewhere is unlinked from the owner that no longer lists it")
    func unlinkMovedChildren() async throws {
        let stage = try await PhaseStage(
            ShopSchema.self,
            """
            INSERT INTO product (id, name) VALUES (1, 'Mug');
            INSERT INTO picture (id, url, product_id, images_position) VALUES (10, 'https://a.example', 1, 0)
            """)
        try await stage.merge(into: Product.self) { merge in
            try merge.stage(#"{"id": 1, "name": "Mug", "images": []}"#)
            try merge.writeRows()
            try merge.run([WriteMemberships()])
            #expect(merge.pendingDeletes == ["Picture 10"])
            let pictures = try merge.entity("Picture")
            merge.transaction.record(
                .unchanged, of: pictures, fingerprint: Cell(integer: 10).fingerprint, key: RecordKey(10.databaseValue))
            try merge.run([UnlinkMovedChildren(links: merge.links), DeleteUnlisted()])
            #expect(try merge.rows("SELECT id, product_id FROM picture") == ["10 -"])
        }
    }

    @Test("R4 A replaced record is deleted, unless something refers to it")
    func deleteOrphans() async throws {
        let stage = try await PhaseStage(
            MuseumSchema.self,
            """
            INSERT INTO lamp VALUES (1, 40), (2, 60);
            INSERT INTO vitrine VALUES (1, 'thick', 1)
            """)
        try await stage.merge(into: Vitrine.self) { merge in
            try merge.stage(#"{"id": 1, "glass": "thick", "lamp": {"id": 2, "watts": 60}}"#)
            try merge.writeRows()
            #expect(merge.state.replacedTargets.targets.map { $0.key[0].integer } == [1])
            try merge.run([DeleteOrphans()])
            #expect(merge.pendingDeletes == ["Lamp 1"])
        }
    }

    @Test("R2 References to a reserved key are changed to the record's own key")
    func adoptIdentities() async throws {
        let stage = try await PhaseStage(
            MuseumSchema.self,
            "INSERT INTO loan (local_id, remote_id, title, holder_id) VALUES ('\(uuid(1))', 1, 'Bust', NULL)")
        try await stage.merge(into: Loan.self) { merge in
            let loan = try merge.entity("Loan")
            let reserved = try merge.transaction.identities.key(of: Cell(integer: 9), in: loan, isLinked: true)
            let text = String(decoding: reserved.bytes, as: UTF8.self)
            try merge.transaction.database.execute(sql: "UPDATE loan SET holder_id = '\(text)'")
            try merge.run([ReserveRemainingIdentities()])
            #expect(try ReservedIdentities.hasRows(merge.transaction.database))
            // The response to the upload of a local record had this identity.
            try merge.transaction.database.execute(
                sql: "INSERT INTO loan (local_id, remote_id, title) VALUES ('\(uuid(2))', 9, 'Vase')")
            try merge.run([AdoptIdentities()])
            #expect(try merge.rows("SELECT holder_id FROM loan WHERE remote_id = 1") == [uuid(2)])
            #expect(try !ReservedIdentities.hasRows(merge.transaction.database))
        }
    }

    @Test("C1 A record that a custom policy deletes is deleted, and the delete is pending")
    func deleteByPolicy() async throws {
        let stage = try await PhaseStage(MuseumSchema.self, "INSERT INTO room VALUES (1, 'Hall'), (2, 'Cellar')")
        try stage.edit("UPDATE room SET name = 'Foyer' WHERE id = 1")
        try await stage.merge(into: Room.self) { merge in
            merge.state.local?.delete([Cell(integer: 1)], of: try merge.entity("Room"))
            #expect(try merge.rows("SELECT id FROM room") == ["1", "2"])
            try merge.run([DeleteByPolicy()])
            #expect(try merge.rows("SELECT id FROM room") == ["2"])
        }
        #expect(try stage.pending() == ["delete Room 1"])
    }

    @Test("M7 Scheduled records are deleted, unless the payload lists them after all")
    func deleteScheduled() async throws {
        let stage = try await PhaseStage(MuseumSchema.self, "INSERT INTO room VALUES (1, 'Hall'), (2, 'Cellar')")
        try await stage.merge(into: Room.self) { merge in
            let room = try merge.entity("Room")
            merge.state.scheduleDelete([Cell(integer: 1)], of: room)
            merge.state.scheduleDelete([Cell(integer: 2)], of: room)
            merge.transaction.record(
                .unchanged, of: room, fingerprint: Cell(integer: 2).fingerprint, key: RecordKey(2.databaseValue))
            try merge.run([DeleteUnlisted()])
            #expect(try merge.rows("SELECT id FROM room") == ["2"])
            #expect(try merge.outcome("Room", 1) == .deleted)
        }
    }

    @Test("M7.1 Records that the server no longer lists are deleted on request")
    func deleteUnlisted() async throws {
        let stage = try await PhaseStage(MuseumSchema.self, "INSERT INTO room VALUES (1, 'Hall'), (2, 'Cellar')")
        try await stage.merge(into: Room.self, { $0.records = .all }) { merge in
            try merge.stage(#"{"id": 2, "name": "Cellar"}"#)
            try merge.writeRows()
            try merge.run([DeleteUnlisted()])
            #expect(try merge.rows("SELECT id FROM room") == ["2"])
        }
    }

    @Test(
        "C3 The policy decides about a record deleted on the server",
        arguments: [
            (ServerDeleteCase(policy: .localChangesWin, edit: "UPDATE room SET name = 'Foyer'"), "recreate", "create"),
            (ServerDeleteCase(policy: .serverWins, edit: "UPDATE room SET name = 'Foyer'"), "delete", "update"),
            (ServerDeleteCase(policy: .localChangesWin, edit: "DELETE FROM room"), "keep", nil),
            (ServerDeleteCase(policy: .localChangesWin, edit: nil), "delete", nil),
        ])
    func resolveServerDelete(_ given: ServerDeleteCase, _ resolution: String, _ pending: String?) async throws {
        let stage = try await PhaseStage(
            MuseumSchema.self, "INSERT INTO room VALUES (1, 'Hall'); INSERT INTO wing (id, title) VALUES (1, 'East')")
        // Something is pending in each case.
        try stage.edit("UPDATE wing SET title = 'West'")
        if let edit = given.edit { try stage.edit(edit) }
        try await stage.merge(into: Room.self, policy: given.policy) { merge in
            let record = RecordReference(entity: try merge.entity("Room").index, key: RecordKey(1.databaseValue))
            let found = try #require(try merge.state.local?.resolveServerDelete(of: record))
            #expect("\(found)" == resolution)
        }
        #expect(try stage.pending().filter { $0.contains("Room") } == (pending.map { ["\($0) Room 1"] } ?? []))
    }

    @Test("M11 Waiting records get their unique values, the smallest first")
    func assignDeferredUniqueValues() async throws {
        let stage = try await PhaseStage(ShopSchema.self, "INSERT INTO tag VALUES (1, 'new')")
        try await stage.merge(into: Tag.self) { merge in
            try merge.stage(#"{"id": 2, "name": "new"}"#)
            try merge.writeRows()
            // A later batch frees the value.
            try merge.transaction.database.execute(sql: "UPDATE tag SET name = 'old' WHERE id = 1")
            try merge.run([AssignDeferredUniqueValues()])
            #expect(try merge.rows("SELECT * FROM tag ORDER BY id") == ["1 old", "2 new"])
        }
    }

    @Test("M12 A record whose unique value stays taken is skipped, and the merge starts again without it")
    func refuseUniqueValue() async throws {
        let stage = try await PhaseStage(ShopSchema.self, "INSERT INTO tag VALUES (1, 'new')")
        try await stage.merge(into: Tag.self) { merge in
            try merge.stage(#"{"id": 2, "name": "new"}"#)
            try merge.writeRows()
            #expect(throws: BeginAgain.self) { try AssignDeferredUniqueValues().run(merge.state) }
            let refusals = merge.state.retryHints.refusals(of: try merge.entity("Tag"))
            #expect(refusals?[Cell(integer: 2).fingerprint]?.reason == "another record has the same name")
        }
    }

    @Test("C2 A pending change without differences from the server's record is removed")
    func reconcileOutbox() async throws {
        let stage = try await PhaseStage(MuseumSchema.self, "INSERT INTO bench VALUES (1, 2, 'grey', NULL, NULL)")
        try stage.edit("UPDATE bench SET colour = 'blue'")
        try await stage.merge(into: Bench.self) { merge in
            try merge.stage(#"{"id": 1, "seats": 2, "colour": "blue"}"#)
            try merge.writeRows()
            try merge.run([ReconcileOutbox()])
        }
        #expect(try stage.pending().isEmpty)
    }

    @Test("M14 The summary contains the changes, and hooks receive it")
    func report() async throws {
        let stage = try await PhaseStage()
        let seen = Locked<[Int]>([])
        let customize = { (options: inout MergeOptions) in
            options.customizeMerge(
                of: Room.self,
                MergeCustomization(didMerge: { summary, _ in seen.withLock { $0.append(summary.inserted) } }))
        }
        try await stage.merge(into: Room.self, customize) { merge in
            try merge.stage(#"{"id": 1, "name": "Hall"}"#)
            try merge.writeRows()
            #expect(merge.state.summary == nil)
            try merge.run([Report()])
            #expect(merge.state.summary?.inserted == 1)
        }
        #expect(seen.withLock { $0 } == [1])
    }

    @Test("H1 Validators of entities whose records were deleted by cascades are removed")
    func forgetValidators() async throws {
        let stage = try await PhaseStage()
        try await stage.merge(into: Room.self) { merge in
            let database = merge.transaction.database
            for entity in ["Room", "Camera", "Wing"] {
                try ValidatorTable.keep(
                    ValidatorTable.Row(entityTag: "\"1\"", startedAt: nil, next: nil),
                    address: "https://example.com/\(entity)", of: entity, in: database)
            }
            let camera = try merge.entity("Camera")
            merge.transaction.record(
                .deleted, of: camera, fingerprint: Cell(integer: 1).fingerprint, key: RecordKey(1.databaseValue),
                isListed: false)
            try merge.run([Report(), ForgetValidators()])
            let kept = try ["Room", "Camera", "Wing"].filter {
                try ValidatorTable.find("https://example.com/\($0)", in: database) != nil
            }
            #expect(kept == ["Wing"])
        }
    }
}

/// The local changes of a record, and the policy that decides about it.
struct ServerDeleteCase: Sendable, CustomTestStringConvertible {
    let policy: ConflictPolicy
    let edit: String?

    var testDescription: String { "\(policy), \(edit ?? "not edited")" }
}
