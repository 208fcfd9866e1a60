import Foundation
import ServerTestSupport
import TestSupport
import Testing

/// Neighboring changes with the same entity and operation are one statement.
@Suite("Runs of changes in a push", .enabled(if: PostgreSQLServer.isWanted))
struct ServerRunTests {
    private static let ann = PostgreSQLFeed.User.ann.rawValue

    private static func change(_ key: String, _ operation: String, _ entity: String, _ rest: String) -> String {
        #"{"key": "\#(key)", "op": "\#(operation)", "entity": "\#(entity)", \#(rest)}"#
    }

    private func statuses(_ changes: [String], _ session: PostgreSQLSession) throws -> [Int] {
        try session.statuses(ofPush: changes)
    }

    // MARK: Random pushes

    /// What a change of an entity sends, some of it invalid.
    private static func members(of entity: String, _ pick: (Int) -> Int) -> [String] {
        let list = #""list_id": "\#(uuid(1 + pick(3)))""#
        func ids(_ base: Int) -> String {
            "[" + (0..<pick(3)).map { _ in #""\#(uuid(base + pick(4)))""# }.joined(separator: ", ") + "]"
        }
        switch entity {
        case "List":
            let owner = pick(6) == 0 ? PostgreSQLFeed.User.ben.rawValue : ann
            let tasks = pick(3) == 0 ? [#""task_ids": \#(ids(10))"#] : []
            return [#""owner": "\#(owner)""#, #""title": "List \#(pick(9))""#] + tasks
        case "Task":
            let title = ["null", #""longer than twenty letters""#, #""a""#, #""b""#, #""c""#, #""d""#][pick(6)]
            return [#""title": \#(title)"#, #""labels": []"#, list] + (pick(2) == 0 ? [#""tag_ids": \#(ids(20))"#] : [])
        case "Tag":
            return [#""name": "Tag \#(pick(9))""#, list] + (pick(2) == 0 ? [#""task_ids": \#(ids(10))"#] : [])
        default: return [#""text": "Comment \#(pick(9))""#, #""task_id": "\#(uuid(10 + pick(5)))""#]
        }
    }

    private static func changes(seed: UInt64) -> [String] {
        var generator = SeededRandom(seed: seed)
        func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
        let bases = ["List": 1, "Task": 10, "Tag": 20, "Comment": 30]
        var changes = (1...3).map { number in
            let members = #"{"owner": "\#(ann)", "title": "List \#(number)"}"#
            return change("list \(number)", "create", "List", #""id": "\#(uuid(number))", "members": \#(members)"#)
        }
        while changes.count < 60 {
            let entity = ["List", "Task", "Task", "Tag", "Comment"][pick(5)]
            let operation = ["create", "create", "create", "update", "update", "delete"][pick(6)]
            for _ in 0..<1 + pick(8) {
                let id = #""id": "\#(uuid((bases[entity] ?? 0) + pick(4)))""#
                var sent = members(of: entity, pick)
                if operation != "create" { sent = sent.filter { _ in operation == "update" && pick(3) > 0 } }
                let expected = pick(10) == 0 ? #""if": 0, "# : ""
                // A key that is used twice is that of another change, or of the same one.
                let key = pick(15) == 0 ? pick(60) : changes.count
                let rest = #"\#(id), \#(expected)"members": {\#(sent.joined(separator: ", "))}"#
                changes.append(change("\(key)", operation, entity, rest))
                if pick(20) == 0, let last = changes.last { changes.append(last) }
            }
        }
        return changes
    }

    private static let contents = """
        SELECT * FROM list ORDER BY id; SELECT id, title, list_id, tasks_position FROM task ORDER BY id;
        SELECT * FROM tag ORDER BY id; SELECT * FROM comment ORDER BY id; SELECT * FROM task_tag ORDER BY 1, 2;
        SELECT key FROM lockstep_request ORDER BY 1;
        SELECT scope, entity, id, gone IS NULL FROM lockstep_change ORDER BY 1, 2, 3;
        """

    @Test(
        "A push has the effects and statuses of its changes, sent one by one",
        arguments: Seeds.some(5, of: UInt64(1)...200))
    func equalToSingles(seed: UInt64) throws {
        let (feed, other) = (try PostgreSQLFeed.lists(), try PostgreSQLFeed.lists())
        let changes = Self.changes(seed: seed)
        let singly = try other.session(of: .ann)
        let together = try statuses(changes, try feed.session(of: .ann))
        #expect(try together == changes.flatMap { try statuses([$0], singly) })
        #expect(try feed.session().rows(Self.contents) == other.session().rows(Self.contents))
        #expect(together.contains(201))
    }

    // MARK: Examples

    private static let list = change(
        "list", "create", "List", #""id": "\#(uuid(1))", "members": {"owner": "\#(ann)", "title": "Shopping"}"#)

    private static func task(_ number: Int) -> String {
        let members = #"{"title": "Task \#(number)", "labels": [], "list_id": "\#(uuid(1))"}"#
        return change("task \(number)", "create", "Task", #""id": "\#(uuid(100 + number))", "members": \#(members)"#)
    }

    @Test("Records that are created together are one statement")
    func statements() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ann) = (try feed.session(), try feed.session(of: .ann))
        try admin.rows(
            """
            CREATE TABLE statement (n integer);
            CREATE FUNCTION counted() RETURNS trigger
                LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
                BEGIN INSERT INTO statement SELECT count(*) FROM added; RETURN NULL; END $$;
            CREATE TRIGGER lockstep_count AFTER INSERT ON task REFERENCING NEW TABLE AS added
                FOR EACH STATEMENT EXECUTE FUNCTION counted();
            """)
        #expect(try statuses([Self.list] + (1...400).map(Self.task), ann) == Array(repeating: 201, count: 401))
        #expect(try admin.rows("SELECT n FROM statement;") == ["400"])
        // One that is refused is found by halves.
        let more = (401...800).map { $0 == 500 ? Self.task(100).replacing("task 100", with: "twice") : Self.task($0) }
        #expect(try statuses(more, ann).filter { $0 != 201 } == [409])
        #expect(try admin.rows("SELECT count(*) < 30, sum(n) FROM statement;") == ["t|799"])
    }

    @Test("The same run in two sessions at once is applied once")
    func twoSessions() throws {
        let feed = try PostgreSQLFeed.lists()
        let (one, two) = (try feed.session(of: .ann), try feed.session(of: .ann))
        _ = try statuses([Self.list], one)
        let run = (1...5).map(Self.task).joined(separator: ", ")
        one.send("BEGIN; SELECT lockstep_push('[\(run)]');")
        two.send("SELECT lockstep_push('[\(run)]');")
        _ = try one.received()
        try one.rows("COMMIT;")
        let response = try two.received().joined()
        #expect(response.components(separatedBy: #""status" : 201"#).count == 6)
        #expect(try feed.session().rows("SELECT count(*) FROM task;") == ["5"])
    }

    @Test("A run that was applied before is answered as a whole, with the present records")
    func again() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ann) = (try feed.session(), try feed.session(of: .ann))
        let run = [Self.list] + (1...50).map(Self.task)
        _ = try statuses(run, ann)
        try admin.rows("UPDATE task SET title = 'Bread';")
        #expect(try statuses(run, ann) == Array(repeating: 201, count: 51))
        // Some of them were applied before.
        #expect(try statuses(run + (51...60).map(Self.task), ann) == Array(repeating: 201, count: 61))
        #expect(try admin.rows("SELECT title, count(*) FROM task GROUP BY 1 ORDER BY 2;").last == "Bread|50")
    }

    @Test("A change reads the rows that it names, and no others that the user may write")
    func reads() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ann) = (try feed.session(), try feed.session(of: .ann))
        _ = try statuses([Self.list], ann)
        try admin.rows(
            """
            INSERT INTO task (id, title, labels, list_id)
                SELECT gen_random_uuid(), 'Task', '[]', '\(uuid(1))' FROM generate_series(1, 3000);
            INSERT INTO tag (id, name, list_id) VALUES ('\(uuid(7))', 'Tag', '\(uuid(1))');
            INSERT INTO task_tag (task_id, tag_id) SELECT id, '\(uuid(7))' FROM task;
            ANALYZE;
            """)
        _ = try statuses([Self.task(1)], ann)
        let id = #""id": "\#(uuid(101))""#
        for (key, operation, members) in [
            ("a", "update", #"{"title": "Milk"}"#), ("b", "update", #"{"tag_ids": []}"#), ("c", "delete", "{}"),
        ] {
            let change = Self.change(key, operation, "Task", #"\#(id), "members": \#(members)"#)
            try ann.rows("BEGIN;")
            #expect(try statuses([change], ann).allSatisfy { $0 < 300 })
            let counts = try ann.rows(
                """
                SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) < 100 FROM pg_stat_xact_user_tables
                WHERE schemaname = current_schema() AND relname IN ('task', 'task_tag');
                """)
            try ann.rows("COMMIT;")
            #expect(counts == ["t"], "\(operation)")
        }
    }

    // MARK: What depends on the order

    private static let clubs = """
        lockstep: 1
        schema: Clubs
        wire: { names: snake_case }
        server: { user: sub }
        entities:
          Team:
            scope: self
            access: { read: [owner, members.user], write: [owner, members.user] }
            attributes: { id: uuid, owner: uuid }
            relationships: { members: { to: [Member], inverse: team, onDelete: cascade } }
          Member:
            scope: team
            attributes: { id: uuid, user: uuid }
            relationships: { team: { to: Team, inverse: members } }
          Folder:
            scope: team
            attributes: { id: uuid }
            relationships:
              team: Team
              parent: { to: Folder?, inverse: children }
              children: { to: [Folder], inverse: parent, onDelete: cascade }
          Note:
            scope: team
            attributes: { id: uuid, name: { type: string, unique: true } }
            relationships: { team: Team }
          Box:
            scope: team
            attributes: { id: uuid }
            relationships: { team: Team, things: { to: [Thing], inverse: box, ordered: true, wire: ids } }
          Thing:
            scope: team
            attributes: { id: uuid }
            relationships: { team: Team, box: { to: Box?, inverse: things } }
          Plan:
            scope: team
            attributes: { id: uuid, current: bool }
            relationships: { team: Team }
        """

    private static func club(_ entity: String, _ number: Int, _ members: String = "") -> String {
        let team = entity == "Team" ? "" : #""team_id": "\#(uuid(1))""#
        let all = [team, members].filter { !$0.isEmpty }.joined(separator: ", ")
        return change("new \(number)", "create", entity, #""id": "\#(uuid(number))", "members": {\#(all)}"#)
    }

    private static func update(_ entity: String, _ number: Int, _ members: String) -> String {
        change("set \(number)", "update", entity, #""id": "\#(uuid(number))", "members": {\#(members)}"#)
    }

    private static func delete(_ entity: String, _ number: Int) -> String {
        change("delete \(number)", "delete", entity, #""id": "\#(uuid(number))""#)
    }

    /// What is there, and the changes whose order matters.
    private static let ordered: [(before: [String], changes: [String])] = [
        // The first change takes the right of the second one away.
        (
            [club("Member", 11, #""user": "\#(ann)""#), club("Member", 12, #""user": "\#(uuid(99))""#)],
            [delete("Member", 11), delete("Member", 12)]
        ),
        (
            [club("Folder", 21), club("Folder", 22, #""parent_id": "\#(uuid(21))""#)],
            [delete("Folder", 21), delete("Folder", 22)]
        ),
        (
            [club("Note", 31, #""name": "a""#), club("Note", 32, #""name": "b""#)],
            [update("Note", 32, #""name": "a""#), update("Note", 31, #""name": "c""#)]
        ),
        // The first change gives the record of the second one another version.
        (
            [club("Box", 41), club("Box", 42), club("Thing", 43, #""box_id": "\#(uuid(42))""#)],
            [
                update("Box", 41, #""thing_ids": ["\#(uuid(43))"]"#),
                update("Box", 42, #""thing_ids": ["\#(uuid(43))"]}, "if": VERSION, "other": {"#),
            ]
        ),
        // A trigger lets one of them be current.
        (
            [club("Plan", 51, #""current": false"#), club("Plan", 52, #""current": false"#)],
            [update("Plan", 51, #""current": true"#), update("Plan", 52, #""current": true"#)]
        ),
    ]

    /// The statuses of the changes, and what is in the tables afterwards.
    private func outcome(
        of index: Int, isTogether: Bool, mutate: (String) -> String = { $0 }
    ) throws -> [String] {
        let (before, templates) = Self.ordered[index]
        let feed = try PostgreSQLFeed(yaml: Self.clubs, mutate: mutate)
        let admin = try feed.session()
        try admin.rows(
            """
            INSERT INTO team VALUES ('\(uuid(1))', '\(uuid(99))');
            INSERT INTO member (id, "user", team_id) VALUES ('\(uuid(2))', '\(Self.ann)', '\(uuid(1))');
            CREATE FUNCTION only_one() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
                AS $$ BEGIN UPDATE plan SET current = false WHERE id <> NEW.id AND current; RETURN NULL; END $$;
            CREATE TRIGGER only_one AFTER UPDATE ON plan FOR EACH ROW WHEN (NEW.current) EXECUTE FUNCTION only_one();
            """)
        let session = try feed.session(of: .ann)
        #expect(try statuses(before, session).allSatisfy { $0 == 201 })
        if index == 0 { try admin.rows("DELETE FROM member WHERE id = '\(uuid(2))';") }
        let version = try admin.rows("SELECT n FROM lockstep_change WHERE id = '\(uuid(42))';").first ?? "0"
        let changes = templates.map { $0.replacing("VERSION", with: version) }
        let found = try isTogether ? statuses(changes, session) : changes.flatMap { try statuses([$0], session) }
        let tables = try ["member", "folder", "note", "box", "thing", "plan"].flatMap {
            try admin.rows("SELECT * FROM \($0) ORDER BY id;")
        }
        return found.map(String.init) + tables
    }

    @Test("Changes whose order matters are applied one by one", arguments: ordered.indices)
    func order(index: Int) throws {
        let expected = try outcome(of: index, isTogether: false)
        #expect(try outcome(of: index, isTogether: true) == expected)
        let grouped = try outcome(of: index, isTogether: true) { sql in
            sql.replacing("RETURN changed IS NOT NULL AND NOT EXISTS (", with: "RETURN TRUE OR NOT EXISTS (")
        }
        #expect(grouped != expected, "a server that groups them is not found out")
    }

    @Test("An entity with lists of its own records is changed one by one")
    func ownLists() throws {
        let feed = try PostgreSQLFeed(
            yaml: """
                lockstep: 1
                schema: Friends
                server: { user: sub }
                entities:
                  Person:
                    scope: user
                    attributes: { id: uuid, user: uuid }
                    relationships: { friends: { to: [Person], inverse: friends, wire: ids } }
                """)
        let ann = try feed.session(of: .ann)
        func person(_ number: Int) -> String {
            Self.change(
                "p\(number)", "create", "Person", #""id": "\#(uuid(number))", "members": {"user": "\#(Self.ann)"}"#)
        }
        func friends(_ number: Int, _ others: [Int]) -> String {
            let ids = others.map { #""\#(uuid($0))""# }.joined(separator: ", ")
            return Self.change(
                "f\(number)", "update", "Person", #""id": "\#(uuid(number))", "members": {"friends": [\#(ids)]}"#)
        }
        // What the first says is taken back by the second.
        let changes = [person(1), person(2), friends(1, [2]), friends(2, [])]
        #expect(try statuses(changes, ann) == [201, 201, 200, 200])
        #expect(try feed.session().rows("SELECT count(*) FROM person_friends;") == ["0"])
    }
}
