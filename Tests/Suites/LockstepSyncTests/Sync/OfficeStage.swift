import LockstepEvolution
@_spi(Generated) import LockstepStore
import LockstepSync
import RuntimeTestSupport

/// Collections whose records have UUIDs, one whose records have none, and one with UUIDs only inside its records.
enum Office: StructuredSchema {
    enum Albums: WordKind { static let entity = compiled.entity("Album") }
    enum Memos: WordKind { static let entity = compiled.entity("Memo") }
    enum Tags: WordKind { static let entity = compiled.entity("Tag") }
    enum Orders: WordKind { static let entity = compiled.entity("Order") }
    enum Lines: WordKind { static let entity = compiled.entity("Line") }
    enum Stamps: WordKind { static let entity = compiled.entity("Stamp") }

    static let entities: [any Model.Type] = [
        Word<Albums>.self, Word<Memos>.self, Word<Tags>.self, Word<Orders>.self, Word<Lines>.self, Word<Stamps>.self,
    ]
    static let compiled = CompiledSchema(Office.self)
    static let tables = SchemaStructure(
        name: "Office",
        entities: [
            EntityStructure(
                name: "Album", table: "album", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .uuid), .attribute("title", as: .string)],
                relationships: [.toMany("memos", to: "Memo", inverse: "album")],
                remote: RemoteStructure(path: "/albums")),
            EntityStructure(
                name: "Memo", table: "memo", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .uuid), .attribute("text", as: .string)],
                relationships: [
                    .toOne(
                        "album", to: "Album", inverse: "memos", column: "album_id",
                        wire: .id(paths: [["album_id"]], embeddedPath: []))
                ], remote: RemoteStructure(path: "/memos")),
            EntityStructure(
                name: "Tag", table: "tag", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .int), .attribute("name", as: .string)],
                remote: RemoteStructure(path: "/tags")),
            EntityStructure(
                name: "Order", table: "orders", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .int), .attribute("name", as: .string)],
                relationships: [
                    .toMany("lines", to: "Line", inverse: "order", onDelete: .cascade, wire: .embedded(path: ["lines"]))
                ], remote: RemoteStructure(path: "/orders")),
            EntityStructure(
                name: "Line", table: "line", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .uuid), .attribute("title", as: .string)],
                relationships: [
                    .toOne("order", to: "Order", inverse: "lines", column: "order_id"),
                    .toMany(
                        "stamps", to: "Stamp", inverse: "line", onDelete: .cascade, wire: .embedded(path: ["stamps"])),
                ]),
            EntityStructure(
                name: "Stamp", table: "stamp", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .uuid), .attribute("text", as: .string)],
                relationships: [.toOne("line", to: "Line", inverse: "stamps", column: "line_id")]),
        ])
}
