import Foundation
import LockstepEvolution
import LockstepGenerator
import LockstepReview
import LockstepSchema
import ServerTestSupport
import Testing

/// A server whose tables change in two files, while devices of both versions read and write.
@Suite("A PostgreSQL server from one version to the next", .enabled(if: PostgreSQLServer.isWanted))
struct ServerMigrationTests {
    private static let former = """
        lockstep: 1
        schema: Tasks
        wire: { names: snake_case }
        entities:
          List:
            scope: self
            access: { read: [owner, members.user], write: [owner, members.user] }
            attributes: { id: int32, owner: uuid, title: string }
            relationships:
              members: { to: [Member], inverse: list, onDelete: cascade }
              tasks: { to: [Task], inverse: list, onDelete: cascade }
              remarks: { to: [Remark], inverse: list, onDelete: cascade }
          Member:
            scope: list
            access: { write: list.owner }
            attributes: { id: int, user: string }
            relationships: { list: { to: List, inverse: members } }
          Task:
            scope: list
            attributes: { id: int, title: string, price: int, note: string? }
            relationships: { list: { to: List, inverse: tasks } }
          Remark:
            scope: list
            access: { write: [list.owner, list.members.user] }
            attributes: { id: int, text: string }
            relationships: { list: { to: List, inverse: remarks } }
          Draft:
            scope: self
            access: { read: author, write: author }
            attributes: { id: int, author: uuid, text: string }

        """

    /// Wider and other types, another name with the same key, an attribute and an entity more, an attribute and two
    /// entities less.
    private static let new =
        former
        .replacing("id: int32, owner: uuid", with: "id: int64, holder: { type: uuid, key: owner }")
        .replacing("[owner, members.user]", with: "[holder, members.user]")
        .replacing("write: list.owner", with: "write: list.holder")
        .replacing("      remarks: { to: [Remark], inverse: list, onDelete: cascade }\n", with: "")
        .replacing("user: string }", with: "user: uuid }")
        .replacing("price: int, note: string?", with: "price: decimal, isUrgent: { type: bool, default: false }")
        .replacing(#/  Remark:\n(    .*\n)+  Draft:\n(    .*\n)+/#) { _ in
            """
              Label:
                scope: list
                attributes: { id: int, name: string }
                relationships: { list: List }

            """
        }

    private static func schema(_ text: String) throws -> Schema {
        let reading = readSchemas([SchemaSource(path: "Tasks.yaml", bytes: Array(text.utf8))])
        #expect(reading.diagnostics.map(\.message) == [])
        return try #require(reading.schemas.first)
    }

    /// The contents of both files.
    private static func files(
        from former: String = former, to new: String = new,
        renames: [MemberPath: String] = [MemberPath("List", member: "owner"): "holder"]
    ) throws -> (expand: String, contract: String) {
        let (former, new) = (try schema(former), try schema(new))
        let changes = try SchemaDiff.changes(
            from: SchemaTree(former.structure), to: SchemaTree(new.structure),
            renames: renames)
        let version = SchemaHistory.Version(number: 2, hash: StructureHash(new.structure), changes: changes)
        let evolution = try SchemaEvolution(from: SchemaTree(former.structure), by: [version])
        let files = postgreSQLFiles(for: evolution, schema: "Tasks", version: 2) { migration in
            serverSteps(for: new, former: former.structure, migration: migration)
        }
        return (files[0].contents, files[1].contents)
    }

    private static func change(_ key: String, _ operation: String, _ entity: String, _ rest: String) -> String {
        #"{"key": "\#(key)", "op": "\#(operation)", "entity": "\#(entity)", \#(rest)}"#
    }

    /// - Returns: The statuses of the responses.
    private static func push(_ changes: [String], _ session: PostgreSQLSession) throws -> [Int] {
        try session.statuses(ofPush: changes)
    }

    private static let ann = PostgreSQLFeed.User.ann.rawValue
    private static let ben = PostgreSQLFeed.User.ben.rawValue

