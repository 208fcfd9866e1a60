import Foundation
import LockstepGenerator
import ServerTestSupport
import TestSupport
import Testing

@Suite("The feed of a PostgreSQL server", .enabled(if: PostgreSQLServer.isWanted))
struct ServerFeedTests {
    private static let ann = PostgreSQLFeed.User.ann.rawValue
    private static let ben = PostgreSQLFeed.User.ben.rawValue
    private static let list = "INSERT INTO list VALUES ('\(uuid(1))', '\(ann)', 'Shopping');"

    private static func tasks(_ numbers: ClosedRange<Int>, list: Int = 1) -> String {
        let rows = numbers.map { "('\(uuid($0))', 'Task \($0)', '[]', '\(uuid(list))')" }.joined(separator: ", ")
        return "INSERT INTO task (id, title, labels, list_id) VALUES \(rows);"
    }

    @Test("A transaction that ends after a later one is not missed")
    func gap() throws {
        let feed = try PostgreSQLFeed.lists()
        #expect(try Self.missedAfterGap(in: feed) == [])
    }

    @Test("Without the lock of the scope, it is missed")
    func gapMutant() throws {
        let feed = try PostgreSQLFeed.lists(mutate: PostgreSQLFeed.withoutLocks)
        #expect(try Self.missedAfterGap(in: feed) == [uuid(11)])
    }

    /// Two writers, of which the first ends last, and a reader between their ends. They write tags, which only the lock
    /// of the scope keeps apart.
    ///
    /// - Returns: The tags that the reader has not received at the end.
    private static func missedAfterGap(in feed: PostgreSQLFeed) throws -> [String] {
        let (first, second) = (try feed.session(), try feed.session())
        let reader = FeedReader(try feed.session(of: .ann))
        try first.rows(list)
        try reader.pull()
        try first.rows("BEGIN; INSERT INTO tag VALUES ('\(uuid(11))', 'First', '\(uuid(1))');")
        try second.sendAndWait(
            "INSERT INTO tag VALUES ('\(uuid(12))', 'Second', '\(uuid(1))');", observer: try feed.session())
        try reader.pull()
        first.send("COMMIT;")
        _ = try (first.received(), second.received())
        try reader.pull()
        return [uuid(11), uuid(12)].filter { !reader.identities(of: "Tag").contains($0) }
    }

