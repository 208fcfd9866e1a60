import LockstepEvolution
@_spi(Generated) import LockstepStore
import LockstepSync
import LockstepSystem
import RuntimeTestSupport

/// Folders of memos whose identities are UUIDs that devices make, with links in both forms.
enum Notebook: StructuredSchema {
    enum Folders: WordKind { static let entity = compiled.entity("Folder") }
    enum Memos: WordKind { static let entity = compiled.entity("Memo") }

    static let entities: [any Model.Type] = [Word<Folders>.self, Word<Memos>.self]
    static let compiled = CompiledSchema(Notebook.self)
    static let tables = SchemaStructure(
        name: "Notebook",
        entities: [
            EntityStructure(
                name: "Folder", table: "folder", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .uuid), .attribute("title", as: .string)],
                relationships: [
                    .toMany("memos", to: "Memo", inverse: "folder", onDelete: .cascade),
                    .toMany(
                        "pins", to: "Memo", inverse: "pinned",
                        storage: .joinTable(
                            JoinTableStructure(
                                name: "folder_pin", leftColumns: ["folder_id"], rightColumns: ["memo_id"])),
                        wire: .ids(path: ["pin_ids"])),
                ], remote: RemoteStructure(path: "/folders")),
            EntityStructure(
                name: "Memo", table: "memo", identity: .attributes(["id"]),
                attributes: [.attribute("id", as: .uuid), .attribute("text", as: .string)],
                relationships: [
                    .toOne(
                        "folder", to: "Folder", inverse: "memos", column: "folder_id",
                        wire: .id(paths: [["folder_id"]], embeddedPath: [])),
                    .toMany("pinned", to: "Folder", inverse: "pins", storage: .inverseJoinTable("folder_pin")),
                ], remote: RemoteStructure(path: "/memos")),
        ])
}

/// Memos whose identities are sent in upper case if they are made here.
enum UppercaseNotebook: StructuredSchema {
    enum Memos: WordKind { static let entity = compiled.entity("Memo") }

    static let entities: [any Model.Type] = [Word<Memos>.self]
    static let compiled = CompiledSchema(UppercaseNotebook.self)
    static let tables = SchemaStructure(
        name: "UppercaseNotebook",
        entities: [
            EntityStructure(
                name: "Memo", table: "memo", identity: .attributes(["id"]),
                attributes: [
                    AttributeStructure(
                        name: "id", column: "id", type: .scalar(.uuid),
                        wire: WireStructure(path: ["id"], format: "uppercase")),
                    .attribute("text", as: .string),
                ],
                relationships: [
                    .toOne(
                        "next", to: "Memo", column: "next_id", wire: .id(paths: [["next_id"]], embeddedPath: []))
                ], remote: RemoteStructure(path: "/memos"))
        ])
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
