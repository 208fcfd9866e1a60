import Foundation
import LockstepSchema
import ServerTestSupport
import Testing

@Suite("The rights on a PostgreSQL server", .enabled(if: PostgreSQLServer.isWanted))
struct ServerRightsTests {
    private static let tables = ["list", "member", "task", "comment", "tag", "task_tag", "profile"]

    /// Ann's records, one in each table.
    static let records = """
        INSERT INTO list VALUES ('\(uuid(1))', '\(PostgreSQLFeed.User.ann.rawValue)', 'Diary');
        INSERT INTO member VALUES ('\(uuid(2))', '\(PostgreSQLFeed.User.ann.rawValue)', NULL, '\(uuid(1))');
        INSERT INTO task (id, title, labels, list_id) VALUES ('\(uuid(3))', 'Secret', '[]', '\(uuid(1))');
        INSERT INTO comment VALUES ('\(uuid(4))', 'Secret', '\(uuid(3))');
        INSERT INTO tag VALUES ('\(uuid(5))', 'Secret', '\(uuid(1))');
        INSERT INTO task_tag VALUES ('\(uuid(3))', '\(uuid(5))');
        INSERT INTO profile VALUES (6, '\(PostgreSQLFeed.User.ann.rawValue)', 'Ann');
        INSERT INTO country VALUES (49, 'DE', 'Germany');
        """

