import Foundation
import LockstepSchema
import ServerTestSupport
import Testing

@Suite("Pushes to a PostgreSQL server", .enabled(if: PostgreSQLServer.isWanted))
struct ServerPushTests {
    private static let ann = PostgreSQLFeed.User.ann.rawValue
    private static let ben = PostgreSQLFeed.User.ben.rawValue

    private static func change(_ key: String, _ operation: String, _ entity: String, _ rest: String) -> String {
        #"{"key": "\#(key)", "op": "\#(operation)", "entity": "\#(entity)", \#(rest)}"#
    }

    /// The members of a list of a user.
    private static func members(_ user: String, _ title: String) -> String {
        #""members": {"owner": "\#(user)", "title": "\#(title)"}"#
    }

    private static let list = change(
        "list", "create", "List", #""id": "\#(uuid(1))", \#(members(ann, "Shopping"))"#)
    private static let task = change(
        "task", "create", "Task",
        """
        "id": "\(uuid(2))", "members": {"title": "Milk", "labels": ["a"], "price": "1.50", "list_id": "\(uuid(1))",
        "due": "2026-01-01T12:00:00.5Z", "photo": "AAEC", "place": {"name": "Shop"}, "updated_at": 7}
        """)

    /// The responses to changes.
    private func push(_ changes: [String], _ session: PostgreSQLSession) throws -> [[String: Any]] {
        try session.push(changes)
    }

    @Test("A record is requested as it is sent, with its version, by those who read it")
    func record() throws {
        let feed = try PostgreSQLFeed.lists()
        let (ann, ben) = (try feed.session(of: .ann), try feed.session(of: .ben))
        let pushed = try push([Self.list, Self.task], ann).last
        func record(_ entity: String, _ id: String, _ session: PostgreSQLSession) throws -> NSDictionary? {
            let lines = try session.rows("SELECT lockstep_record('\(entity)', '\(id)');")
            return try JSONSerialization.jsonObject(with: Data(lines.joined().utf8)) as? NSDictionary
        }
        let found = try record("Task", #""\#(uuid(2))""#, ann)
        #expect(found?["record"] as? NSDictionary == pushed?["record"] as? NSDictionary)
        #expect(found?["version"] as? Int == pushed?["version"] as? Int && found?.count == 2)
        #expect(try record("Task", #""\#(uuid(2))""#, ben) == [:])
        for id in [#""x""#, "null", "[1]", "{}", #""\#(uuid(9))""#] { #expect(try record("Task", id, ann) == [:]) }
        #expect(try record("Nothing", "1", ann) == [:])
    }

    private func statuses(_ changes: [String], _ session: PostgreSQLSession) throws -> [Int] {
        try session.statuses(ofPush: changes)
    }

    @Test("A created record has all that was sent, except for what only the server sets")
    func create() throws {
        let feed = try PostgreSQLFeed.lists()
        let responses = try push([Self.list, Self.task], try feed.session(of: .ann))
        #expect(responses.compactMap { $0["status"] as? Int } == [201, 201])
        let record = try #require(responses[1]["record"] as? [String: Any])
        #expect(record["title"] as? String == "Milk")
        #expect(record["price"] as? String == "1.50")
        #expect(record["due"] as? String == "2026-01-01T12:00:00.5+00:00")
        #expect(record["photo"] as? String == "AAEC")
        #expect((record["place"] as? [String: Any])?["name"] as? String == "Shop")
        #expect(record["priority"] as? String == "low")
        #expect(record["updated_at"] is NSNull)
        let reader = FeedReader(try feed.session(of: .ann))
        try reader.pull()
        #expect(reader.records["Task \(uuid(2))"]?.version == responses[1]["version"] as? Int)
    }

    @Test("An update changes the members that it has, and no other; a former key counts as well")
    func update() throws {
        let ann = try PostgreSQLFeed.lists().session(of: .ann)
        _ = try push([Self.list, Self.task], ann)
        let changes = [
            Self.change("1", "update", "Task", #""id": "\#(uuid(2))", "members": {"done": true, "price": null}"#),
            Self.change("2", "update", "Task", #""id": "\#(uuid(2))", "members": {"name": "Oat milk"}"#),
        ]
        let record = try #require(try push(changes, ann)[1]["record"] as? [String: Any])
        #expect(record["done"] as? Bool == true)
        #expect(record["price"] is NSNull)
        #expect(record["title"] as? String == "Oat milk")
        #expect(record["photo"] as? String == "AAEC")
    }

    @Test("Each change has its own status, and one that is refused changes nothing")
    func statuses() throws {
        let feed = try PostgreSQLFeed.lists()
        let (ann, ben) = (try feed.session(of: .ann), try feed.session(of: .ben))
        _ = try push([Self.list, Self.task], ann)
        let id = #""id": "\#(uuid(2))""#
        let other = #""id": "\#(uuid(8))""#
        let taken = #"\#(id), "members": {"title": "x", "labels": [], "list_id": "\#(uuid(1))"}"#
        let orphan = #"\#(other), "members": {"text": "?", "task_id": "\#(uuid(9))"}"#
        let expected: [(status: Int, change: String)] = [
            (404, Self.change("a", "update", "Task", #""id": "\#(uuid(9))", "members": {"done": true}"#)),
            (412, Self.change("b", "update", "Task", #"\#(id), "if": 1, "members": {"done": true}"#)),
            (409, Self.change("c", "create", "Task", taken)),
            (422, Self.change("d", "update", "Task", #"\#(id), "members": {"title": "longer than twenty letters"}"#)),
            (422, Self.change("e", "update", "Task", #"\#(id), "members": {"due": "tomorrow"}"#)),
            (422, Self.change("f", "update", "Task", #"\#(id), "members": {"title": null}"#)),
            (422, Self.change("g", "update", "Nothing", #"\#(id), "members": {}"#)),
            (422, Self.change("h", "upsert", "Task", #"\#(id), "members": {}"#)),
            (422, Self.change("i", "update", "Task", #""id": "no uuid", "members": {}"#)),
            (424, Self.change("j", "create", "Comment", orphan)),
            (403, Self.change("k", "create", "List", #"\#(other), \#(Self.members(Self.ben, "x"))"#)),
            (403, Self.change("l", "create", "Country", #""id": [1, "DE"], "members": {"name": "x"}"#)),
            (204, Self.change("m", "delete", "Task", id)),
            (404, Self.change("n", "delete", "Task", id)),
        ]
        #expect(try statuses(expected.map(\.change), ann) == expected.map(\.status))
        let theft = Self.change("z", "update", "List", #""id": "\#(uuid(1))", "members": {"title": "Mine"}"#)
        #expect(try statuses([theft], ben) == [404])
    }

    @Test("The same change is applied once however often it is sent, and its response has the present record")
    func repeated() throws {
        let feed = try PostgreSQLFeed.lists()
        let (ann, admin) = (try feed.session(of: .ann), try feed.session())
        let first = try push([Self.list, Self.task], ann)
        try admin.rows("UPDATE task SET title = 'Bread';")
        let second = try push([Self.list, Self.task], ann)
        #expect(second.map { $0["status"] as? Int } == [201, 201])
        #expect((second[1]["record"] as? [String: Any])?["title"] as? String == "Bread")
        #expect(try #require(second[1]["version"] as? Int) > #require(first[1]["version"] as? Int))
        #expect(try admin.rows("SELECT title FROM task;") == ["Bread"])
        let other = Self.change("task", "delete", "Task", #""id": "\#(uuid(2))""#)
        #expect(try statuses([other], ann) == [422])
    }

    @Test("A change that was refused may be sent again with its key")
    func refusedAgain() throws {
        let ann = try PostgreSQLFeed.lists().session(of: .ann)
        #expect(try statuses([Self.task], ann) == [424])
        #expect(try statuses([Self.list, Self.task], ann) == [201, 201])
    }

    @Test("The same change in two sessions at once is applied once")
    func twoSessions() throws {
        let feed = try PostgreSQLFeed.lists()
        let (one, two) = (try feed.session(of: .ann), try feed.session(of: .ann))
        _ = try push([Self.list], one)
        one.send("BEGIN; SELECT lockstep_push('[\(Self.task)]');")
        two.send("SELECT lockstep_push('[\(Self.task)]');")
        _ = try one.received()
        try one.rows("COMMIT;")
        let response = try two.received().joined()
        #expect(response.contains(#""status" : 201"#))
        #expect(try feed.session().rows("SELECT count(*) FROM task;") == ["1"])
    }

    @Test("A list of identities makes and removes links, and is in both records")
    func links() throws {
        let feed = try PostgreSQLFeed.lists()
        let ann = try feed.session(of: .ann)
        let members = #""name": "x", "list_id": "\#(uuid(1))", "task_ids": ["\#(uuid(2))"]"#
        let tag = Self.change("tag", "create", "Tag", #""id": "\#(uuid(3))", "members": {\#(members)}"#)
        #expect(try statuses([Self.list, Self.task, tag], ann) == [201, 201, 201])
        let reader = FeedReader(try feed.session(of: .ann))
        try reader.pull()
        #expect(reader.records["Task \(uuid(2))"]?.json["tag_ids"]?.contains(uuid(3)) == true)
        _ = try push([Self.change("none", "update", "Task", #""id": "\#(uuid(2))", "members": {"tag_ids": []}"#)], ann)
        try reader.pull()
        #expect(reader.records["Tag \(uuid(3))"]?.json["task_ids"]?.contains(uuid(2)) == false)
    }

    @Test("A value that is cleared is null in the response, and so is null inside of JSON")
    func nulls() throws {
        let ann = try PostgreSQLFeed.lists().session(of: .ann)
        _ = try push([Self.list, Self.task], ann)
        let cleared = Self.change("1", "update", "Task", #""id": "\#(uuid(2))", "members": {"price": null}"#)
        let record = try #require(try push([cleared], ann)[0]["record"] as? [String: Any])
        #expect(record["price"] is NSNull)
    }

    @Test("An error of the server's own rules refuses one change, and not the push")
    func ownRules() throws {
        let feed = try PostgreSQLFeed.lists()
        let (admin, ann) = (try feed.session(), try feed.session(of: .ann))
        try admin.rows(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF NEW.title = 'Milk' THEN RAISE EXCEPTION 'no milk'; END IF;
                IF NEW.title = 'Eggs' THEN PERFORM no_such_function(); END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER refuse BEFORE INSERT ON task FOR EACH ROW EXECUTE FUNCTION refuse();
            """)
        let eggs = Self.task.replacing("Milk", with: "Eggs").replacing("\"task\"", with: "\"eggs\"")
        let bread = Self.task.replacing("Milk", with: "Bread").replacing("\"task\"", with: "\"bread\"")
        #expect(try statuses([Self.list, Self.task, eggs, bread], ann) == [201, 422, 500, 201])
    }

    @Test("What PostgreSQL cannot store refuses one change, and not the push")
    func unstorable() throws {
        let ann = try PostgreSQLFeed.lists().session(of: .ann)
        func title(_ key: String, _ value: String) -> String {
            Self.change(key, "update", "List", #""id": "\#(uuid(1))", "members": {"title": \#(value)}"#)
        }
        let changes = [
            Self.list, title("a", #""\u0000""#), title("b", #""\ud800""#), title("c", "1e999999"),
            title("d", #"{"a": 1}"#), title(String(repeating: "k", count: 300), #""x""#), title("e", #""Last""#),
        ]
        #expect(try statuses(changes, ann) == [201, 422, 422, 422, 422, 422, 200])
    }

    @Test("Names and texts of a schema are quoted, whatever is in them")
    func names() throws {
        let text = #"""
            lockstep: 1
            schema: Names
            entities:
              Comment:
                scope: self
                access: { read: [comment, members.r], write: [comment, members.r] }
                attributes: { id: uuid, comment: uuid, n: string, o: string, j: json?, present: string?, op: string? }
                relationships: { members: { to: [User], inverse: owner, onDelete: cascade } }
              User:
                table: "a $lockstep$ table with 'quotes', \"double\" ones and more than sixty-three bytes"
                scope: owner
                attributes:
                  id: int
                  r: { type: uuid?, column: "r\"'$$", key: "a'b\"c" }
                  n: { type: string, default: "a\nb'c\\d" }
                  o: { type: string, default: "a\tb" }
                relationships: { owner: { to: Comment, inverse: members } }
            """#
        let reading = readSchemas([SchemaSource(path: "Names.yaml", bytes: Array(text.utf8))])
        let feed = try PostgreSQLFeed(try #require(reading.schemas.first))
        let ann = try feed.session(of: .ann)
        let members = #""members": {"comment": "\#(Self.ann)", "n": "1", "o": "2", "j": {"a": null}}"#
        let changes = [
            Self.change("1", "create", "Comment", #""id": "\#(uuid(1))", \#(members)"#),
            Self.change("2", "update", "Comment", #""id": "\#(uuid(1))", "members": {"o": "3"}"#),
            Self.change("3", "create", "User", #""id": 7, "members": {"ownerID": "\#(uuid(1))"}"#),
        ]
        let responses = try push(changes, ann)
        #expect(responses.compactMap { $0["status"] as? Int } == [201, 200, 201])
        let user = try #require(responses[2]["record"] as? [String: Any])
        #expect(user["n"] as? String == "a\nb'c\\d")
        #expect(user["o"] as? String == "a\tb")
        #expect(user["a'b\"c"] is NSNull)
        let reader = FeedReader(try feed.session(of: .ann))
        try reader.pull()
        #expect(reader.records.keys.sorted() == ["Comment \(uuid(1))", "User 7"])
        #expect(reader.records["Comment \(uuid(1))"]?.json["j"] == #"{"a":null}"#)
    }

    @Test("A record whose identity has two parts lists others")
    func compositeLists() throws {
        let text = """
            lockstep: 1
            schema: Trips
            entities:
              Place:
                scope: user
                identity: [country, code]
                attributes: { country: int, code: string, user: uuid }
                relationships: { trips: { to: [Trip], inverse: place, wire: ids } }
              Trip:
                scope: user
                attributes: { id: uuid, user: uuid }
                relationships: { place: { to: Place?, inverse: trips } }
            """
        let reading = readSchemas([SchemaSource(path: "Trips.yaml", bytes: Array(text.utf8))])
        let feed = try PostgreSQLFeed(try #require(reading.schemas.first))
        let ann = try feed.session(of: .ann)
        func place(_ key: String, _ operation: String, trips: String) -> String {
            let members = #""members": {"user": "\#(Self.ann)", "tripIDs": [\#(trips)]}"#
            return Self.change(key, operation, "Place", #""id": [49, "B"], \#(members)"#)
        }
        let trip = Self.change("trip", "create", "Trip", #""id": "\#(uuid(1))", "members": {"user": "\#(Self.ann)"}"#)
        #expect(try statuses([trip, place("1", "create", trips: "\"\(uuid(1))\"")], ann) == [201, 201])
        #expect(try feed.session().rows("SELECT place_country, place_code FROM trip;") == ["49|B"])
        #expect(try statuses([place("2", "update", trips: "")], ann) == [200])
        #expect(try feed.session().rows("SELECT count(*) FROM trip WHERE place_code IS NULL;") == ["1"])
    }

    @Test("More than 500 changes are refused as a whole")
    func tooMany() throws {
        let ann = try PostgreSQLFeed.lists().session(of: .ann)
        #expect(throws: CommandFailure.self) { try push(Array(repeating: Self.list, count: 501), ann) }
    }
}
