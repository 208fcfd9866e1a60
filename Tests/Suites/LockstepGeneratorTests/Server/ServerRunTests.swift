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
        let json = "[\(changes.joined(separator: ","))]".replacingOccurrences(of: "'", with: "''")
        let lines = try session.rows("SELECT lockstep_push('\(json)')")
        let body = try JSONSerialization.jsonObject(with: Data(lines.joined().utf8)) as? [String: Any]
        return (body?["responses"] as? [[String: Any]] ?? []).compactMap { $0["status"] as? Int }
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
            CREATE TRIGGER count AFTER INSERT ON task REFERENCING NEW TABLE AS added
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
        #expect(response.components(separatedBy: #""status": 201"#).count == 6)
        #expect(try feed.session().rows("SELECT count(*) FROM task;") == ["5"])
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
