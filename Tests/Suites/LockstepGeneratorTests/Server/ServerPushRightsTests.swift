import Foundation
import ServerTestSupport
import Testing

/// What Ben sends of Ann's records and scopes.
@Suite("The rights of pushes to a PostgreSQL server", .enabled(if: PostgreSQLServer.isWanted))
struct ServerPushRightsTests {
    private static let ann = PostgreSQLFeed.User.ann.rawValue
    private static let ben = PostgreSQLFeed.User.ben.rawValue

    /// Ann's record of an entity, and members with which Ben could create one of his own.
    private struct Sample: CustomTestStringConvertible, Sendable {
        let entity: String
        let (id, missing, members): (String, String, String)

        init(_ entity: String, id: String, missing: String = "\"\(uuid(99))\"", members: String) {
            (self.entity, self.id, self.missing, self.members) = (entity, id, missing, members)
        }

        var testDescription: String { entity }

        func change(_ operation: String, id: String) -> String {
            ServerPushRightsTests.change(operation, entity, id: id, members: operation == "delete" ? "" : members)
        }
    }

    private static let samples = [
        Sample("List", id: "\"\(uuid(1))\"", members: #""owner": "\#(ben)", "title": "Mine""#),
        Sample("Member", id: "\"\(uuid(2))\"", members: #""user": "\#(ben)", "list_id": "\#(uuid(11))""#),
        Sample("Task", id: "\"\(uuid(3))\"", members: #""title": "Mine", "labels": [], "list_id": "\#(uuid(11))""#),
        Sample("Comment", id: "\"\(uuid(4))\"", members: #""text": "Mine", "task_id": "\#(uuid(13))""#),
        Sample("Tag", id: "\"\(uuid(5))\"", members: #""name": "Mine", "list_id": "\#(uuid(11))""#),
        Sample("Profile", id: "6", missing: "99", members: #""user": "\#(ben)", "name": "Mine""#),
    ]

    private static func change(_ operation: String, _ entity: String, id: String, members: String) -> String {
        """
        {"key": "\(UUID().uuidString)", "op": "\(operation)", "entity": "\(entity)", "id": \(id), "members": {\(members)}}
        """
    }

    /// A server with records of both, one in each table.
    private struct Stage {
        let feed: PostgreSQLFeed
        let (owner, ben): (PostgreSQLSession, PostgreSQLSession)

        init() throws {
            feed = try .lists()
            (owner, ben) = (try feed.session(), try feed.session(of: .ben))
            try owner.rows(
                """
                \(ServerRightsTests.records)
                INSERT INTO list VALUES ('\(uuid(11))', '\(ServerPushRightsTests.ben)', 'Mine');
                INSERT INTO member VALUES ('\(uuid(12))', '\(ServerPushRightsTests.ben)', NULL, '\(uuid(11))');
                INSERT INTO task (id, title, labels, list_id) VALUES ('\(uuid(13))', 'Mine', '[]', '\(uuid(11))');
                INSERT INTO comment VALUES ('\(uuid(14))', 'Mine', '\(uuid(13))');
                INSERT INTO tag VALUES ('\(uuid(15))', 'Mine', '\(uuid(11))');
                INSERT INTO profile VALUES (16, '\(ServerPushRightsTests.ben)', 'Ben');
                """)
        }

        /// The response to a change, without its key.
        func response(to change: String) throws -> [String: Any] {
            let text = "SELECT lockstep_push('[\(change)]')"
            let body = Data(try ben.rows(text).joined().utf8)
            let json = try JSONSerialization.jsonObject(with: body) as? [String: [[String: Any]]]
            var response = try #require(json?["responses"]?.first)
            response["key"] = nil
            return response
        }

        /// Everything in the database.
        func rows() throws -> [String] {
            let tables = try owner.rows(
                """
                SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
                    ORDER BY 1;
                """)
            return try tables.flatMap { try owner.rows("SELECT '\($0)', r FROM \"\($0)\" r ORDER BY r::text;") }
        }
    }

    @Test("A record of others is changed and deleted as one that does not exist", arguments: samples)
    private func others(sample: Sample) throws {
        let stage = try Stage()
        let before = try stage.rows()
        for operation in ["update", "delete"] {
            let response = try stage.response(to: sample.change(operation, id: sample.id))
            #expect(response["status"] as? Int == 404)
            let missing = try stage.response(to: sample.change(operation, id: sample.missing))
            #expect(NSDictionary(dictionary: response) == NSDictionary(dictionary: missing))
        }
        #expect(try stage.rows() == before)
    }

    @Test("The identity of a record of others is in use, and nothing else is told of it", arguments: samples)
    private func taken(sample: Sample) throws {
        let stage = try Stage()
        let before = try stage.rows()
        let response = try stage.response(to: sample.change("create", id: sample.id))
        #expect(response["status"] as? Int == 409)
        #expect(response["record"] == nil && response["version"] == nil)
        #expect(!"\(response)".contains("Secret") && !"\(response)".contains(Self.ann))
        #expect(try stage.rows() == before)
    }

    /// An entity, an own record, and members that refer to a scope or a record of Ann.
    private static let plants: [(entity: String, id: String, members: String)] = [
        ("List", "\"\(uuid(11))\"", #""task_ids": ["\#(uuid(3))"]"#),
        ("Member", "\"\(uuid(12))\"", #""user": "\#(ben)", "list_id": "\#(uuid(1))""#),
        ("Task", "\"\(uuid(13))\"", #""title": "x", "labels": [], "list_id": "\#(uuid(1))""#),
        ("Task", "\"\(uuid(13))\"", #""tag_ids": ["\#(uuid(5))"]"#),
        ("Comment", "\"\(uuid(14))\"", #""text": "x", "task_id": "\#(uuid(3))""#),
        ("Tag", "\"\(uuid(15))\"", #""name": "x", "list_id": "\#(uuid(1))""#),
        ("Tag", "\"\(uuid(15))\"", #""task_ids": ["\#(uuid(3))"]"#),
        ("Profile", "16", #""user": "\#(ann)", "name": "x""#),
    ]

    @Test("Nothing gets into a scope of others, or refers to their records", arguments: plants.indices)
    func planting(index: Int) throws {
        let (entity, id, members) = Self.plants[index]
        let stage = try Stage()
        let before = try stage.rows()
        for (operation, id) in [("update", id), ("create", entity == "Profile" ? "98" : "\"\(uuid(98))\"")] {
            let change = Self.change(operation, entity, id: id, members: members)
            let status = try #require(try stage.response(to: change)["status"] as? Int)
            #expect([403, 422, 424].contains(status), "\(operation): \(status)")
        }
        #expect(try stage.rows() == before)
    }

    @Test("Nobody pushes without a token")
    func anonymous() throws {
        let stage = try Stage()
        let before = try stage.rows()
        let anonymous = try stage.feed.session(of: nil)
        for sample in Self.samples {
            #expect(throws: CommandFailure.self) {
                try anonymous.rows("SELECT lockstep_push('[\(sample.change("create", id: sample.missing))]')")
            }
        }
        #expect(try stage.rows() == before)
    }

    @Test(
        "A member who has left pushes nothing", arguments: samples.filter { $0.entity == "Task" || $0.entity == "Tag" })
    private func formerMember(sample: Sample) throws {
        let stage = try Stage()
        let member = sample.entity == "Task" ? #""title": "Ours""# : #""name": "Ours""#
        func update() throws -> [String: Any] {
            try stage.response(to: Self.change("update", sample.entity, id: sample.id, members: member))
        }
        try stage.owner.rows("INSERT INTO member VALUES ('\(uuid(7))', '\(Self.ben)', NULL, '\(uuid(1))');")
        #expect(try update()["status"] as? Int == 200)
        try stage.owner.rows("DELETE FROM member WHERE id = '\(uuid(7))';")
        let before = try stage.rows()
        let response = try update()
        #expect(response["status"] as? Int == 404)
        #expect(response["record"] == nil)
        #expect(try stage.rows() == before)
    }
}