    @Test("A user sees nothing of another one's records, and changes none", arguments: tables)
    func otherUser(table: String) throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ben) = (try feed.session(), try feed.session(of: .ben))
        try admin.rows(Self.records)
        let before = try admin.rows("SELECT * FROM \(table);")
        #expect(try ben.rows("SELECT * FROM \(table);") == [])
        let column = table == "task_tag" ? "tag_id" : table == "task" ? "title" : "id"
        try ben.rows("UPDATE \(table) SET \(column) = \(column);")
        try ben.rows("DELETE FROM \(table);")
        #expect(throws: CommandFailure.self, "a copy of Ann's row") {
            try ben.rows("INSERT INTO \(table) SELECT (r).* FROM (SELECT '\(before[0].row)'::\(table) AS r) x;")
        }
        #expect(try admin.rows("SELECT * FROM \(table);") == before)
    }

    @Test("Nobody replaces another one's record by an upsert of PostgREST, or plants one", arguments: tables)
    func upsert(table: String) throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ben) = (try feed.session(), try feed.session(of: .ben))
        try admin.rows(Self.records)
        let before = try admin.rows("SELECT * FROM \(table);")
        let key = table == "task_tag" ? "task_id, tag_id" : "id"
        let column = table == "task_tag" ? "tag_id" : "id"
        let row = "INSERT INTO \(table) SELECT (r).* FROM (SELECT '\(before[0].row)'::\(table) AS r) x"
        for resolution in ["UPDATE SET \(column) = excluded.\(column)", "NOTHING"] {
            #expect(throws: CommandFailure.self) { try ben.rows("\(row) ON CONFLICT (\(key)) DO \(resolution);") }
        }
        #expect(try admin.rows("SELECT * FROM \(table);") == before)
    }

    @Test("Without a token, nothing of a user is seen or written", arguments: tables)
    func anonymous(table: String) throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, anonymous) = (try feed.session(), try feed.session(of: nil))
        try admin.rows(Self.records)
        let before = try admin.rows("SELECT * FROM \(table);")
        #expect(try anonymous.rows("SELECT * FROM \(table);") == [])
        let column = table == "task_tag" ? "tag_id" : "id"
        let writes = [
            "UPDATE \(table) SET \(column) = \(column);", "DELETE FROM \(table);",
            "INSERT INTO \(table) SELECT (r).* FROM (SELECT '\(before[0].row)'::\(table) AS r) x;",
        ]
        for write in writes { #expect(throws: CommandFailure.self) { try anonymous.rows(write) } }
        #expect(try admin.rows("SELECT * FROM \(table);") == before)
    }

    @Test("What a user reads is found by the index of the scope")
    func index() throws {
        let feed = try PostgreSQLFeed.lists()
        let ben = try feed.session(of: .ben)
        let plan = try ben.rows("SET enable_seqscan = off; EXPLAIN SELECT * FROM task;").joined(separator: "\n")
        #expect(plan.contains("Index Cond: (list_id = ANY"))
    }

    @Test("Nobody plants a record in another one's list", arguments: ["list_id", "task_id"])
    func planting(column: String) throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ben) = (try feed.session(), try feed.session(of: .ben))
        try admin.rows(Self.records)
        try admin.rows(
            """
            INSERT INTO list VALUES ('\(uuid(11))', '\(PostgreSQLFeed.User.ben.rawValue)', 'Mine');
            INSERT INTO task (id, title, labels, list_id) VALUES ('\(uuid(13))', 'Mine', '[]', '\(uuid(11))');
            INSERT INTO comment VALUES ('\(uuid(14))', 'Mine', '\(uuid(13))');
            """)
        let (table, target) = column == "list_id" ? ("task", uuid(1)) : ("comment", uuid(3))
        #expect(throws: CommandFailure.self) { try ben.rows("UPDATE \(table) SET \(column) = '\(target)';") }
    }

    @Test("A member writes tasks, and only the owner members")
    func members() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ben) = (try feed.session(), try feed.session(of: .ben))
        try admin.rows(Self.records)
        try admin.rows(
            "INSERT INTO member VALUES ('\(uuid(7))', '\(PostgreSQLFeed.User.ben.rawValue)', NULL, '\(uuid(1))');")
        #expect(try ben.rows("UPDATE task SET done = TRUE RETURNING title;") == ["Secret"])
        #expect(try ben.rows("DELETE FROM member RETURNING id;") == [])
        #expect(throws: CommandFailure.self) {
            try ben.rows(
                "INSERT INTO member VALUES ('\(uuid(8))', '\(PostgreSQLFeed.User.ben.rawValue)', NULL, '\(uuid(1))');")
        }
    }

    @Test("A member does not take a list over, and its owner gives it away")
    func owners() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ann, ben) = (try feed.session(), try feed.session(of: .ann), try feed.session(of: .ben))
        try admin.rows(Self.records)
        try admin.rows(
            "INSERT INTO member VALUES ('\(uuid(7))', '\(PostgreSQLFeed.User.ben.rawValue)', NULL, '\(uuid(1))');")
        let takeover = "UPDATE list SET owner = '\(PostgreSQLFeed.User.ben.rawValue)' RETURNING title;"
        #expect(throws: CommandFailure.self) { try ben.rows(takeover) }
        #expect(try ben.rows("UPDATE list SET title = 'Ours' RETURNING title;") == ["Ours"])
        #expect(try ann.rows(takeover) == ["Ours"])
    }

    @Test("Nobody links to a record that is not theirs, so that it changes or cannot be deleted")
    func foreignLinks() throws {
        let text = """
            lockstep: 1
            schema: Notes
            entities:
              Folder:
                scope: user
                attributes: { id: uuid, user: uuid }
                relationships: { notes: { to: [Note], inverse: folder, wire: ids, onDelete: deny } }
              Note:
                scope: user
                attributes: { id: uuid, user: uuid }
                relationships: { folder: { to: Folder?, inverse: notes } }
            """
        let reading = readSchemas([SchemaSource(path: "Notes.yaml", bytes: Array(text.utf8))])
        let feed = try PostgreSQLFeed(try #require(reading.schemas.first))
        let (admin, ben) = (try feed.session(), try feed.session(of: .ben))
        try admin.rows("INSERT INTO folder VALUES ('\(uuid(1))', '\(PostgreSQLFeed.User.ann.rawValue)');")
        let note =
            "INSERT INTO note (id, \"user\", folder_id) VALUES ('\(uuid(2))', '\(PostgreSQLFeed.User.ben.rawValue)', "
        let foreign = #expect(throws: CommandFailure.self) { try ben.rows(note + "'\(uuid(1))');") }
        let missing = #expect(throws: CommandFailure.self) { try ben.rows(note + "'\(uuid(9))');") }
        #expect(foreign?.output == missing?.output)
        try ben.rows(note + "NULL);")
    }

    @Test("What is public is read by everybody, and written by nobody", arguments: [PostgreSQLFeed.User.ben, nil])
    func publicRecords(user: PostgreSQLFeed.User?) throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, session) = (try feed.session(), try feed.session(of: user))
        try admin.rows(Self.records)
        #expect(try session.rows("SELECT name FROM country;") == ["Germany"])
        _ = try? session.rows("UPDATE country SET name = 'x';")
        #expect(throws: CommandFailure.self) { try session.rows("INSERT INTO country VALUES (33, 'FR', 'France');") }
        let reader = FeedReader(session)
        try reader.pull()
        #expect(Array(reader.records.keys) == ["Country 49DE"])
        #expect(try admin.rows("SELECT name FROM country;") == ["Germany"])
    }

    @Test("The tables and functions of the server itself are its owner's")
    func serverObjects() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ben) = (try feed.session(), try feed.session(of: .ben))
        let relations = try admin.rows(
            """
            SELECT c.relname FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace
                AND c.relkind IN ('r', 'v', 'S') AND starts_with(c.relname, 'lockstep_');
            """)
        #expect(relations.count == 5)
        for relation in relations {
            #expect(throws: CommandFailure.self, "\(relation)") { try ben.rows(#"SELECT * FROM "\#(relation)";"#) }
        }
        let allowed = try admin.rows(
            """
            SELECT p.proname FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
                AND has_function_privilege('authenticated', p.oid, 'EXECUTE') ORDER BY 1;
            """)
        #expect(
            Set(allowed) == [
                "lockstep_changes", "lockstep_push", "lockstep_record", "lockstep_user", "lockstep_user_uuid",
                "lockstep_readable",
                "lockstep_writable", "lockstep_claim", "lockstep_groups", "lockstep_present",
                "lockstep_version", "lockstep_lock", "lockstep_text", "lockstep_array", "lockstep_problem",
                "lockstep_timestamp", "lockstep_day",
                "lockstep_list_apply", "lockstep_member_apply", "lockstep_task_apply",
                "lockstep_comment_apply", "lockstep_tag_apply", "lockstep_profile_apply", "lockstep_country_apply",
                "lockstep_list_writer", "lockstep_member_writer",
            ])
    }
}

extension String {
    /// Values that `psql` has joined by `|`, as the text of a row.
    fileprivate var row: String {
        "("
            + split(separator: "|", omittingEmptySubsequences: false).map { value in
                value.isEmpty ? "" : "\"\(value)\""
            }.joined(separator: ",") + ")"
    }
}
