import LockstepEvolution
@_spi(Generated) import LockstepStore
import LockstepSync
import LockstepSystem
import RuntimeTestSupport

/// Folders of memos whose identities are UUIDs that devices make, with links in both forms.
enum Notebook: StoreSchema {
    enum Folders: WordKind {
        static let entity = EntityDescription(
            name: "Folder", table: "folder", identity: .columns([0]),
            columns: [.attribute("id", .uuid), .attribute("title", .string)],
            relationships: [
                .toMany("memos", to: Word<Memos>.self, inverse: "folder", onDelete: .cascade),
                .manyToMany(
                    "pins", to: Word<Memos>.self, inverse: "pinned", table: "folder_pin",
                    sourceColumns: ["folder_id"], destinationColumns: ["memo_id"], wire: .ids("pin_ids")),
            ], remote: RemoteStructure(path: "/folders"))
    }

    enum Memos: WordKind {
        static let entity = EntityDescription(
            name: "Memo", table: "memo", identity: .columns([0]),
            columns: [
                .attribute("id", .uuid), .attribute("text", .string), .foreignKey("folder", column: "folder_id", .uuid),
            ],
            relationships: [
                .toOne("folder", to: Word<Folders>.self, inverse: "memos", columns: [2], wire: .id(["folder_id"])),
                .manyToMany(
                    "pinned", to: Word<Folders>.self, inverse: "pins", table: "folder_pin",
                    sourceColumns: ["memo_id"], destinationColumns: ["folder_id"]),
            ], remote: RemoteStructure(path: "/memos"))
    }

    static let name = "Notebook"
    static let version = 1
    static let entities: [any Model.Type] = [Word<Folders>.self, Word<Memos>.self]
    static let compiled = CompiledSchema(entities: entities, statements: statements)
    static let statements = [
        "CREATE TABLE folder (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL)",
        "CREATE TABLE memo (id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, folder_id TEXT)",
        "CREATE INDEX memo_folder ON memo (folder_id)",
        """
        CREATE TABLE folder_pin (folder_id TEXT NOT NULL, memo_id TEXT NOT NULL, PRIMARY KEY (folder_id, memo_id))
        """,
        "CREATE INDEX folder_pin_memo ON folder_pin (memo_id)",
        "CREATE TRIGGER folder_delete AFTER DELETE ON folder BEGIN DELETE FROM memo WHERE folder_id = OLD.id; END",
    ]
}

/// Memos whose identities are sent in upper case if they are made here.
enum UppercaseNotebook: StoreSchema {
    enum Memos: WordKind {
        static let entity = EntityDescription(
            name: "Memo", table: "memo", identity: .columns([0]),
            columns: [
                .attribute("id", .uuid, wire: .path(["id"], format: .uppercase)), .attribute("text", .string),
                .foreignKey("next", column: "next_id", .uuid),
            ],
            relationships: [.toOne("next", to: Word<Memos>.self, columns: [2], wire: .id(["next_id"]))],
            remote: RemoteStructure(path: "/memos"))
    }

    static let name = "UppercaseNotebook"
    static let version = 1
    static let entities: [any Model.Type] = [Word<Memos>.self]
    static let compiled = CompiledSchema(entities: entities, statements: statements)
    static let statements = [
        "CREATE TABLE memo (id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, next_id TEXT)",
        "CREATE INDEX memo_next ON memo (next_id)",
    ]
}

typealias NotebookFolder = Word<Notebook.Folders>
typealias NotebookMemo = Word<Notebook.Memos>

extension Store {
    /// The statements with a text in them that the writing connection runs during an operation.
    func statements(naming text: String, during body: () async throws -> Void) async throws -> [String] {
        let texts = Locked<[String]>([])
        try await writer.write { database in
            database.trace { event in
                guard case .statement(let statement) = event, statement.sql.contains(text) else { return }
                texts.withLock { $0.append(statement.sql) }
            }
        }
        try await body()
        try await writer.write { $0.trace(options: []) }
        return texts.withLock { $0 }
    }
}
