import Foundation
import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import SchematicCapture
import Shop
import Testing
import TestSupport

@Suite("One transaction, any order, any split")
struct OrderTests {
    // MARK: M10

    @Test("M10 Many concurrent merges of one payload leave one set of records")
    func atOnce() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self)
        let json = #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]"#
        let screws =
            #"[{"id": "00000000-0000-0000-0000-00000000000A", "length": 1, "part_id": 2, "part": {"id": 3, "title": "c"}}]"#
        let inserted = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 {
                group.addTask { try await sink.mergeOnce(json, into: Part.self).inserted }
                group.addTask { try await sink.mergeOnce(screws, into: Screw.self).inserted }
            }
            return try await group.reduce(0, +)
        }
        #expect(inserted == 4)
        #expect(try sink.rows("SELECT remote_id FROM part ORDER BY 1") == ["1", "2", "3"])
        #expect(
            try sink.rows("SELECT p.remote_id FROM screw s JOIN part p ON p.local_id = s.part_id") == ["2"])
    }

    @Test(
        "M10 A merge that ends early changes nothing, whatever it has written",
        arguments: [
            #"[{"id": 1, "name": "X", "images": [{"id": 1, "url": "http://a"}]}, {"id": 2, "name": "B""#,
            #"[{"id": 1, "name": "X"}] x"#, #"[{"id": 1, "name": "X"},]"#, "", "[", #"{"id": 1, "name": "X""#,
        ])
    func notJSON(json: String) async throws {
        let shop = try RuleFixture(ShopSchema.self, "INSERT INTO product (id, name) VALUES (1, 'A'), (9, 'Z')")
        let error = await #expect(throws: MergeError.self) {
            try await shop.mergeOnce(json, into: Product.self) { $0.records = .all }
        }
        guard case .notJSON(let offset)? = error?.code else { Issue.record("\(String(describing: error))"); return }
        #expect(offset <= json.utf8.count)
        #expect(try shop.rows("SELECT id, name FROM product") == ["1 A", "9 Z"])
        #expect(try shop.rows("SELECT id FROM picture") == [])
    }

    @Test("M10 A dry run changes nothing and reports what it would do")
    func dryRun() async throws {
        let museum = try RuleFixture(MuseumSchema.self, "INSERT INTO exhibit (id, title) VALUES (1, 'a')")
        let json = #"[{"id": 1, "name": "Hall", "exhibit_ids": [1, 2], "loan_ids": [7], "guard_ids": ["x"]}]"#
        let tried = try await museum.mergeOnce(json, into: Room.self) { $0.isDryRun = true }
        #expect(tried.isDryRun && tried[Room.self].inserted == 1 && tried[Exhibit.self].updated == 1)
        #expect(try museum.rows("SELECT room_id FROM exhibit") == ["-"])
        #expect(try museum.rows("SELECT id FROM room") == [])
        try await museum.merge(json, into: Room.self)
        try await museum.merge(#"[{"id": 2, "title": "b"}]"#, into: Exhibit.self)
        #expect(try museum.rows("SELECT id, room_id FROM exhibit") == ["1 1", "2 1"])
    }

    // MARK: M11

    private static let museum: [String] = [
        #"{"id": 1, "title": "a", "room_id": 1, "maker": {"id": 1, "name": "M"}, "crate_id": 3, "visitors": [{"id": 1, "name": "v"}]}"#,
        #"{"id": 2, "title": "b", "maker_id": 1, "crate": {"id": 3, "size": "L"}, "repairs": [{"text": "r"}]}"#,
        #"{"id": 3, "title": "c", "room_id": null, "plaque": {"text": "p"}, "visitors": [{"id": 2, "name": "w"}, {"id": 1, "name": "v"}]}"#,
        #"{"id": 4, "title": "d", "lending": {"lender": {"country": "CH", "number": 1, "name": "n"}}}"#,
    ]

    @Test("M11 Any order of the records and any split into merges result in the same rows", arguments: 1...12)
    func shuffled(seed: Int) async throws {
        let reference = try RuleFixture(MuseumSchema.self)
        try await reference.merge("[" + Self.museum.joined(separator: ",") + "]", into: Exhibit.self)
        var random = SeededRandom(seed: UInt64(seed))
        let records = Self.museum.shuffled(using: &random)
        let cut = Int.random(in: 0...records.count, using: &random)
        let stage = try RuleFixture(MuseumSchema.self)
        for part in [records[..<cut], records[cut...]] where !part.isEmpty {
            try await stage.merge("[" + part.joined(separator: ",") + "]", into: Exhibit.self)
        }
        for sql in [
            "SELECT * FROM exhibit ORDER BY id", "SELECT * FROM maker", "SELECT * FROM crate",
            "SELECT * FROM exhibit_visitor ORDER BY 1, 2",
            "SELECT text, exhibit_id FROM repair", "SELECT text, exhibit_id FROM plaque", "SELECT * FROM lender",
            "SELECT * FROM visitor ORDER BY id",
        ] {
            #expect(try stage.rows(sql) == reference.rows(sql), "\(sql)")
        }
    }

    @Test("M11 Owners and lists, parents and children of several entities, merged in any order", arguments: 1...12)
    func entitiesInAnyOrder(seed: Int) async throws {
        let stage = try RuleFixture(MuseumSchema.self)
        var steps = [0, 1, 2, 3, 4]
        var random = SeededRandom(seed: UInt64(seed))
        steps.shuffle(using: &random)
        for step in steps {
            switch step {
            case 0:
                try await stage.merge(
                    #"[{"id": 1, "name": "Hall", "exhibit_ids": [2, 1], "loan_ids": [5], "guard_ids": ["a", "b"]}]"#,
                    into: Room.self)
            case 1: try await stage.merge(#"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]"#, into: Exhibit.self)
            case 2:
                try await stage.merge(
                    #"[{"id": 5, "title": "five", "holder_id": 6}, {"id": 6, "title": "six"}]"#, into: Loan.self)
            case 3: try await stage.merge(#"[{"id": "a", "name": "A", "room_ids": [1]}]"#, into: Guard.self)
            default: try await stage.merge(#"[{"id": 3, "label": "d", "room_id": 1}]"#, into: Door.self)
            }
        }
        #expect(try stage.rows("SELECT id, room_id FROM exhibit ORDER BY exhibits_position") == ["2 1", "1 1"])
        #expect(
            try stage.rows(
                "SELECT a.title, a.room_id, b.title FROM loan a LEFT JOIN loan b ON b.local_id = a.holder_id ORDER BY a.title"
            )
                == ["five 1 six", "six - -"])
        #expect(try stage.rows("SELECT room_id, guard_id FROM room_guard ORDER BY 2") == ["1 a", "1 b"])
        #expect(try stage.rows("SELECT id, room_id FROM door") == ["3 1"])
    }

    @Test("M11 The keys of a record can be in any order", arguments: 1...6)
    func keysInAnyOrder(seed: Int) async throws {
        var keys = [
            #""id": 1"#, #""title": "a""#, #""room_id": 2"#, #""maker_id": 7"#, #""maker": {"name": "M", "id": 8}"#,
            #""visitors": [{"name": "v", "id": 1}]"#, #""repairs": [{"text": "r"}]"#,
            #""lending": {"lender": {"number": 1, "country": "CH"}}"#,
        ]
        var random = SeededRandom(seed: UInt64(seed))
        keys.shuffle(using: &random)
        let stage = try RuleFixture(MuseumSchema.self)
        try await stage.merge("[{" + keys.joined(separator: ",") + "}]", into: Exhibit.self)
        #expect(
            try stage.rows("SELECT id, title, room_id, maker_id, lender_country, lender_number FROM exhibit") == [
                "1 a 2 7 CH 1"
            ])
        #expect(try stage.rows("SELECT exhibit_id, text FROM repair") == ["1 r"])
        #expect(try stage.rows("SELECT exhibit_id, visitor_id FROM exhibit_visitor") == ["1 1"])
    }
}
