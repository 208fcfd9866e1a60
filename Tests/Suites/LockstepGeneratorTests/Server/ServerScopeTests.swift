import LockstepSchema
import ServerTestSupport
import Testing

/// Scopes of each kind, with keys of each type, at the end of paths of each length.
@Suite("The scopes of a PostgreSQL server", .enabled(if: PostgreSQLServer.isWanted))
struct ServerScopeTests {
    private static let schema = """
        lockstep: 1
        schema: Town
        entities:
          Room:
            scope: self
            identity: code
            access: { read: [owner], write: [owner] }
            attributes: { code: string, owner: string, title: string }
          Seat:
            scope: room
            attributes: { id: int, name: string }
            relationships: { room: Room }
          Leg:
            scope: seat
            attributes: { id: int, name: string }
            relationships: { seat: Seat }
          Team:
            scope: self
            access: { read: [boss], write: [boss] }
            attributes: { id: int16, boss: string }
          Note:
            scope: owner
            attributes: { id: int, owner: string }
          Part:
            scope: note
            attributes: { id: int, text: string }
            relationships: { note: Note }
          Land:
            scope: public
            attributes: { id: int, name: string }
          Town:
            scope: land
            attributes: { id: int, name: string }
            relationships: { land: Land }
          Street:
            scope: town
            access: { write: everyone }
            attributes: { id: int, name: string }
            relationships: { town: Town }
        """

    private static let changes = """
        SELECT json_array_elements(lockstep_push(json_build_array(
            json_build_object('key', '1', 'op', 'create', 'entity', 'Room', 'id', 'r''"/ 1',
                'members', json_build_object('owner', lockstep_user(), 'title', 'Blue')),
            json_build_object('key', '2', 'op', 'create', 'entity', 'Seat', 'id', 2,
                'members', json_build_object('name', 'Red', 'roomID', 'r''"/ 1')),
            json_build_object('key', '3', 'op', 'create', 'entity', 'Leg', 'id', 3,
                'members', json_build_object('name', 'Left', 'seatID', 2)),
            json_build_object('key', '4', 'op', 'create', 'entity', 'Team', 'id', 4,
                'members', json_build_object('boss', lockstep_user())),
            json_build_object('key', '5', 'op', 'create', 'entity', 'Note', 'id', 5,
                'members', json_build_object('owner', lockstep_user())),
            json_build_object('key', '6', 'op', 'create', 'entity', 'Part', 'id', 6,
                'members', json_build_object('text', 'x', 'noteID', 5)),
            json_build_object('key', '7', 'op', 'create', 'entity', 'Street', 'id', 7,
                'members', json_build_object('name', 'High', 'townID', 1))
        )) -> 'responses') ->> 'status';
        """

    @Test("A record is read and written by those of its scope, whatever the scope is made of")
    func kinds() throws {
        let reading = readSchemas([SchemaSource(path: "Town.yaml", bytes: Array(Self.schema.utf8))])
        let feed = try PostgreSQLFeed(try #require(reading.schemas.first))
        try feed.session().rows("INSERT INTO land VALUES (1, 'Land'); INSERT INTO town VALUES (1, 'Town', 1);")
        let (ann, ben) = (try feed.session(of: .ann), try feed.session(of: .ben))
        #expect(try ann.rows(Self.changes) == Array(repeating: "201", count: 7))
        let tables = ["room", "seat", "leg", "team", "note", "part", "land", "town", "street"]
        let counts = tables.map { "SELECT count(*) FROM \($0);" }.joined()
        #expect(try ann.rows(counts) == Array(repeating: "1", count: 9))
        #expect(try ben.rows(counts) == Array(repeating: "0", count: 6) + ["1", "1", "1"])
        let readers = (try reader(of: ann), try reader(of: ben))
        #expect(readers.0.records.count == 9)
        #expect(readers.1.records.keys.sorted() == ["Land 1", "Street 7", "Town 1"])
    }

    @Test("A function that was written by hand may return what is no scope")
    func byHand() throws {
        let feed = try PostgreSQLFeed(
            yaml: """
                lockstep: 1
                schema: Lists
                server: { access: custom }
                entities:
                  List: { scope: self, attributes: { id: uuid, title: string } }
                """)
        let (admin, ben) = (try feed.session(), try feed.session(of: .ben))
        try admin.rows(
            """
            INSERT INTO list VALUES ('\(uuid(1))', 'One'), ('\(uuid(2))', 'Two');
            CREATE OR REPLACE FUNCTION lockstep_readable() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER
                AS $$ VALUES ('list/x'), ('list/'), ('user:y'), (NULL), ('list/\(uuid(2))') $$;
            """)
        #expect(try ben.rows("SELECT title FROM list;") == ["Two"])
        #expect(try reader(of: ben).records.count == 1)
    }

    private func reader(of session: PostgreSQLSession) throws -> FeedReader {
        let reader = FeedReader(session)
        try reader.pull()
        return reader
    }
}
