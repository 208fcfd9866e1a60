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
                    let day = card.dueOn.map { " \(Int($0.timeIntervalSince1970))" } ?? ""
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
        #expect(try await ann.cards() == ["House Door open ", "House Roof in progress 1714521600 red"])
        try await ann.edit { context in
            let cards = try context.fetch(Card.order(\.title))
            cards[0].status = .done
            cards[1].dueOn = Date(timeIntervalSince1970: 1_714_608_000)
            let board = try #require(cards.first?.board)
            let card = Card(title: "Wall", board: board, context: context)
            card.stickers.insert(Sticker(name: "blue", board: board, context: context))
        }
        let summary = try await ann.sync.push()
        #expect(summary.created == 2 && summary.updated == 2 && summary.parked.isEmpty)
        try await other.sync.pull()
        #expect(
            try await other.cards() == [
                "House Door done ", "House Roof in progress 1714608000 red", "House Wall open blue",
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
                "boards:",
                "  adds triggers that record changes, and policies of row-level security",
                "  row-level security is on already",
                "  keeps the policy 'Users change their boards' (ALL), which permits in addition to the new ones",
                "cards:",
                "  adds triggers that record changes, and policies of row-level security",
                "  row-level security is on already",
                "  keeps the policy 'Done cards stay' (DELETE), which restricts the new ones, too",
                "stickers:",
                "  adds triggers that record changes, and policies of row-level security",
                "  switches on row-level security: all but the owner need a policy from now on",
                "card_stickers:",
                "  adds triggers that record changes, and policies of row-level security",
                "  switches on row-level security: all but the owner need a policy from now on",
            ])
        try feed.makeServer(try Self.sample())
        let after = try ImportedDatabase(feed, named: "Boards").adoption(for: try Self.sample()).changes
        #expect(after[0] == "Replaces the server that is there, and keeps what it has recorded.")
        #expect(after.contains("  replaces its triggers and policies"))
        #expect(!after.contains { $0.contains("switches on") })
    }

    @Test(
        "Tables that do not fit are named, with what to do",
        arguments: [
            ("DROP TABLE card_stickers", "card_stickers: there is no such table. Create it with"),
            ("ALTER TABLE cards DROP COLUMN due_on", "cards.due_on: there is no such column. Add it, as TIMESTAMPTZ"),
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
                "cards.title: its type is inet, and Card.title needs text, or an enum. Add `readOnly: true`"
            ),
            ("ALTER TABLE cards ALTER title DROP NOT NULL", "cards.title: it may be NULL, and Card.title is required."),
            ("ALTER TABLE cards ALTER done_at SET NOT NULL", "cards.done_at: it is NOT NULL, and Card.doneAt is"),
            ("ALTER TABLE cards ADD size int NOT NULL", "cards.size: it is NOT NULL without a default"),
            ("ALTER TABLE card_stickers DROP CONSTRAINT card_stickers_pkey", "card_stickers: no primary key"),
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
        "Columns that read and write the same values fit",
        arguments: [
            "ALTER TABLE cards ALTER title TYPE varchar(90)", "ALTER TABLE cards ALTER rank TYPE smallint",
            "ALTER TABLE cards ALTER done_at TYPE timestamp", "ALTER TABLE cards ADD size int NOT NULL DEFAULT 1",
            "ALTER TABLE cards ALTER status DROP DEFAULT; ALTER TABLE cards ALTER status TYPE text",
            "CREATE DOMAIN heading AS text; ALTER TABLE cards ALTER title TYPE heading",
            "ALTER TABLE cards ADD code int; ALTER TABLE cards ALTER due_on TYPE timestamptz",
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
                (card.dueOn, card.doneAt) = (Date(timeIntervalSince1970: 86_400), Date(timeIntervalSince1970: 5))
            }
        }
        #expect(try await ann.sync.push().updated == 2)
        let other = try Device(of: .ann, at: feed)
        try await other.sync.pull()
        #expect(try await other.cards() == ["House Other done 86400 ", "House Other done 86400 red"])
    }
}