    /// A server of the former version, with a list of Ann that Ben is a member of.
    private static func feed() throws -> PostgreSQLFeed {
        let feed = try PostgreSQLFeed(try schema(former))
        let list = change("list", "create", "List", #""id": "1", "members": {"owner": "\#(ann)", "title": "Home"}"#)
        let member = change("member", "create", "Member", #""id": "1", "members": {"user": "\#(ben)", "list_id": 1}"#)
        let task = change(
            "task", "create", "Task", #""id": "1", "members": {"title": "Milk", "price": 3, "list_id": 1, "note": "x"}"#
        )
        let remark = change("remark", "create", "Remark", #""id": "1", "members": {"text": "Good", "list_id": 1}"#)
        let draft = change("draft", "create", "Draft", #""id": "1", "members": {"author": "\#(ben)", "text": "Plan"}"#)
        #expect(try push([list, member, task, remark], try feed.session(of: .ann)) == [201, 201, 201, 201])
        #expect(try push([draft], try feed.session(of: .ben)) == [201])
        return feed
    }

    private static func titles(_ reader: FeedReader) throws -> [String] {
        try reader.pull()
        return reader.records.filter { $0.key.hasPrefix("Task ") }
            .map { "\($0.value.json["title"] ?? "") \($0.value.json["price"] ?? "")" }.sorted()
    }

    @Test("Devices of both versions read and write between the two files, and the new one after them")
    func bothVersions() throws {
        let feed = try Self.feed()
        let files = try Self.files()
        let (admin, ben) = (try feed.session(), try feed.session(of: .ben))
        let reader = FeedReader(try feed.session(of: .ben))
        #expect(try Self.titles(reader) == ["Milk 3"])

        try admin.rows(files.expand)
        let formerDevice = [
            Self.change("a", "update", "Task", #""id": "1", "members": {"title": "Oat milk"}"#),
            Self.change("b", "create", "Task", #""id": "2", "members": {"title": "Tea", "price": 4, "list_id": 1}"#),
        ]
        let newDevice = [
            Self.change(
                "c", "create", "Task",
                #""id": "3", "members": {"title": "Salt", "price": 0.5, "list_id": 1, "is_urgent": true}"#),
            Self.change("d", "create", "Label", #""id": "1", "members": {"name": "red", "list_id": 1}"#),
            Self.change("e", "update", "List", #""id": "1", "members": {"title": "House"}"#),
        ]
        #expect(try Self.push(formerDevice + newDevice, ben) == [200, 201, 201, 201, 200])
        // A server of the former version writes the former shape.
        try admin.rows("INSERT INTO task (id, title, price, list_id) VALUES (4, 'Rice', 2, 1);")
        #expect(try Self.titles(reader) == ["Oat milk 3", "Rice 2", "Salt 0.5", "Tea 4"])
        #expect(reader.records["List 1"]?.json["title"] == "House")
        #expect(reader.records["List 1"]?.json["owner"] == Self.ann)
        #expect(reader.records["Label 1"] != nil)
        #expect(reader.records["Remark 1"]?.json["text"] == "Good")
        #expect(reader.records["Draft 1"]?.json["text"] == "Plan")
        #expect(
            try admin.rows("SELECT id, price, lockstep_new_price FROM task ORDER BY id;") == [
                "1|3|3", "2|4|4", "3|0|0.5", "4|2|2",
            ])
        #expect(try admin.rows("SELECT owner = holder FROM list;") == ["t"])

        let removed = [
            Self.change("g", "update", "Remark", #""id": "1", "members": {"text": "Fine"}"#),
            Self.change("h", "create", "Remark", #""id": "2", "members": {"text": "Bad", "list_id": 1}"#),
            Self.change("i", "update", "Draft", #""id": "1", "members": {"text": "Note"}"#),
        ]
        #expect(try Self.push(removed, ben) == [200, 201, 200])
        let other = Self.change("j", "update", "Draft", #""id": "1", "members": {"text": "Mine"}"#)
        #expect(try Self.push([other], try feed.session(of: .ann)) == [404])
        try reader.pull()
        let texts = ["Remark 1", "Remark 2", "Draft 1"].map { reader.records[$0]?.json["text"] }
        #expect(texts == ["Fine", "Bad", "Note"])
        #expect(reader.lost == [])

        try admin.rows(files.contract)
        let later = Self.change("f", "update", "Task", #""id": "3", "members": {"price": 1.25}"#)
        #expect(try Self.push([later], ben) == [200])
        #expect(try Self.titles(reader) == ["Oat milk 3", "Rice 2", "Salt 1.25", "Tea 4"])
        let names = "SELECT string_agg(column_name, ' ' ORDER BY column_name) FROM information_schema.columns WHERE "
        let task = "table_schema = current_schema() AND table_name = 'task';"
        #expect(try admin.rows(names + task) == ["id is_urgent list_id price title"])
        #expect(try admin.rows("SELECT to_regclass('draft') IS NULL;") == ["t"])
        #expect(reader.lost == ["draft/1"])
        let index = "schemaname = current_schema() AND indexdef LIKE '%(\"user\")%';"
        #expect(try admin.rows("SELECT count(*) FROM pg_indexes WHERE " + index) == ["1"])
    }

    @Test("In each state, a user who is no member reads and writes nothing, and one who has left reads nothing more")
    func rights() throws {
        let feed = try Self.feed()
        let files = try Self.files()
        let admin = try feed.session()
        let nobody = try feed.session(of: nil)
        let change = Self.change("x", "update", "Task", #""id": "1", "members": {"title": "Mine"}"#)
        for file in [files.expand, files.contract] {
            try admin.rows(file)
            #expect(try nobody.rows("SELECT count(*) FROM task;") == ["0"])
            let reader = FeedReader(nobody)
            try reader.pull()
            #expect(reader.records.isEmpty)
        }
        let ben = try feed.session(of: .ben)
        try admin.rows("DELETE FROM member;")
        #expect(try Self.push([change], ben) == [404])
        #expect(try Self.titles(FeedReader(ben)) == [])
    }

    @Test("Dates and texts become days, and those that are no day become nothing")
    func days() throws {
        let former = Self.former.replacing("note: string?", with: "note: string?, due: date?")
        let new = former.replacing("note: string?, due: date?", with: "note: day?, due: day?")
        let files = try Self.files(from: former, to: new, renames: [:])
        let feed = try PostgreSQLFeed(try Self.schema(former))
        let (admin, ann) = (try feed.session(), try feed.session(of: .ann))
        try admin.rows(
            """
            SET TIME ZONE 'Pacific/Auckland';
            INSERT INTO list (id, owner, title) VALUES (1, '\(Self.ann)', 'Home');
            INSERT INTO task (id, title, price, list_id, note, due) VALUES
                (1, 'a', 0, 1, '2026-11-27', '2026-11-27T00:00:00Z'),
                (2, 'b', 0, 1, '2026-11-27T00:00:00.000Z', '2026-11-27T23:59:59Z'),
                (3, 'c', 0, 1, '2026-11-27T11:00:00Z', NULL), (4, 'd', 0, 1, '2026-02-29', 'infinity'),
                (5, 'e', 0, 1, 'today', NULL);
            """)
        try admin.rows(files.expand)
        let created = Self.change(
            "a", "create", "Task",
            #""id": "6", "members": {"title": "f", "price": 0, "list_id": 1, "due": "2026-12-24"}"#)
        let wrong = ["tomorrow", "infinity", "2026-02-29", "2026-12-24T10:00:00Z", "24.12.2026"].enumerated().map {
            Self.change("w\($0.offset)", "update", "Task", #""id": "6", "members": {"due": "\#($0.element)"}"#)
        }
        #expect(try Self.push([created], ann) == [201])
        #expect(try Self.push(wrong, ann) == [422, 422, 422, 422, 422])
        // In the former shape, it is midnight in UTC.
        #expect(try admin.rows("SELECT due = '2026-12-24T00:00:00Z' FROM task WHERE id = 6;") == ["t"])
        try admin.rows(files.contract)
        #expect(
            try admin.rows("SELECT id, note, due FROM task ORDER BY id;") == [
                "1|2026-11-27|2026-11-27", "2|2026-11-27|2026-11-27", "3||", "4||infinity", "5||", "6||2026-12-24",
            ])
        let reader = FeedReader(ann)
        try reader.pull()
        #expect(reader.records["Task 6"]?.json["due"] == "2026-12-24")
        #expect(reader.records["Task 4"]?.json["due"] == reader.records["Task 5"]?.json["due"])
    }

    @Test("The users of a removed entity are found by links and attributes that have other names, or none, by now")
    func formerPaths() throws {
        let former = """
            lockstep: 1
            schema: Teams
            wire: { names: snake_case }
            entities:
              Team:
                scope: self
                access: { read: [owner, members.person.login], write: owner }
                attributes: { id: int, owner: uuid, title: string }
                relationships: { members: { to: [Member], inverse: team, onDelete: cascade } }
              Person:
                scope: public
                attributes: { id: int, login: uuid }
                relationships: { members: { to: [Member], inverse: person } }
              Member:
                scope: user
                attributes: { id: int, user: uuid }
                relationships:
                  team: { to: Team, inverse: members }
                  person: { to: Person?, inverse: members }

            """
        let new = former.replacing(#/  Team:\n(    .*\n)+  Person/#) { _ in "  Person" }
            .replacing("login", with: "account").replacing("      team: { to: Team, inverse: members }\n", with: "")
        let files = try Self.files(from: former, to: new, renames: [MemberPath("Person", member: "login"): "account"])
        let feed = try PostgreSQLFeed(try Self.schema(former))
        let admin = try feed.session()
        try admin.rows(
            """
            INSERT INTO person (id, login) VALUES (1, '\(Self.ben)');
            INSERT INTO team (id, owner, title) VALUES (1, '\(Self.ann)', 'Blue'), (2, '\(Self.ann)', 'Red');
            INSERT INTO member (id, "user", team_id, person_id) VALUES (1, '\(Self.ben)', 1, 1);
            """)
        try admin.rows(files.expand)
        let reader = FeedReader(try feed.session(of: .ben))
        try reader.pull()
        #expect(reader.identities(of: "Team") == ["1"])
        try admin.rows("DELETE FROM member;")
        try reader.pull()
        #expect(reader.lost == ["team/1"])
        try admin.rows(files.contract)
    }

    @Test("Between the two files, the file of the server is refused; after them, it is not")
    func serverFile() throws {
        let feed = try Self.feed()
        let files = try Self.files()
        let admin = try feed.session()
        let servers = try [Self.former, Self.new].map { text in
            String(decoding: try #require(serverSQL(for: try Self.schema(text))), as: UTF8.self)
        }
        try admin.rows(files.expand)
        for server in servers {
            let failure = #expect(throws: CommandFailure.self) { try feed.session().rows(server) }
            #expect(failure?.output.contains("the tables have the columns of two versions") == true)
        }
        let change = Self.change("a", "update", "Task", #""id": "1", "members": {"price": 4}"#)
        #expect(try Self.push([change], try feed.session(of: .ben)) == [200])
        try admin.rows(files.contract)
        try admin.rows(servers[1])
    }

    @Test("Without the removal of what depends on tables, PostgreSQL refuses the first file")
    func removal() throws {
        let file = try Self.files().expand
        let start = try #require(file.range(of: "-- The parts of the server that depend"))
        let end = try #require(file.range(of: "$lockstep$;\n", range: start.lowerBound..<file.endIndex))
        let without = file.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
        let admin = try Self.feed().session()
        #expect(throws: CommandFailure.self) { try admin.rows(without) }
    }
}
