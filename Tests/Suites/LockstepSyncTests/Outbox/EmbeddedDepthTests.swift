import Foundation
import LockstepStore
import LockstepSync
import RuntimeTestSupport
import Testing

@Suite("P1 R9 A change of an embedded record is a change of its owner, through any number of owners")
struct EmbeddedDepthTests {
    private let stage: OutboxStage

    init() throws { stage = try OutboxStage(Threads.self) }

    // MARK: Trees

    @Test("P1 R9 Edits, new replies and deletes at any depth", arguments: [1, 3, 4, 5, 6, 7, 40])
    func depth(_ depth: Int) throws {
        try stage.seed(Threads.seed(41))
        for sql in [
            "UPDATE reply SET text = 'new' WHERE local_id = 'r\(depth)'",
            "INSERT INTO reply VALUES ('more', NULL, 'text', NULL, 'r\(depth)', NULL)",
            "DELETE FROM reply WHERE local_id = 'more'", "DELETE FROM reply WHERE local_id = 'r\(depth)'",
        ] {
            try stage.run(sql)
            #expect(try stage.changes() == ["update Topic 1"], "\(sql)")
            #expect(try stage.base("topic") == ["1 \"one\""])
            #expect(try stage.strings("SELECT is_touched FROM lockstep_outbox WHERE entity = 'Topic'") == ["1"])
            try stage.confirmAll()
        }
        #expect(try stage.strings("SELECT COUNT(*) FROM reply") == ["\(depth - 1)"])
    }

    @Test("P1 R9 A reply that moves changes both its old and its new topic")
    func moved() throws {
        try stage.seed(Threads.seed(12))
        try stage.seed("INSERT INTO reply VALUES ('other', 90, 'text', 2, NULL, NULL)")
        try stage.run("UPDATE reply SET parent_id = 'other' WHERE local_id = 'r8'")
        #expect(try stage.changes().sorted() == ["update Topic 1", "update Topic 2"])
    }

    @Test("P1 R9 Quoted and noted replies are embedded too: the owner's foreign keys and join tables are followed")
    func otherLinks() throws {
        try stage.seed(Threads.seed(8))
        try stage.seed(
            """
            INSERT INTO reply VALUES ('quoted', 50, 'text', NULL, NULL, NULL), ('noted', 51, 'text', NULL, NULL, NULL);
            UPDATE reply SET quote_id = 'quoted' WHERE local_id = 'r8';
            INSERT INTO reply_note VALUES ('quoted', 'noted');
            """)
        for reply in ["quoted", "noted"] {
            try stage.run("UPDATE reply SET text = 'new' WHERE local_id = '\(reply)'")
            #expect(try stage.changes() == ["update Topic 1"], "\(reply)")
            try stage.confirmAll()
        }
        try stage.run("DELETE FROM reply_note")
        #expect(try stage.changes() == ["update Topic 1"])
    }

    @Test("P1 A cycle of owners terminates, with and without a topic above it")
    func rings() throws {
        try stage.seed(Threads.seed(6))
        try stage.seed(
            """
            INSERT INTO reply VALUES ('a', 60, 'text', NULL, 'b', NULL), ('b', 61, 'text', NULL, 'a', NULL);
            UPDATE reply SET quote_id = 'r6' WHERE local_id = 'r1'; UPDATE reply SET quote_id = 'r1' WHERE local_id = 'r6';
            """)
        try stage.run("UPDATE reply SET text = 'new' WHERE local_id = 'a'")
        #expect(try stage.changes() == [])
        try stage.run("UPDATE reply SET text = 'new' WHERE local_id = 'r6'")
        #expect(try stage.changes() == ["update Topic 1"])
    }

    @Test("R10 A record deleted inside a cycle of owners does not hang")
    func deletedInRing() async throws {
        try stage.seed(Threads.seed(2))
        try stage.seed(
            """
            INSERT INTO reply VALUES ('a', 60, 'text', NULL, 'b', NULL), ('b', 61, 'text', NULL, 'a', NULL),
                ('c', 62, 'text', NULL, 'a', NULL);
            """)
        try stage.run("DELETE FROM reply WHERE local_id = 'c'; UPDATE topic SET name = 'new' WHERE id = 1")
        #expect(try stage.strings("SELECT record FROM lockstep_outbox WHERE change = 2") == ["c"])
        let json = Data(#"[{"id": 1, "name": "one", "replies": [{"id": 1, "text": "theirs"}]}]"#.utf8)
        try await stage.store.merge(json, into: Word<Threads.Topics>.self)
        #expect(try stage.strings("SELECT COUNT(*) FROM reply") == ["4"])
        #expect(try stage.changes() == ["update Topic 1"])
    }

    // MARK: Many entities

    @Test("P1 R9 Any number of entities between a record and the root that is sent", arguments: 1...7)
    func manyEntities(_ depth: Int) throws {
        let stage = try OutboxStage(Boxes.self)
        try stage.seed("INSERT INTO box0 VALUES (1, 'box'), (2, 'box')")
        for place in 1..<8 { try stage.seed("INSERT INTO box\(place) VALUES (1, 'box', 1), (2, 'box', 2)") }
        try stage.run("UPDATE box\(depth) SET name = 'new' WHERE id = 2")
        #expect(try stage.changes() == ["update Box0 2"])
        try stage.confirmAll()
        try stage.run("DELETE FROM box\(depth) WHERE id = 1")
        #expect(try stage.changes() == ["update Box0 1"])
    }

    @Test("R9 C2 The next pull keeps edits of deeply embedded records")
    func pulled() async throws {
        func topic(_ text: JSONValue) throws -> Data {
            let deep = (2...7).reversed().reduce(["id": 8, "text": text, "replies": []] as JSONValue) {
                ["id": .integer(Int64($1)), "text": "text", "replies": [$0]]
            }
            return Data(try JSONValue.array([["id": 1, "name": "one", "replies": [deep]]]).json())
        }
        try await stage.store.merge(topic("old"), into: Word<Threads.Topics>.self)
        try stage.run("UPDATE reply SET text = 'new' WHERE remote_id = 8")
        try await stage.store.merge(topic("old"), into: Word<Threads.Topics>.self)
        #expect(try stage.strings("SELECT text FROM reply WHERE remote_id = 8") == ["new"])
        #expect(try stage.changes() == ["update Topic 1"])
    }
}
