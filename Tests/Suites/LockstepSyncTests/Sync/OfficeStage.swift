import LockstepEvolution
@_spi(Generated) import LockstepStore
import LockstepSync
import RuntimeTestSupport

/// Collections whose records have UUIDs, one whose records have none, and one with UUIDs only inside its records.
enum Office: StoreSchema {
    enum Albums: WordKind {
        static let entity = EntityDescription(
            name: "Album", table: "album", identity: .columns([0]),
            columns: [.attribute("id", .uuid), .attribute("title", .string)],
            relationships: [.toMany("memos", to: Word<Memos>.self, inverse: "album")],
            remote: RemoteStructure(path: "/albums"))
    }

    enum Memos: WordKind {
        static let entity = EntityDescription(
            name: "Memo", table: "memo", identity: .columns([0]),
            columns: [
                .attribute("id", .uuid), .attribute("text", .string), .foreignKey("album", column: "album_id", .uuid),
            ],
            relationships: [
                .toOne("album", to: Word<Albums>.self, inverse: "memos", columns: [2], wire: .id(["album_id"]))
            ], remote: RemoteStructure(path: "/memos"))
    }

    enum Tags: WordKind {
        static let entity = EntityDescription(
            name: "Tag", table: "tag", identity: .columns([0]),
            columns: [.attribute("id", .int), .attribute("name", .string)], remote: RemoteStructure(path: "/tags"))
    }

    enum Orders: WordKind {
        static let entity = EntityDescription(
            name: "Order", table: "orders", identity: .columns([0]),
            columns: [.attribute("id", .int), .attribute("name", .string)],
            relationships: [
                .toMany("lines", to: Word<Lines>.self, inverse: "order", onDelete: .cascade, wire: .embedded("lines"))
            ], remote: RemoteStructure(path: "/orders"))
    }

    enum Lines: WordKind {
        static let entity = EntityDescription(
            name: "Line", table: "line", identity: .columns([0]),
            columns: [
                .attribute("id", .uuid), .attribute("title", .string), .foreignKey("order", column: "order_id", .int),
            ],
            relationships: [
                .toOne("order", to: Word<Orders>.self, inverse: "lines", columns: [2]),
                .toMany(
                    "stamps", to: Word<Stamps>.self, inverse: "line", onDelete: .cascade, wire: .embedded("stamps")),
            ])
    }

    enum Stamps: WordKind {
        static let entity = EntityDescription(
            name: "Stamp", table: "stamp", identity: .columns([0]),
            columns: [
                .attribute("id", .uuid), .attribute("text", .string), .foreignKey("line", column: "line_id", .uuid),
            ], relationships: [.toOne("line", to: Word<Lines>.self, inverse: "stamps", columns: [2])])
    }

    static let name = "Office"
    static let version = 1
    static let entities: [any Model.Type] = [
        Word<Albums>.self, Word<Memos>.self, Word<Tags>.self, Word<Orders>.self, Word<Lines>.self, Word<Stamps>.self,
    ]
    static let compiled = CompiledSchema(entities: entities, statements: statements)
    static let statements = [
        "CREATE TABLE album (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL)",
        "CREATE TABLE memo (id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, album_id TEXT)",
        "CREATE TABLE tag (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL)",
        "CREATE TABLE orders (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL)",
        "CREATE TABLE line (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, order_id INTEGER)",
        "CREATE TABLE stamp (id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, line_id TEXT)",
        "CREATE INDEX memo_album ON memo (album_id)", "CREATE INDEX line_order ON line (order_id)",
        "CREATE INDEX stamp_line ON stamp (line_id)",
    ]
}
