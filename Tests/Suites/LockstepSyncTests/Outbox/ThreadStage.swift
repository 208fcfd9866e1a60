import LockstepEvolution
@_spi(Generated) import LockstepStore
import LockstepSync
import RuntimeTestSupport

/// A topic whose replies have replies of their own, at any depth, and quote one another: all of it is sent
/// with the topic.
enum Threads: StoreSchema {
    enum Topics: WordKind {
        static let entity = EntityDescription(
            name: "Topic", table: "topic", identity: .columns([0]),
            columns: [
                .attribute("id", .int),
                .attribute("name", .string),
            ],
            relationships: [
                .toMany(
                    "replies", to: Word<Replies>.self, inverse: "topic", onDelete: .cascade, wire: .embedded("replies"))
            ], remote: RemoteStructure(path: "/topics"))
    }

    enum Replies: WordKind {
        static let entity = EntityDescription(
            name: "Reply", table: "reply", identity: .local(0, remote: 1),
            columns: [
                .attribute("localID", .string, column: "local_id", wire: nil),
                .attribute("remoteID", .int, column: "remote_id", isOptional: true, isUnique: true, wire: "id"),
                .attribute("text", .string),
                .foreignKey("topic", column: "topic_id", .int),
                .foreignKey("parent", column: "parent_id", .string),
                .foreignKey("quote", column: "quote_id", .string),
            ],
            relationships: [
                .toOne("topic", to: Word<Topics>.self, inverse: "replies", columns: [3]),
                .toOne("parent", to: Word<Replies>.self, inverse: "replies", columns: [4]),
                .toMany(
                    "replies", to: Word<Replies>.self, inverse: "parent", onDelete: .cascade, wire: .embedded("replies")
                ),
                .toOne("quote", to: Word<Replies>.self, columns: [5], wire: .embedded("quote")),
                .manyToMany(
                    "notes", to: Word<Replies>.self, inverse: "noted", table: "reply_note",
                    sourceColumns: ["reply_id"], destinationColumns: ["note_id"], wire: .embedded("notes")),
                .manyToMany(
                    "noted", to: Word<Replies>.self, inverse: "notes", table: "reply_note",
                    sourceColumns: ["note_id"], destinationColumns: ["reply_id"]),
            ])
    }

    static let name = "Threads"
    static let version = 1
    static let entities: [any Model.Type] = [Word<Topics>.self, Word<Replies>.self]
    static let compiled = CompiledSchema(entities: entities, statements: statements)
    static let statements = [
        "CREATE TABLE topic (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL)",
        """
        CREATE TABLE reply (local_id TEXT PRIMARY KEY NOT NULL, remote_id INTEGER UNIQUE, text TEXT NOT NULL, \
        topic_id INTEGER, parent_id TEXT, quote_id TEXT)
        """,
        "CREATE INDEX reply_topic ON reply (topic_id)", "CREATE INDEX reply_parent ON reply (parent_id)",
        "CREATE INDEX reply_quote ON reply (quote_id)",
        "CREATE TABLE reply_note (reply_id TEXT NOT NULL, note_id TEXT NOT NULL, PRIMARY KEY (reply_id, note_id))",
        "CREATE INDEX reply_note_note ON reply_note (note_id)",
        """
        CREATE TRIGGER topic_delete AFTER DELETE ON topic BEGIN DELETE FROM reply WHERE topic_id = OLD.id; END
        """,
        """
        CREATE TRIGGER reply_delete AFTER DELETE ON reply BEGIN DELETE FROM reply WHERE parent_id = OLD.local_id; END
        """,
    ]

    /// Replies to replies, from `r1` on, under topic 1, and topic 2 without any.
    static func seed(_ count: Int) -> String {
        let first = """
            INSERT INTO topic VALUES (1, 'one'), (2, 'two');
            INSERT INTO reply VALUES ('r1', 1, 'text', 1, NULL, NULL);
            """
        return first
            + (2...count).map { "INSERT INTO reply VALUES ('r\($0)', \($0), 'text', NULL, 'r\($0 - 1)', NULL);" }
            .joined()
    }
}

/// A board with cards and lanes; a lane shows cards of the board, which are not its own.
enum Boards: StoreSchema {
    enum Board: WordKind {
        static let entity = EntityDescription(
            name: "Board", table: "board", identity: .columns([0]),
            columns: [.attribute("id", .int)],
            relationships: [
                .toMany("cards", to: Word<Card>.self, inverse: "board", onDelete: .cascade, wire: .embedded("cards")),
                .toMany("lanes", to: Word<Lane>.self, inverse: "board", onDelete: .cascade, wire: .embedded("lanes")),
            ], remote: RemoteStructure(path: "/boards"))
    }

