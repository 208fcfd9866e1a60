import LinkSamples
import LockstepStore
import LockstepSync
import SchematicCapture
import Shop
import Testing

@Suite("R3 and R5 Lists and links changed locally")
struct ListConflictTests {
    // MARK: Many to many

    private static let tags = """
        INSERT INTO product (id, name) VALUES (1, 'A'), (2, 'B');
        INSERT INTO tag (id, name) VALUES (1, 'one'), (2, 'two'), (3, 'three'), (4, 'four');
        INSERT INTO product_tag VALUES (1, 1), (1, 2), (2, 1);
        """
    private static let productTags = "SELECT tag_id FROM product_tag WHERE product_id = 1 ORDER BY tag_id"
    private static let links = "SELECT source, destination, is_added FROM lockstep_outbox_link ORDER BY 1, 2"

    @Test("R3 Locally added members stay, and locally removed ones do not come back", arguments: [false, true])
    func manyToMany(serverWins: Bool) async throws {
        let shop = try ConflictStage(ShopSchema.self, serverWins ? .serverWins : .localChangesWin, Self.tags)
        try shop.edit(
            "INSERT INTO product_tag VALUES (1, 3); DELETE FROM product_tag WHERE product_id = 1 AND tag_id = 2")
        #expect(try shop.pending() == ["Product 1 update"])
        try await shop.merge(#"[{"id": 1, "tag_ids": [1, 2, 4]}]"#, into: Product.self)
        #expect(try shop.rows(Self.productTags) == ["1", "3", "4"])
        #expect(try shop.rows(Self.links) == ["1 2 0", "1 3 1"])
        #expect(try shop.pending() == ["Product 1 update"])
    }

    @Test("R3 If the server has the same members, nothing is pending")
    func confirmed() async throws {
        let shop = try ConflictStage(ShopSchema.self, .localChangesWin, Self.tags)
        try shop.edit(
            "INSERT INTO product_tag VALUES (1, 3); DELETE FROM product_tag WHERE product_id = 1 AND tag_id = 2")
        try await shop.merge(#"[{"id": 1, "images": [], "tag_ids": [1, 3]}]"#, into: Product.self)
        #expect(try shop.rows(Self.productTags) == ["1", "3"])
        #expect(try shop.rows(Self.links).isEmpty)
        #expect(try shop.pending().isEmpty)
    }

    @Test("R3 The result is the same from the other end")
    func otherEnd() async throws {
        let shop = try ConflictStage(ShopSchema.self, .localChangesWin, Self.tags)
        try shop.edit(
            "INSERT INTO product_tag VALUES (1, 3); DELETE FROM product_tag WHERE product_id = 1 AND tag_id = 2")
        try await shop.merge(
            #"[{"id": 2, "product_ids": [1]}, {"id": 3, "product_ids": []}, {"id": 1, "product_ids": [2]}]"#,
            into: Tag.self)
        #expect(try shop.rows(Self.productTags) == ["3"])
        #expect(try shop.rows(Self.links) == ["1 2 0", "1 3 1"])
    }

    @Test("R3 Local links and unlinks are kept in a store without a sync too")
    func withoutSync() async throws {
        let shop = try ConflictStage(ShopSchema.self, nil, Self.tags)
        try shop.edit(
            "INSERT INTO product_tag VALUES (1, 3); DELETE FROM product_tag WHERE product_id = 1 AND tag_id = 2")
        try await shop.merge(#"[{"id": 1, "tag_ids": [1, 2]}]"#, into: Product.self)
        #expect(try shop.rows(Self.productTags) == ["1", "3"])
        #expect(try shop.rows(Self.links) == ["1 2 0", "1 3 1"])
    }

    @Test("M8 The tags of one product: a tag removed locally does not come back, an added one stays")
    func scoped() async throws {
        let shop = try ConflictStage(ShopSchema.self, .localChangesWin, Self.tags)
        try shop.edit(
            "INSERT INTO product_tag VALUES (1, 3); DELETE FROM product_tag WHERE product_id = 1 AND tag_id = 2")
        try await shop.merge(
            #"[{"id": 2, "name": "two"}, {"id": 4, "name": "four"}]"#, into: Tag.self,
            scope: .children(of: 1, in: Product.Relationships.tags)
        ) { $0.records = .all }
        #expect(try shop.rows(Self.productTags) == ["3", "4"])
    }

    @Test("R3 In an ordered list, local additions come last, and the local order is kept")
    func orderedMany() async throws {
        let museum = try ConflictStage(
            MuseumSchema.self, .localChangesWin,
            """
            INSERT INTO room (id, name) VALUES (1, 'Hall');
            INSERT INTO guard (id, name) VALUES ('a', 'Ann'), ('b', 'Bob'), ('c', 'Cy'), ('d', 'Di');
            INSERT INTO room_guard VALUES (1, 'a', 0), (1, 'b', 1);
            """)
        try museum.edit(
            """
            UPDATE room_guard SET guards_position = 2 WHERE guard_id = 'a';
            INSERT INTO room_guard VALUES (1, 'c', 3);
            """)
        try await museum.merge(#"[{"id": 1, "guard_ids": ["a", "b", "d"]}]"#, into: Room.self)
        let guards = "SELECT guard_id FROM room_guard ORDER BY guards_position"
        #expect(try museum.rows(guards) == ["b", "a", "c", "d"])
        #expect(try museum.pending() == ["Room 1 update"])
    }

    // MARK: Lists that count as one value

    private static let visitors = """
        INSERT INTO room (id, name) VALUES (1, 'Hall');
        INSERT INTO guard (id, name) VALUES ('a', 'Ann'), ('b', 'Bob'), ('c', 'Cy');
        INSERT INTO room_guard VALUES (1, 'a', 0), (1, 'b', 1), (1, 'c', 2);
        INSERT INTO exhibit (id, title, room_id, exhibits_position) VALUES (1, 'Urn', 1, 0), (2, 'Vase', 1, 1);
        INSERT INTO repair (lockstep_id, text, recorded_at, exhibit_id) VALUES (1, 'glued', 0, 1);
        """

    private static func repair(_ text: String) -> String {
        #"{"text": "\#(text)", "recorded_at": "1970-01-01T00:00:00Z"}"#
    }

    @Test("C2 A list of records without identity that loses a conflict is noted", arguments: [false, true])
    func noteOfRecords(serverWins: Bool) async throws {
        let museum = try ConflictStage(
            MuseumSchema.self, serverWins ? .serverWins : .localChangesWin, Self.visitors)
        try museum.edit("INSERT INTO repair (lockstep_id, text, recorded_at, exhibit_id) VALUES (2, 'here', 0, 1)")
        let summary = try await museum.merge(
            #"[{"id": 1, "repairs": [\#(Self.repair("glued")), \#(Self.repair("there"))]}]"#, into: Exhibit.self)
        #expect(try museum.rows("SELECT text FROM repair").contains(serverWins ? "there" : "here"))
        let outcome = serverWins ? "the server's was taken" : "the local one was kept"
        #expect(
            summary.notes.map(\.text) == [
                "both sides have another list of repairs, which counts as one value: \(outcome)"
            ])
        #expect(summary.notes.map(\.code) == [.conflict] && summary.notes.map(\.record) == ["1"])
    }

    @Test("C2 A list that nobody has changed here, or that is the same, is not noted")
    func noNote() async throws {
        let museum = try ConflictStage(MuseumSchema.self, .localChangesWin, Self.visitors)
        try museum.edit("UPDATE exhibit SET title = 'Pot' WHERE id = 1")
        let there = #"[{"id": 1, "repairs": [\#(Self.repair("there"))]}]"#
        #expect(try await museum.merge(there, into: Exhibit.self).notes.isEmpty)
        try museum.edit("INSERT INTO repair (lockstep_id, text, recorded_at, exhibit_id) VALUES (9, 'here', 0, 2)")
        let same = #"[{"id": 2, "repairs": [\#(Self.repair("here"))]}]"#
        #expect(try await museum.merge(same, into: Exhibit.self).notes.isEmpty)
    }

    @Test("C2 An order that loses a conflict is noted, whichever end holds the key", arguments: [false, true])
    func noteOfOrder(serverWins: Bool) async throws {
        let museum = try ConflictStage(
            MuseumSchema.self, serverWins ? .serverWins : .localChangesWin, Self.visitors)
        try museum.edit(
            """
            UPDATE room_guard SET guards_position = 3 WHERE guard_id = 'a';
            UPDATE exhibit SET exhibits_position = 2 WHERE id = 1;
            """)
        let summary = try await museum.merge(
            #"[{"id": 1, "guard_ids": ["c", "b", "a"], "exhibit_ids": [1, 2]}]"#, into: Room.self)
        let outcome = serverWins ? "the server's was taken" : "the local one was kept"
        #expect(
            summary.notes.map(\.text).sorted() == [
                "both sides have another order of exhibits, which counts as one value: \(outcome)",
                "both sides have another order of guards, which counts as one value: \(outcome)",
            ])
    }

    // MARK: Children that hold the key

    private static let rooms = """
        INSERT INTO room (id, name) VALUES (1, 'Hall'), (2, 'Attic');
        INSERT INTO exhibit (id, title, room_id, exhibits_position) VALUES (1, 'Urn', 1, 0), (2, 'Vase', 1, 1),
            (3, 'Coin', 2, 0);
        """
    private static let exhibits = "SELECT id, room_id FROM exhibit ORDER BY id"

    @Test("R3 A record moved locally stays in its place, and the move is sent")
    func movedHere() async throws {
        let museum = try ConflictStage(MuseumSchema.self, .localChangesWin, Self.rooms)
        try museum.edit("UPDATE exhibit SET room_id = 2, exhibits_position = 1 WHERE id = 2")
        try await museum.merge(
            #"[{"id": 1, "exhibit_ids": [2, 1]}, {"id": 2, "exhibit_ids": [3]}]"#, into: Room.self)
        #expect(try museum.rows(Self.exhibits) == ["1 1", "2 2", "3 2"])
        #expect(try museum.pending().contains("Exhibit 2 update"))
        try await museum.merge(
            #"[{"id": 1, "exhibit_ids": [1]}, {"id": 2, "exhibit_ids": [3, 2]}]"#, into: Room.self)
        #expect(try museum.rows(Self.exhibits) == ["1 1", "2 2", "3 2"])
        #expect(try museum.rows("SELECT room_id FROM lockstep_base_exhibit") == ["2"])
    }

    @Test("R3 Moved to one room locally and to another on the server: the policy decides", arguments: [false, true])
    func movedOnBothSides(serverWins: Bool) async throws {
        let museum = try ConflictStage(
            MuseumSchema.self, serverWins ? .serverWins : .localChangesWin,
            Self.rooms + "INSERT INTO room (id, name) VALUES (3, 'Cellar')")
        try museum.edit("UPDATE exhibit SET room_id = 2 WHERE id = 1")
        try await museum.merge(#"[{"id": 3, "exhibit_ids": [1]}]"#, into: Room.self)
        #expect(try museum.rows("SELECT room_id FROM exhibit WHERE id = 1") == [serverWins ? "3" : "2"])
        #expect(try museum.rows("SELECT room_id FROM lockstep_base_exhibit") == ["3"])
    }

    @Test("R3 A key of two columns is one value: changed to one lender locally, to another on the server")
    func compositeKey() async throws {
        let museum = try ConflictStage(
            MuseumSchema.self, .serverWins,
            """
            INSERT INTO lender (country, number) VALUES ('DE', 1), ('DE', 2), ('FR', 1);
            INSERT INTO gift (id, title, lender_country, lender_number) VALUES (1, 'Urn', 'DE', 1), (2, 'Cup', 'DE', 1);
            """)
        try museum.edit(
            """
            UPDATE gift SET lender_country = 'FR', lender_number = 9 WHERE id = 1;
            UPDATE gift SET lender_country = NULL, lender_number = NULL WHERE id = 2;
            UPDATE lender SET name = 'Here' WHERE country = 'FR';
            """)
        try await museum.merge(
            #"[{"id": 1, "lender_country": "DE", "lender_number": 2}, {"id": 2, "title": "Mug"}]"#, into: Gift.self)
        #expect(try museum.rows("SELECT lender_country, lender_number FROM gift ORDER BY id") == ["DE 2", "- -"])
        try await museum.merge(#"[{"country": "FR", "number": 1, "name": "There"}]"#, into: Lender.self)
        #expect(try museum.rows("SELECT name FROM lender WHERE country = 'FR'") == ["There"])
        #expect(try museum.pending() == ["Gift 2 update"])
    }

    // MARK: Embedded

    private static let pictures = """
        INSERT INTO product (id, name) VALUES (1, 'A'), (2, 'B');
        INSERT INTO picture (id, url, product_id, images_position)
            VALUES (1, 'http://1', 1, 0), (2, 'http://2', 1, 1), (3, 'http://3', 2, 0);
        """

    @Test("R5 Pictures that were created, moved or reassigned locally keep their positions")
    func embedded() async throws {
        let shop = try ConflictStage(ShopSchema.self, .localChangesWin, Self.pictures)
        try shop.edit(
            """
            INSERT INTO picture (id, url, product_id, images_position) VALUES (9, 'http://9', 1, 2);
            UPDATE picture SET product_id = 1, images_position = 3 WHERE id = 3;
            UPDATE picture SET product_id = 2, images_position = 0 WHERE id = 2;
            """)
        try await shop.merge(
            """
            [{"id": 1, "images": [{"id": 1, "title": "first"}, {"id": 2, "title": "second"}]},
             {"id": 2, "images": [{"id": 3, "title": "third"}]}]
            """, into: Product.self)
        #expect(
            try shop.rows("SELECT id, title, product_id FROM picture ORDER BY id")
                == ["1 first 1", "2 second 2", "3 third 1", "9 - 1"])
        #expect(try shop.pending() == ["Picture 9 create", "Product 1 update", "Product 2 update"])
    }

    private static let plant = """
        INSERT INTO project (id, name, client, client_id) VALUES (1, 'Plant', 'Acme', 7);
        INSERT INTO job_sheet (id, name, project_id) VALUES (1, 'Pumps', 1), (2, 'Valves', 1);
        INSERT INTO component (id, component_id, job_sheet_id) VALUES (11, 'C-11', 1), (12, 'C-12', 1), (21, 'C-21', 2);
        """

    @Test("C3 A component edited locally that its sheet no longer lists is created again; its neighbor is deleted")
    func droppedEdit() async throws {
        let plant = try ConflictStage(SchematicCaptureSchema.self, .localChangesWin, Self.plant)
        try plant.edit("UPDATE component SET manufacturer = 'Here' WHERE id = 11")
        let summary = try await plant.merge(
            #"[{"id": 1, "jobsheet": [{"id": 1, "components": []}, {"id": 2}]}]"#, into: Project.self)
        #expect(summary[Component.self].deleted == 1)
        #expect(
            try plant.rows("SELECT id, manufacturer, job_sheet_id FROM component ORDER BY id") == [
                "11 Here 1", "21 - 2",
            ])
        #expect(try plant.pending() == ["Component 11 create"])
    }

    @Test("C3 If the server wins, both are deleted")
    func droppedEditServerWins() async throws {
        let plant = try ConflictStage(SchematicCaptureSchema.self, .serverWins, Self.plant)
        try plant.edit("UPDATE component SET manufacturer = 'Here' WHERE id = 11")
        let summary = try await plant.merge(
            #"[{"id": 1, "jobsheet": [{"id": 1, "components": []}, {"id": 2}]}]"#, into: Project.self)
        #expect(summary[Component.self].deleted == 2)
        #expect(try plant.pending().isEmpty)
    }

    @Test("R5 A sheet created locally stays in its project, and one deleted locally stays deleted")
    func sheets() async throws {
        let plant = try ConflictStage(SchematicCaptureSchema.self, .localChangesWin, Self.plant)
        try plant.edit(
            """
            INSERT INTO job_sheet (id, name, project_id) VALUES (9, 'Pipes', 1);
            DELETE FROM job_sheet WHERE id = 2;
            """)
        try await plant.merge(
            """
            [{"id": 1, "name": "Plant 1", "jobsheet": [{"id": 1, "name": "Pumps"},
              {"id": 2, "name": "There", "components": [{"id": 21, "componentId": "There"}]}]}]
            """, into: Project.self)
        #expect(try plant.rows("SELECT name FROM project") == ["Plant 1"])
        #expect(try plant.rows("SELECT id FROM job_sheet ORDER BY id") == ["1", "9"])
        #expect(try plant.rows("SELECT id FROM component ORDER BY id") == ["11", "12"])
        #expect(
            try plant.pending()
                == ["Component 21 delete", "JobSheet 2 delete", "JobSheet 9 create"])
    }

    @Test("M7 A sheet moved into the scope locally is not deleted")
    func movedIntoScope() async throws {
        let plant = try ConflictStage(
            SchematicCaptureSchema.self, .localChangesWin,
            Self.plant + "INSERT INTO project (id, name, client, client_id) VALUES (2, 'Mill', 'Acme', 7)")
        try plant.edit(
            "UPDATE job_sheet SET project_id = 2 WHERE id = 1; UPDATE job_sheet SET name = 'Here' WHERE id = 2")
        try await plant.merge(
            "[]", into: JobSheet.self, scope: .children(of: 2, in: Project.Relationships.jobSheets)
        ) { $0.records = .all }
        #expect(try plant.rows("SELECT id, project_id FROM job_sheet ORDER BY id") == ["1 2", "2 1"])
        #expect(try plant.pending() == ["JobSheet 1 update", "JobSheet 2 update"])
        try await plant.merge(
            #"[{"id": 1, "name": "Pumps", "status": "done"}, {"id": 2, "name": "Valves"}]"#, into: JobSheet.self,
            scope: .children(of: 1, in: Project.Relationships.jobSheets)
        ) { $0.records = .all }
        #expect(
            try plant.rows("SELECT id, status, project_id FROM job_sheet ORDER BY id") == [
                "1 done 2", "2 incomplete 1",
            ])
        try await plant.merge(
            "[]", into: JobSheet.self, scope: .children(of: 1, in: Project.Relationships.jobSheets)
        ) { $0.records = .all }
        #expect(try plant.pending() == ["JobSheet 1 update", "JobSheet 2 create"])
    }

    // MARK: Without identity

    private static let urn = """
        INSERT INTO exhibit (id, title) VALUES (1, 'Urn');
        INSERT INTO repair (lockstep_id, text, recorded_at, exhibit_id) VALUES (1, 'glued', 0, 1);
        """

    @Test("R6 Locally changed repairs stay with their exhibit until it is sent", arguments: [false, true])
    func owned(serverWins: Bool) async throws {
        let museum = try ConflictStage(MuseumSchema.self, serverWins ? .serverWins : .localChangesWin, Self.urn)
        try museum.edit("UPDATE repair SET text = 'glued twice'")
        #expect(try museum.pending() == ["Exhibit 1 update"])
        try await museum.merge(
            #"[{"id": 1, "title": "Urn", "repairs": [{"text": "glued", "recorded_at": "1970-01-01"}]}]"#,
            into: Exhibit.self)
        #expect(try museum.rows("SELECT text FROM repair") == [serverWins ? "glued" : "glued twice"])
        try await museum.merge(
            #"""
            [{"id": 1, "title": "Urn", "plaque": null, "visitors": [],
              "repairs": [{"text": "\#(serverWins ? "glued" : "glued twice")", "recorded_at": "1970-01-01"}]}]
            """#, into: Exhibit.self)
        #expect(try museum.pending().isEmpty)
    }

    @Test("R2 A locally created loan has no number yet: it is kept with its link")
    func local() async throws {
        let museum = try ConflictStage(
            MuseumSchema.self, .localChangesWin,
            """
            INSERT INTO room (id, name) VALUES (1, 'Hall');
            INSERT INTO loan (local_id, remote_id, title, room_id)
                VALUES ('00000000-0000-0000-0000-000000000001', 7, 'Urn', 1);
            """)
        try museum.edit(
            """
            INSERT INTO loan (local_id, title, room_id) VALUES ('00000000-0000-0000-0000-000000000002', 'Cup', 1);
            UPDATE loan SET title = 'Here' WHERE remote_id = 7;
            """)
        try await museum.merge(#"[{"id": 1, "loan_ids": []}]"#, into: Room.self)
        try await museum.merge(#"[{"id": 7, "title": "There"}]"#, into: Loan.self) { $0.records = .all }
        #expect(
            try museum.rows("SELECT remote_id, title, room_id FROM loan ORDER BY title") == ["- Cup 1", "7 Here -"])
        #expect(try museum.rows("SELECT title, room_id FROM lockstep_base_loan") == ["There -"])
    }
}
