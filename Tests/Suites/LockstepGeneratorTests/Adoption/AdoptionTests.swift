import Foundation
import LockstepEvolution
import LockstepGenerator
import LockstepImport
import LockstepSchema
import LockstepSync
import ServerSamples
import ServerTestSupport
import TestSupport
import Testing

/// A database with tables and rows, such as that of a Supabase project, becomes a server.
@Suite("Tables that are there already become a server", .enabled(if: PostgreSQLServer.isWanted))
struct AdoptionTests {
    /// What Supabase has in each project. All tests have one database.
    private static let users = Result {
        _ = try PostgreSQLServer.require().run(
            """
            CREATE SCHEMA auth;
            CREATE TABLE auth.users (id uuid PRIMARY KEY);
            CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
                SELECT (nullif(current_setting('request.jwt.claims', TRUE), '')::jsonb ->> 'sub')::uuid
            $$;
            GRANT USAGE ON SCHEMA auth TO PUBLIC;
            """)
    }

    private static func boards(_ later: String = "") throws -> PostgreSQLFeed {
        try users.get()
        return try PostgreSQLFeed(tables: ImportedDatabase.fixture("Boards.sql") + later)
    }

    private static func sample() throws -> Schema {
        let path = "Tests/Samples/ServerSamples/Boards.lockstep.yaml"
        let source = SchemaSource(path: path, bytes: Array(try Documentation.text(of: path).utf8))
        return try #require(readSchemas([source]).schemas.first)
    }

    /// Adds the scopes, as a user does by hand, and leaves out what devices do not read.
    private static func addScopes(_ text: String) -> String {
        let payments = text.range(of: "  Payment:\n")!.lowerBound..<text.range(of: "  Sticker:\n")!.lowerBound
        return text.replacingCharacters(in: payments, with: "")
            .replacing("    table: boards\n", with: "    table: boards\n    scope: userID\n")
            .replacing("    table: cards\n", with: "    table: cards\n    scope: board\n")
            .replacing("    table: stickers\n", with: "    table: stickers\n    scope: board\n")
    }

    /// A device of a user.
    private struct Device {
        let store: Store
        let sync: Sync

        init(of user: PostgreSQLFeed.User, at feed: PostgreSQLFeed) throws {
            store = try Store(BoardsSchema.self, at: .inMemory)
            let gateway = try PostgreSQLGateway(feed, user: user)
            sync = Sync(
                store: store, remote: PostgRESTRemote(URL(string: "https://example.com/rest")!, client: gateway))
        }

        func cards() async throws -> [String] {
            try await store.perform { context in
                try context.fetch(Card.order(\.title)).map { card in
                    let stickers = card.stickers.map(\.name).sorted().joined(separator: "+")
                    let day = card.dueOn.map { " \($0)" } ?? ""
                    return "\(card.board.name) \(card.title) \(card.status.rawValue)\(day) \(stickers)"
                }
            }
        }

        func edit(_ body: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
            try await store.perform { context in
                try body(context)
                try context.save()
            }
        }
    }

    @Test("Devices sync the rows that were there, and nothing of the tables was renamed or changed")
    func adoption() async throws {
        let feed = try Self.boards()
        let before = try ImportedDatabase(feed, named: "Boards")
        let schema = try before.schema(changing: Self.addScopes)
        #expect(try StructureHash(schema.structure) == StructureHash(Self.sample().structure))
        let adoption = try before.adoption(for: schema)
        #expect(adoption.misfits == [])
        try feed.makeServer(schema)

        let (ann, other) = (try Device(of: .ann, at: feed), try Device(of: .ann, at: feed))
        try await ann.sync.pull()
        #expect(try await ann.cards() == ["House Door open ", "House Roof in progress 2024-05-01 red"])
        try await ann.edit { context in
            let cards = try context.fetch(Card.order(\.title))
            cards[0].status = .done
            cards[1].dueOn = cards[1].dueOn?.advanced(by: 1)
            let board = try #require(cards.first?.board)
            let card = Card(title: "Wall", board: board, context: context)
            card.stickers.insert(Sticker(name: "blue", board: board, context: context))
        }
        let summary = try await ann.sync.push()
        #expect(summary.created == 2 && summary.updated == 2 && summary.parked.isEmpty)
        try await other.sync.pull()
        #expect(
            try await other.cards() == [
                "House Door done ", "House Roof in progress 2024-05-02 red", "House Wall open blue",
            ])