    enum Card: WordKind {
        static let entity = EntityDescription(
            name: "Card", table: "card", identity: .columns([0]),
            columns: [
                .attribute("id", .int), .foreignKey("board", column: "board_id", .int),
                .foreignKey("lane", column: "lane_id", .int),
            ],
            relationships: [
                .toOne("board", to: Word<Board>.self, inverse: "cards", columns: [1]),
                .toOne("lane", to: Word<Lane>.self, inverse: "shown", columns: [2]),
            ])
    }

    enum Lane: WordKind {
        static let entity = EntityDescription(
            name: "Lane", table: "lane", identity: .columns([0]),
            columns: [
                .attribute("id", .int), .foreignKey("board", column: "board_id", .int),
            ],
            relationships: [
                .toOne("board", to: Word<Board>.self, inverse: "lanes", columns: [1]),
                .toMany("shown", to: Word<Card>.self, inverse: "lane", wire: .embedded("shown")),
            ])
    }

    static let name = "Boards"
    static let version = 1
    static let entities: [any Model.Type] = [Word<Board>.self, Word<Card>.self, Word<Lane>.self]
    static let compiled = CompiledSchema(entities: entities, statements: statements)
    static let statements = [
        "CREATE TABLE board (id INTEGER PRIMARY KEY NOT NULL)",
        "CREATE TABLE card (id INTEGER PRIMARY KEY NOT NULL, board_id INTEGER, lane_id INTEGER)",
        "CREATE TABLE lane (id INTEGER PRIMARY KEY NOT NULL, board_id INTEGER)",
        "CREATE INDEX card_board ON card (board_id)", "CREATE INDEX lane_board ON lane (board_id)",
        "CREATE INDEX card_lane ON card (lane_id)",
    ]
}

/// Eight entities, each embedded in the one before; records of the first are sent by themselves.
enum Boxes: StoreSchema {
    enum Box0: WordKind { static let entity = EntityDescription(box: 0, nil, Word<Box1>.self) }
    enum Box1: WordKind { static let entity = EntityDescription(box: 1, Word<Box0>.self, Word<Box2>.self) }
    enum Box2: WordKind { static let entity = EntityDescription(box: 2, Word<Box1>.self, Word<Box3>.self) }
    enum Box3: WordKind { static let entity = EntityDescription(box: 3, Word<Box2>.self, Word<Box4>.self) }
    enum Box4: WordKind { static let entity = EntityDescription(box: 4, Word<Box3>.self, Word<Box5>.self) }
    enum Box5: WordKind { static let entity = EntityDescription(box: 5, Word<Box4>.self, Word<Box6>.self) }
    enum Box6: WordKind { static let entity = EntityDescription(box: 6, Word<Box5>.self, Word<Box7>.self) }
    enum Box7: WordKind { static let entity = EntityDescription(box: 7, Word<Box6>.self, nil) }

    static let name = "Boxes"
    static let version = 1
    static let entities: [any Model.Type] = [
        Word<Box0>.self, Word<Box1>.self, Word<Box2>.self, Word<Box3>.self, Word<Box4>.self, Word<Box5>.self,
        Word<Box6>.self, Word<Box7>.self,
    ]
    static let compiled = CompiledSchema(entities: entities, statements: statements)
    static let statements = (0..<8).map {
        "CREATE TABLE box\($0) (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, outer_id INTEGER)"
    }
}

extension EntityDescription {
    fileprivate init(box depth: Int, _ outer: (any Model.Type)?, _ inner: (any Model.Type)?) {
        let outers = outer.map { RelationshipDescription.toOne("outer", to: $0, inverse: "inner", columns: [2]) }
        let inners = inner.map {
            RelationshipDescription.toMany("inner", to: $0, inverse: "outer", wire: .embedded("inner"))
        }
        self.init(
            name: "Box\(depth)", table: "box\(depth)", identity: .columns([0]),
            columns: [
                .attribute("id", .int),
                .attribute("name", .string),
                .foreignKey("outer", column: "outer_id", .int),
            ], relationships: [outers, inners].compactMap(\.self),
            remote: depth == 0 ? RemoteStructure(path: "/boxes") : nil)
    }
}