    @Test("Pages of any size have every change once, also of one statement", arguments: [1, 2, 3, 1000])
    func pages(size: Int) throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, reader) = (try feed.session(), FeedReader(try feed.session(of: .ann)))
        try admin.rows(Self.list + Self.tasks(11...17))
        while try reader.readPage(size) {}
        #expect(reader.identities(of: "Task") == (11...17).map(uuid))
        try admin.rows("UPDATE task SET done = TRUE; DELETE FROM task WHERE id = '\(uuid(13))';")
        while try reader.readPage(size) {}
        #expect(reader.identities(of: "Task") == (11...17).filter { $0 != 13 }.map(uuid))
        #expect(reader.records.filter { $0.key.hasPrefix("Task") }.allSatisfy { $0.value.json["done"] == "1" })
    }

    @Test("A statement that changes nothing is no change")
    func noChange() throws {
        let feed = try PostgreSQLFeed.lists()
        let admin = try feed.session()
        try admin.rows(Self.list + Self.tasks(11...12))
        let before = try admin.rows("SELECT * FROM lockstep_change ORDER BY n;")
        try admin.rows("UPDATE task SET title = title; DELETE FROM task WHERE FALSE;")
        #expect(try admin.rows("SELECT * FROM lockstep_change ORDER BY n;") == before)
    }

    @Test("A record that moves takes those with it that are in its scope, and is deleted for who does not follow")
    func moves() throws {
        let feed = try PostgreSQLFeed.lists()
        let admin = try feed.session()
        let (ann, ben) = (FeedReader(try feed.session(of: .ann)), FeedReader(try feed.session(of: .ben)))
        try admin.rows(
            """
            \(Self.list) INSERT INTO list VALUES ('\(uuid(2))', '\(Self.ann)', 'Secret');
            INSERT INTO member VALUES ('\(uuid(3))', '\(Self.ben)', NULL, '\(uuid(1))');
            \(Self.tasks(11...12)) INSERT INTO comment VALUES ('\(uuid(21))', 'Milk?', '\(uuid(11))');
            """)
        for reader in [ann, ben] {
            try reader.pull()
            #expect(reader.identities(of: "Comment") == [uuid(21)])
        }
        try admin.rows("UPDATE task SET list_id = '\(uuid(2))' WHERE id = '\(uuid(11))';")
        for reader in [ann, ben] { try reader.pull() }
        #expect(ben.identities(of: "Task") == [uuid(12)])
        #expect(ben.identities(of: "Comment") == [])
        #expect(ann.records["Task \(uuid(11))"]?.scope == "list/\(uuid(2))")
        #expect(ann.records["Comment \(uuid(21))"]?.scope == "list/\(uuid(2))")
        #expect(ann.records["List \(uuid(1))"]?.json["task_ids"]?.contains(uuid(11)) == false)
        // A device that begins now has the same.
        let late = FeedReader(try feed.session(of: .ann))
        try late.pull()
        #expect(late.records.mapValues(\.json) == ann.records.mapValues(\.json))
    }

    @Test("A first read leaves out what was deleted before, and has what is deleted in the meantime")
    func firstRead() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, reader) = (try feed.session(), FeedReader(try feed.session(of: .ann)))
        try admin.rows(Self.list + Self.tasks(11...15) + "DELETE FROM task WHERE id = '\(uuid(11))';")
        #expect(try reader.readPage(3))
        try admin.rows("DELETE FROM task WHERE id IN ('\(uuid(12))', '\(uuid(13))', '\(uuid(14))');")
        try reader.pull(pageSize: 1)
        #expect(reader.identities(of: "Task") == [uuid(15)])
    }

    @Test("Who becomes a member reads all of a list, and who leaves loses it")
    func membership() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ben) = (try feed.session(), FeedReader(try feed.session(of: .ben)))
        try admin.rows(Self.list + Self.tasks(11...12))
        try ben.pull()
        #expect(ben.records.isEmpty)
        try admin.rows(
            "INSERT INTO member VALUES ('\(uuid(3))', '\(Self.ben)', NULL, '\(uuid(1))');")
        try ben.pull()
        #expect(ben.identities(of: "Task") == [uuid(11), uuid(12)])
        try admin.rows("DELETE FROM member;")
        try ben.pull()
        #expect(ben.lost == ["list/\(uuid(1))"])
        #expect(ben.records.isEmpty)
    }

    @Test("A device that was away longer than deletions are kept reads everything again, and so do all after a restore")
    func expiry() throws {
        let feed = try PostgreSQLFeed.lists()
        let admin = try feed.session()
        let (away, present) = (FeedReader(try feed.session(of: .ann)), FeedReader(try feed.session(of: .ann)))
        try admin.rows(Self.list + Self.tasks(11...12))
        try away.pull()
        try admin.rows("DELETE FROM task WHERE id = '\(uuid(11))';")
        try present.pull()
        try admin.rows("UPDATE lockstep_change SET gone = gone - interval '91 days'; SELECT lockstep_expire(90);")
        try away.pull()
        try present.pull()
        #expect(away.isExpired)
        #expect(!present.isExpired)
        try admin.rows("SELECT lockstep_restored();")
        try present.pull()
        #expect(present.isExpired)
    }

    /// Devices know them from responses, even if the feed has not brought them yet.
    @Test("After a restore, no number of the time that was lost is given again")
    func lostNumbers() throws {
        let admin = try PostgreSQLFeed.lists().session()
        let last = "SELECT max(n) FROM lockstep_change;"
        try admin.rows(Self.list + Self.tasks(11...12))
        let saved = try #require(try admin.rows(last).first)
        try admin.rows(Self.tasks(13...19))
        let lost = try #require(try admin.rows(last).first.flatMap { Int64($0) })
        try admin.rows(
            """
            BEGIN; SET LOCAL session_replication_role = replica;
            DELETE FROM task WHERE id >= '\(uuid(13))'; DELETE FROM lockstep_change WHERE n > \(saved); COMMIT;
            SELECT setval('lockstep_number', \(saved)); SELECT lockstep_restored();
            """)
        try admin.rows("UPDATE task SET title = 'new';")
        let numbers = try admin.rows("SELECT min(n) FROM lockstep_change WHERE entity = 'Task';")
        #expect(try #require(numbers.first.flatMap { Int64($0) }) > lost)
    }

    @Test("A scope whose last deletion has expired is read once, in pages of any size", arguments: [1, 1000])
    func expiredEnd(size: Int) throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, reader) = (try feed.session(), FeedReader(try feed.session(of: .ann)))
        try admin.rows(Self.list + Self.tasks(11...13) + "DELETE FROM task WHERE id = '\(uuid(13))';")
        try admin.rows("UPDATE lockstep_change SET gone = gone - interval '91 days'; SELECT lockstep_expire(90);")
        try reader.pull(pageSize: size)
        try reader.pull(pageSize: size)
        #expect(!reader.isExpired)
        #expect(reader.identities(of: "Task") == [uuid(11), uuid(12)])
    }

    @Test("The file can be executed again, and keeps what it has")
    func again() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, reader) = (try feed.session(), FeedReader(try feed.session(of: .ann)))
        try admin.rows(Self.list + Self.tasks(11...12))
        try reader.pull()
        try admin.rows(String(decoding: try #require(serverSQL(for: try PostgreSQLFeed.listsSchema())), as: UTF8.self))
        try admin.rows(Self.tasks(13...13))
        try reader.pull()
        #expect(!reader.isExpired)
        #expect(reader.identities(of: "Task") == (11...13).map(uuid))
    }

    @Test("The file replaces functions of its earlier versions that have other results")
    func formerFunctions() throws {
        let admin = try PostgreSQLFeed.lists().session()
        try admin.rows(
            """
            DROP FUNCTION lockstep_present(text, text[]);
            CREATE FUNCTION lockstep_present(text, text[]) RETURNS jsonb[] LANGUAGE sql AS 'SELECT NULL::jsonb[]';
            CREATE FUNCTION lockstep_records(entity text, ids text[]) RETURNS TABLE (id text, scope text, record json)
                LANGUAGE sql AS 'SELECT NULL, NULL, NULL::json';
            """)
        try admin.rows(String(decoding: try #require(serverSQL(for: try PostgreSQLFeed.listsSchema())), as: UTF8.self))
        let results = """
            SELECT pg_get_function_result(oid) FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
                AND proname IN ('lockstep_present', 'lockstep_records') ORDER BY proname;
            """
        #expect(
            try admin.rows(results) == [
                "TABLE(version bigint, record json)",
                "TABLE(scope text, n bigint, entity text, id text, record json)",
            ])
    }

    @Test("Records that were there before the server are in the feed, and so are those written without its triggers")
    func backfill() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, reader) = (try feed.session(), FeedReader(try feed.session(of: .ann)))
        try admin.rows("SET session_replication_role = replica; \(Self.list) \(Self.tasks(11...12))")
        try reader.pull()
        #expect(reader.records.isEmpty)
        let sql = String(decoding: try #require(serverSQL(for: try PostgreSQLFeed.listsSchema())), as: UTF8.self)
        try admin.rows(sql)
        try reader.pull()
        #expect(reader.identities(of: "Task") == [uuid(11), uuid(12)])
        try admin.rows("SET session_replication_role = replica; DELETE FROM task WHERE id = '\(uuid(11))'; \(sql)")
        try reader.pull()
        #expect(reader.identities(of: "Task") == [uuid(12)])
    }

    @Test("A page is cut by bytes before the next record, and loses nothing behind deletions")
    func bytes() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, reader) = (try feed.session(), FeedReader(try feed.session(of: .ann)))
        try admin.rows(Self.list + Self.tasks(11...16))
        try reader.pull()
        try admin.rows("UPDATE task SET photo = convert_to(repeat('x', 1600000), 'UTF8') WHERE id < '\(uuid(14))';")
        try admin.rows("DELETE FROM task WHERE id = '\(uuid(16))';")
        try admin.rows("UPDATE task SET photo = convert_to(repeat('y', 1600000), 'UTF8') WHERE id = '\(uuid(15))';")
        #expect(try reader.readPage(1000))
        try reader.pull()
        #expect(reader.identities(of: "Task") == (11...15).map(uuid))
        #expect(reader.records["Task \(uuid(13))"]?.json["photo"]?.hasPrefix("eHh4") == true)
        #expect(reader.records["Task \(uuid(15))"]?.json["photo"]?.hasPrefix("eXl5") == true)
    }

    @Test("A record whose change of scope was not noted is sent in neither scope")
    func unnotedMove() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ann) = (try feed.session(), try feed.session(of: .ann))
        let (reader, ben) = (FeedReader(ann), FeedReader(try feed.session(of: .ben)))
        try admin.rows(
            """
            \(Self.list) INSERT INTO list VALUES ('\(uuid(2))', '\(Self.ben)', 'Secret'); \(Self.tasks(11...12))
            BEGIN; SET LOCAL session_replication_role = replica;
            UPDATE task SET list_id = '\(uuid(2))' WHERE id = '\(uuid(11))'; COMMIT;
            """)
        for reader in [reader, ben] { try reader.pull() }
        #expect(reader.identities(of: "Task") == [uuid(12)])
        #expect(ben.identities(of: "Task") == [])
        #expect(try ann.rows("SELECT lockstep_record('Task', '\"\(uuid(11))\"');") == ["{}"])
    }

    @Test("The changes of an entity are in the order of their commits")
    func order() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ann) = (try feed.session(), try feed.session(of: .ann))
        try admin.rows(Self.list)
        for number in [15, 11, 13, 12, 14] {
            try admin.rows(Self.tasks(number...number))
            try admin.rows("INSERT INTO comment VALUES ('\(uuid(number + 10))', 'Comment', '\(uuid(number))');")
        }
        let page = "lockstep_changes() -> 'scopes' -> 'list/\(uuid(1))' -> 'Task'"
        let identities = "SELECT r ->> 'id' FROM json_array_elements(\(page) -> 'records') r;"
        #expect(try ann.rows(identities) == [15, 11, 13, 12, 14].map(uuid))
        let versions = try ann.rows("SELECT v FROM json_array_elements(\(page) -> 'versions') v;")
        #expect(try admin.rows("SELECT n FROM lockstep_change WHERE entity = 'Task' ORDER BY n;") == versions)
    }

    @Test("A read after the last change returns its cursor, and one after a new scope or a lost one does not")
    func nothingNew() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, reader) = (try feed.session(), FeedReader(try feed.session(of: .ann)))
        try admin.rows(Self.list)
        try reader.pull()
        var cursors = [reader.cursor]
        let changes = [
            "", Self.tasks(11...11), "", "INSERT INTO list VALUES ('\(uuid(2))', '\(Self.ann)', 'Empty');",
            "DELETE FROM list WHERE id = '\(uuid(1))';", "",
        ]
        for change in changes {
            try admin.rows(change)
            try reader.pull()
            cursors.append(reader.cursor)
        }
        #expect(zip(cursors, cursors.dropFirst()).map { $0 == $1 } == changes.map(\.isEmpty))
        #expect(reader.lost == ["list/\(uuid(1))"])
    }

    @Test("A row that another trigger moves is in the scope in which it ends")
    func otherTriggers() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, reader) = (try feed.session(), FeedReader(try feed.session(of: .ann)))
        try admin.rows(
            """
            \(Self.list) INSERT INTO list VALUES ('\(uuid(2))', '\(Self.ben)', 'Inbox');
            CREATE FUNCTION sort() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE task SET list_id = '\(uuid(2))' WHERE id = NEW.id; RETURN NULL;
            END $$;
            CREATE TRIGGER sort AFTER INSERT ON task FOR EACH ROW EXECUTE FUNCTION sort(); \(Self.tasks(11...11))
            """)
        try reader.pull()
        #expect(reader.identities(of: "Task") == [])
        #expect(
            try admin.rows("SELECT scope FROM lockstep_change WHERE entity = 'Task' AND gone IS NULL;") == [
                "list/\(uuid(2))"
            ])
    }

    @Test("A record that comes before the one it belongs to is in its scope when that one is there")
    func childFirst() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, reader) = (try feed.session(), FeedReader(try feed.session(of: .ann)))
        try admin.rows(
            """
            \(Self.list) BEGIN; INSERT INTO comment VALUES ('\(uuid(21))', '?', '\(uuid(11))');
            \(Self.tasks(11...11)) COMMIT;
            """
        )
        try reader.pull()
        #expect(reader.identities(of: "Comment") == [uuid(21)])
    }

    @Test("What is no cursor begins again, and a scope that was lost does not")
    func cursors() throws {
        let feed = try PostgreSQLFeed.lists()
        let ann = try feed.session(of: .ann)
        for cursor in ["", "abc", "5", "{}", #"{"epoch": 1, "scopes": 5}"#] {
            #expect(try ann.rows("SELECT lockstep_changes('\(cursor)');").joined() == #"{"expired" : true}"#)
        }
        let admin = try feed.session()
        try admin.rows(Self.list)
        let epoch = try admin.rows("SELECT epoch FROM lockstep_meta;")[0]
        for position in ["[]", "[null]", "{}"] {
            let cursor = #"{"epoch": "\#(epoch)", "scopes": {"list/\#(uuid(1))": \#(position)}}"#
            let records = "lockstep_changes('\(cursor)') -> 'scopes' -> 'list/\(uuid(1))' -> 'List' -> 'records'"
            #expect(try ann.rows("SELECT json_array_length(\(records));") == ["1"], "\(position)")
        }
    }

    @Test("The columns of a table can change under the server")
    func columns() throws {
        let admin = try PostgreSQLFeed.lists().session()
        try admin.rows("ALTER TABLE task DROP COLUMN due; ALTER TABLE task ALTER COLUMN title TYPE varchar(30);")
    }

    @Test("TRUNCATE, which no device would learn of, is refused")
    func truncation() throws {
        let admin = try PostgreSQLFeed.lists().session()
        for table in ["task", "task_tag"] {
            let failure = #expect(throws: CommandFailure.self) { try admin.rows("TRUNCATE \(table) CASCADE;") }
            #expect(failure?.output.contains("would not reach the devices") == true)
        }
    }

    @Test("The SQL is the reviewed one, byte for byte")
    func golden() throws {
        let file = Documentation.root.appendingPathComponent(
            "Tests/Suites/LockstepGeneratorTests/Fixtures/Lists.server.postgresql.sql")
        let printed = try #require(serverSQL(for: try PostgreSQLFeed.listsSchema()))
        #expect(String(decoding: printed, as: UTF8.self) == String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }
}
