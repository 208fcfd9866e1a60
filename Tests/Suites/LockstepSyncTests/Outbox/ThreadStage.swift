import LockstepEvolution
@_spi(Generated) import LockstepStore
import LockstepSync
import RuntimeTestSupport

/// A topic whose replies have replies of their own, at any depth, and quote one another: all of it is sent
/// with the topic.
enum Threads: StructuredSchema {
    enum Topics: WordKind { static let entity = compiled.entity("Topic") }
    enum Replies: WordKind { static let entity = compiled.entity("Reply") }

    static let entities: [any Model.Type] = [Word<Topics>.self, Word<Replies>.self]
    static let compiled = CompiledSchema(Threads.self)
    static let tables = SchemaStructure(
        name: "Threads",
        entities: [
            EntityStructure(
                name: "Topic", table: "topic", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .int), .attribute("name", as: .string)],
                relationships: [
                    .toMany(
                        "replies", to: "Reply", inverse: "topic", onDelete: .cascade,
                        wire: .embedded(path: ["replies"]))
                ], remote: RemoteStructure(path: "/topics")),
            EntityStructure(
                name: "Reply", table: "reply", identity: .local("localID", remote: "remoteID"),
                attributes: [
                    AttributeStructure(name: "localID", column: "local_id", type: .scalar(.string)),
                    AttributeStructure(
                        name: "remoteID", column: "remote_id", type: .scalar(.int), isOptional: true, isUnique: true,
                        wire: WireStructure(path: ["id"])),
                    .attribute("text", as: .string),
                ],
                relationships: [
                    .toOne("topic", to: "Topic", inverse: "replies", column: "topic_id"),
                    .toOne("parent", to: "Reply", inverse: "replies", column: "parent_id"),
                    .toMany(
                        "replies", to: "Reply", inverse: "parent", onDelete: .cascade,
                        wire: .embedded(path: ["replies"])),
                    .toOne("quote", to: "Reply", column: "quote_id", wire: .embedded(path: ["quote"])),
                    .toMany(
                        "notes", to: "Reply", inverse: "noted",
                        storage: .joinTable(
                            JoinTableStructure(
                                name: "reply_note", leftColumns: ["reply_id"], rightColumns: ["note_id"])),
                        wire: .embedded(path: ["notes"])),
                    .toMany("noted", to: "Reply", inverse: "notes", storage: .inverseJoinTable("reply_note")),
                ]),
        ])

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
enum Boards: StructuredSchema {
    enum Board: WordKind { static let entity = compiled.entity("Board") }
    enum Card: WordKind { static let entity = compiled.entity("Card") }
    enum Lane: WordKind { static let entity = compiled.entity("Lane") }

    static let entities: [any Model.Type] = [Word<Board>.self, Word<Card>.self, Word<Lane>.self]
    static let compiled = CompiledSchema(Boards.self)
    static let tables = SchemaStructure(
        name: "Boards",
        entities: [
            EntityStructure(
                name: "Board", table: "board", identity: .attributes(["id"]), attributes: [.attribute("id", as: .int)],
                relationships: [
                    .toMany(
                        "cards", to: "Card", inverse: "board", onDelete: .cascade, wire: .embedded(path: ["cards"])),
                    .toMany(
                        "lanes", to: "Lane", inverse: "board", onDelete: .cascade, wire: .embedded(path: ["lanes"])),
                ], remote: RemoteStructure(path: "/boards")),
            EntityStructure(
                name: "Card", table: "card", identity: .attributes(["id"]), attributes: [.attribute("id", as: .int)],
                relationships: [
                    .toOne("board", to: "Board", inverse: "cards", column: "board_id"),
                    .toOne("lane", to: "Lane", inverse: "shown", column: "lane_id"),
                ]),
            EntityStructure(
                name: "Lane", table: "lane", identity: .attributes(["id"]), attributes: [.attribute("id", as: .int)],
                relationships: [
                    .toOne("board", to: "Board", inverse: "lanes", column: "board_id"),
                    .toMany("shown", to: "Card", inverse: "lane", wire: .embedded(path: ["shown"])),
                ]),
        ])
}

/// Eight entities, each embedded in the one before; records of the first are sent by themselves.
enum Boxes: StructuredSchema {
    enum Box0: WordKind { static let entity = compiled.entity("Box0") }
    enum Box1: WordKind { static let entity = compiled.entity("Box1") }
    enum Box2: WordKind { static let entity = compiled.entity("Box2") }
    enum Box3: WordKind { static let entity = compiled.entity("Box3") }
    enum Box4: WordKind { static let entity = compiled.entity("Box4") }
    enum Box5: WordKind { static let entity = compiled.entity("Box5") }
    enum Box6: WordKind { static let entity = compiled.entity("Box6") }
    enum Box7: WordKind { static let entity = compiled.entity("Box7") }

    static let entities: [any Model.Type] = [
        Word<Box0>.self, Word<Box1>.self, Word<Box2>.self, Word<Box3>.self, Word<Box4>.self, Word<Box5>.self,
        Word<Box6>.self, Word<Box7>.self,
    ]
    static let compiled = CompiledSchema(Boxes.self)
    static let tables = SchemaStructure(name: "Boxes", entities: (0..<8).map(box))

    private static func box(_ depth: Int) -> EntityStructure {
        var box = EntityStructure(
            name: "Box\(depth)", table: "box\(depth)", identity: .attributes(["id"]),
            attributes: [.attribute("id", as: .int), .attribute("name", as: .string)])
        if depth == 0 { box.remote = RemoteStructure(path: "/boxes") }
        if depth > 0 {
            box.relationships.append(.toOne("outer", to: "Box\(depth - 1)", inverse: "inner", column: "outer_id"))
        }
        if depth < 7 {
            box.relationships.append(
                .toMany("inner", to: "Box\(depth + 1)", inverse: "outer", wire: .embedded(path: ["inner"])))
        }
        return box
    }
}