        let after = try ImportedDatabase(feed, named: "Boards")
        #expect(
            try StructureHash(after.schema(changing: Self.addScopes).structure) == StructureHash(schema.structure))
        #expect(
            try feed.session().rows("SELECT title, status, due_on FROM cards ORDER BY title;") == [
                "Door|done|", "Mast|done|", "Roof|in progress|2024-05-02", "Wall|open|",
            ])
    }

    @Test("Another user sees none of it, and a policy that restricts still does")
    func policies() async throws {
        let feed = try Self.boards()
        try feed.makeServer(try Self.sample())
        let ben = try Device(of: .ben, at: feed)
        try await ben.sync.pull()
        #expect(try await ben.cards() == ["Boat Mast done "])
        try await ben.edit { context in for card in try context.fetch(Card.all()) { context.delete(card) } }
        #expect(try await ben.sync.push().parked.count == 1)
        #expect(try feed.session().rows("SELECT count(*) FROM cards WHERE title = 'Mast';") == ["1"])
    }

    @Test("What would change is said in words, with the policies that stay")
    func dryRun() throws {
        let feed = try Self.boards()
        let before = try ImportedDatabase(feed, named: "Boards").adoption(for: try Self.sample()).changes
        #expect(
            before == [
                "Creates tables and functions whose names begin with lockstep_, and records the rows that are there.",
                "Does not rename or change a column, and changes no row.",
                "Lets authenticated read and write these tables, and anon read them, as far as policies permit.",
                "Creates the roles authenticated and anon, if the database does not have them.",
                "Creates a cast from text to card_status, which assignments in the whole database use, if it has none.",
                "boards:",
                "  adds triggers that record changes, and policies of row-level security",
                "  refuses TRUNCATE",
                "  adds an index on (\"user_id\")",
                "  row-level security is on already",
                "  keeps the policy 'Users change their boards' (ALL), which permits in addition to the new ones",
                "cards:",
                "  adds triggers that record changes, and policies of row-level security",
                "  refuses TRUNCATE",
                "  row-level security is on already",
                "  keeps the policy 'Done cards stay' (DELETE), which restricts the new ones, too",
                "stickers:",
                "  adds triggers that record changes, and policies of row-level security",
                "  refuses TRUNCATE",
                "  switches on row-level security: all but the owner need a policy from now on",
                "card_stickers:",
                "  adds triggers that record changes, and policies of row-level security",
                "  refuses TRUNCATE",
                "  switches on row-level security: all but the owner need a policy from now on",
            ])
        try feed.makeServer(try Self.sample())
        let after = try ImportedDatabase(feed, named: "Boards").adoption(for: try Self.sample()).changes
        #expect(after[0] == "Replaces the server that is there, and keeps what it has recorded.")
        #expect(after.contains("  replaces its triggers and policies"))
        #expect(!after.contains { $0.contains("switches on") || $0.contains("adds an index") })
    }

    @Test("A policy that is only named like those of the server stays, and is listed")
    func ownPolicies() throws {
        let feed = try Self.boards("CREATE POLICY lockstep_owners ON stickers USING (TRUE);")
        let changes = try ImportedDatabase(feed, named: "Boards").adoption(for: try Self.sample()).changes
        #expect(changes.contains { $0.hasPrefix("  keeps the policy 'lockstep_owners' (ALL), which permits in") })
    }

    @Test("A column whose name follows from that of its relationship is renamed in the database")
    func derivedNames() throws {
        let feed = try Self.boards("ALTER TABLE card_stickers RENAME card_id TO c;")
        let misfits = try ImportedDatabase(feed, named: "Boards").adoption(for: try Self.sample()).misfits
        let misfit = try #require(misfits.first { $0.description.hasPrefix("card_stickers.card_id: there is no such") })
        #expect(misfit.description.contains("or rename the one that has its values"))
        #expect(!misfits.contains { $0.description.contains("`column:`") || $0.description.contains("`identity:`") })
        #expect(misfits.last?.description.hasSuffix("devices do not send it. Set a default.") == true)
    }

    @Test("A dry run says where the tables are less than the schema, also if a table's name is too long for PostgreSQL")
    func differences() throws {
        let name = String(repeating: "long", count: 20)
        let text = """
            lockstep: 1
            schema: Shops
            wire: { names: snake_case }
            entities:
              Shop:
                scope: owner
                attributes: { id: uuid, owner: uuid }
                relationships: { sales: { to: [Sale], inverse: shop, onDelete: cascade } }
              Sale:
                table: \(name)
                scope: owner
                attributes: { id: uuid, owner: uuid, price: decimal }
                relationships: { shop: { to: Shop, inverse: sales } }

            """
        let reading = readSchemas([SchemaSource(path: "Shops.yaml", bytes: Array(text.utf8))])
        let schema = try #require(reading.schemas.first)
        let tables = """
            CREATE TABLE shop (id uuid PRIMARY KEY, owner uuid NOT NULL);
            CREATE TABLE "\(SQLDialect.postgresql.accepted(name))" (
                id uuid PRIMARY KEY, owner uuid NOT NULL, price numeric(10,2) NOT NULL, shop_id uuid NOT NULL
            );
            """
        let feed = try PostgreSQLFeed(tables: tables)
        let adoption = try ImportedDatabase(feed, named: "Shops").adoption(for: schema)
        #expect(adoption.misfits == [])
        let lines = adoption.changes.drop { !$0.hasPrefix("long") }
        #expect(lines.contains("  rounds price to numeric(10,2)"))
        #expect(lines.contains("  has no foreign key over shop_id: what it refers to can be missing"))
        #expect(lines.contains("  refuses links to records that the user does not read"))
    }

    @Test(
        "Tables that do not fit are named, with what to do",
        arguments: [
            ("DROP TABLE card_stickers", "card_stickers: there is no such table. Create it with"),
            ("ALTER TABLE cards DROP COLUMN due_on", "cards.due_on: there is no such column. Add it, as DATE"),
            (
                "ALTER TABLE cards RENAME done_at TO ended",
                "cards.done_at: there is no such column. Add it, as TIMESTAMP"
            ),
            ("ALTER TABLE cards ALTER rank TYPE text", "cards.rank: its type is text, and Card.rank needs integer."),
            (
                "ALTER TABLE cards ALTER rank TYPE bigint",
                "cards.rank: its type is bigint, and Card.rank needs integer."
            ),
            (
                "ALTER TABLE cards ALTER title TYPE inet USING NULL",
                "cards.title: its type is inet, and Card.title needs text. Add `readOnly: true`"
            ),
            ("ALTER TABLE cards ALTER title DROP NOT NULL", "cards.title: it may be NULL, and Card.title is required."),
            ("ALTER TABLE cards ALTER done_at SET NOT NULL", "cards.done_at: it is NOT NULL, and Card.doneAt is"),
            ("ALTER TABLE cards ADD size int NOT NULL", "cards.size: it is NOT NULL without a default"),
            ("ALTER TABLE card_stickers DROP CONSTRAINT card_stickers_pkey", "card_stickers: no primary key"),
            ("ALTER TABLE cards FORCE ROW LEVEL SECURITY", "cards: FORCE ROW LEVEL SECURITY hides its rows from"),
            ("CREATE TABLE later () INHERITS (cards)", "cards: it has partitions, parents or children"),
            ("CREATE TABLE base (id uuid); ALTER TABLE cards INHERIT base", "cards: it has partitions, parents or"),
            (
                "ALTER TABLE card_stickers RENAME TO old; "
                    + "CREATE TABLE card_stickers (card_id uuid NOT NULL, sticker_id uuid NOT NULL, "
                    + "PRIMARY KEY (card_id, sticker_id)) PARTITION BY HASH (card_id)",
                "card_stickers: it has partitions, parents or children"
            ),
            (
                "ALTER TABLE cards ALTER rank TYPE smallint",
                "cards.rank: its type is smallint, and Card.rank needs integer."
            ),
            (
                "ALTER TABLE boards ALTER name TYPE varchar(60)",
                "boards.name: it refuses texts that are longer than 60, and Board.name permits"
            ),
            (
                "ALTER TABLE cards ALTER due_on TYPE timestamptz",
                "cards.due_on: its type is timestamp with time zone, and Card.dueOn needs date"
            ),
            ("ALTER TABLE stickers ALTER name TYPE varchar(60)", "stickers.name: it refuses texts that are"),
            (
                "ALTER TABLE cards DROP rank, ADD rank int GENERATED ALWAYS AS (1) STORED NOT NULL",
                "cards.rank: only the database writes it. Add `readOnly: true` to Card.rank."
            ),
        ])
    func misfits(change: String, message: String) throws {
        let rows = "DELETE FROM cards; DELETE FROM card_stickers;"
        let feed = try Self.boards("\(rows) ALTER TABLE cards DROP CONSTRAINT cards_title_check; \(change);")
        let misfits = try ImportedDatabase(feed, named: "Boards").adoption(for: try Self.sample()).misfits
        #expect(misfits.count == 1)
        #expect(misfits.first?.description.hasPrefix(message) == true)
    }

    @Test(
        "A type that changes values, or that the server cannot compare, does not fit",
        arguments: [
            ("price integer", ["day.price: its type is integer, and Day.price needs numeric with decimals."]),
            ("price numeric(5,0)", ["day.price: its type is numeric(5,0), and Day.price needs numeric with decimals."]),
            ("price numeric(5,2)", []), ("price numeric", []),
            ("weight real", ["day.weight: its type is real, and Day.weight needs double precision."]),
            ("name mood", ["day.name: its type is mood, and Day.name needs text."]),
            ("owner mood", ["day.owner: its type is mood, and Day.owner needs text."]),
            ("feeling mood", []),
            (
                "feeling glum",
                ["day.feeling: its type is glum, and Day.feeling needs text, or an enum. Correct its type in"]
            ),
            ("name char(4)", ["day.name: its type is character(4), and Day.name needs text. Run ALTER TABLE … ALTER"]),
            ("feeling char(4)", ["day.feeling: its type is character(4), and Day.feeling needs text, or an enum. Run"]),
            ("owner bpchar", ["day.owner: its type is bpchar, and Day.owner needs text. Run ALTER TABLE … ALTER"]),
        ])
    func narrowTypes(column: String, messages: [String]) throws {
        let columns = ["name text", "owner text", "feeling text", "price numeric", "weight double precision"]
            .map { $0.prefix { $0 != " " } == column.prefix { $0 != " " } ? column : $0 }
            .map { "\($0) NOT NULL" }.joined(separator: ", ")
        let tables = """
            CREATE TYPE mood AS ENUM ('glad', 'sad');
            CREATE DOMAIN glum AS mood CHECK (VALUE = 'sad');
            CREATE TABLE day (\(columns), PRIMARY KEY (name));
            """
        let text = """
            lockstep: 1
            schema: Days
            enums: { Mood: [glad, sad] }
            entities:
              Day:
                identity: name
                scope: owner
                attributes: { name: Mood, owner: string, feeling: Mood, price: decimal, weight: double }

            """
        let reading = readSchemas([SchemaSource(path: "Days.yaml", bytes: Array(text.utf8))])
        let schema = try #require(reading.schemas.first, "\(reading.diagnostics)")
        let misfits = try ImportedDatabase(PostgreSQLFeed(tables: tables), named: "Days").adoption(for: schema).misfits
        #expect(misfits.count == messages.count)
        #expect(zip(misfits, messages).allSatisfy { $0.description.hasPrefix($1) }, "\(misfits)")
    }

    @Test(
        "Columns that read and write the same values fit",
        arguments: [
            "ALTER TABLE boards ALTER name TYPE varchar(90)",
            "ALTER TABLE cards ALTER done_at TYPE timestamp", "ALTER TABLE cards ADD size int NOT NULL DEFAULT 1",
            "ALTER TABLE cards ALTER status DROP DEFAULT; ALTER TABLE cards ALTER status TYPE text",
            "CREATE DOMAIN heading AS text; ALTER TABLE cards ALTER title TYPE heading",
            "ALTER TABLE cards ADD code int; ALTER TABLE cards ALTER done_at TYPE date",
        ])
    func fits(change: String) async throws {
        let feed = try Self.boards("DROP POLICY \"Done cards stay\" ON cards; \(change);")
        let schema = try Self.sample()
        #expect(try ImportedDatabase(feed, named: "Boards").adoption(for: schema).misfits == [])
        try feed.makeServer(schema)
        let ann = try Device(of: .ann, at: feed)
        try await ann.sync.pull()
        try await ann.edit { context in
            for card in try context.fetch(Card.all()) {
                (card.title, card.status, card.rank) = ("Other", .done, 7)
                (card.dueOn, card.doneAt) = (Day("9999-12-31"), Date(timeIntervalSince1970: 5))
            }
        }
        #expect(try await ann.sync.push().updated == 2)
        let other = try Device(of: .ann, at: feed)
        try await other.sync.pull()
        #expect(try await other.cards() == ["House Other done 9999-12-31 ", "House Other done 9999-12-31 red"])
    }
}
