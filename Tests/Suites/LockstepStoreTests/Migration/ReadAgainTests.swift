import Foundation
import GRDB
import LockstepEvolution
import LockstepStore
import LockstepTesting
import TestSupport
import Testing

@Suite("V6: What is read in another way is pulled again")
struct ReadAgainTests {
    /// A change of the schema, from a form to another.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The entities that are pulled again.
        let readAgain: [String]
        let former: @Sendable (inout SchemaStructure) -> Void
        let new: @Sendable (inout SchemaStructure) -> Void

        init(
            _ description: String, readAgain: [String],
            from former: @escaping @Sendable (inout SchemaStructure) -> Void,
            to new: @escaping @Sendable (inout SchemaStructure) -> Void
        ) {
            (testDescription, self.readAgain, self.former, self.new) = (description, readAgain, former, new)
        }

        /// The name of a notebook is read in another way.
        static func name(
            _ description: String, readAgain: Bool = true, from former: WireStructure?, to new: WireStructure?
        ) -> Change {
            func set(_ wire: WireStructure?) -> @Sendable (inout SchemaStructure) -> Void {
                { $0.change("Notebook") { $0.change("name") { $0.wire = wire } } }
            }
            return Change(description, readAgain: readAgain ? ["Notebook"] : [], from: set(former), to: set(new))
        }

        /// The notebook of an entry is read in another way.
        static func notebook(
            _ description: String, from former: RelationshipWire, to new: RelationshipWire
        ) -> Change {
            Change(description, readAgain: ["Entry"], from: set("Entry", to: former), to: set("Entry", to: new))
        }

        /// The entries of a notebook are read in another way.
        static func entries(_ description: String, from former: RelationshipWire, to new: RelationshipWire) -> Change {
            Change(
                description, readAgain: ["Notebook"], from: set("Notebook", to: former), to: set("Notebook", to: new))
        }

        static func set(_ entity: String, to wire: RelationshipWire) -> @Sendable (inout SchemaStructure) -> Void {
            { $0.change(entity) { $0.relationships[0].wire = wire } }
        }
    }

    private static let id = RelationshipWire.id(paths: [["notebook_id"]], embeddedPath: [])
    private static let key = WireStructure(path: ["name"])

    static let changes: [Change] = [
        .notebook("another key of a to-one", from: .id(paths: [["box_id"]], embeddedPath: []), to: id),
        .notebook("another form of a to-one", from: .embedded(path: ["notebook"]), to: id),
        .notebook("a second form of a to-one", from: id, to: .id(paths: [["notebook_id"]], embeddedPath: ["notebook"])),
        .notebook("a to-one that was not in the JSON", from: .none, to: id),
        .entries("another key of a to-many", from: .ids(path: ["page_ids"]), to: .ids(path: ["entry_ids"])),
        .entries("another form of a to-many", from: .ids(path: ["entries"]), to: .embedded(path: ["entries"])),
        .entries("a to-many that was not in the JSON", from: .none, to: .ids(path: ["entry_ids"])),
        .name("another key", from: WireStructure(path: ["title"]), to: key),
        .name("a former key", from: key, to: WireStructure(path: ["name"], formerPaths: [["title"]])),
        .name("an attribute that was not in the JSON", from: nil, to: key),
        .name(
            "an attribute that is only read now", readAgain: false, from: key,
            to: WireStructure(path: ["name"], isReadOnly: true)),
        Change(
            "what another entity embeds", readAgain: ["Entry", "Notebook"],
            from: {
                Change.set("Notebook", to: .embedded(path: ["entries"]))(&$0)
                Change.set("Entry", to: .none)(&$0)
            }, to: Change.set("Entry", to: id)),
        Change(
            "a list that begins to keep its order", readAgain: ["Notebook"],
            from: Change.set("Notebook", to: .ids(path: ["entry_ids"]))
        ) {
            $0.change("Notebook") { $0.relationships[0].isOrdered = true }
            $0.change("Entry") {
                $0.relationships[0].storage = .foreignKey(columns: ["notebook_id"], position: "notebook_position")
            }
        },
    ]

    /// Notebooks with entries.
    private static let notebooks: SchemaStructure = {
        var structure = SchemaStructure.journal
        structure.entities.append(
            EntityStructure(
                name: "Notebook", table: "notebook", identity: .attributes(["id"]),
                attributes: [.init("id", .scalar(.uuid), default: .newUUID), .init("name", .scalar(.string))],
                relationships: [
                    RelationshipStructure(
                        name: "entries", destination: "Entry", isToMany: true, isOptional: true, inverse: "notebook",
                        storage: .inverseForeignKey)
                ],
                remote: RemoteStructure(path: "/notebooks")))
        structure.change("Entry") { entry in
            entry.relationships.append(
                RelationshipStructure(
                    name: "notebook", destination: "Notebook", isToMany: false, isOptional: true, inverse: "entries",
                    storage: .foreignKey(columns: ["notebook_id"], position: nil)))
        }
        return structure
    }()

    /// Opens a file with the structure before a change, does something with it, and opens it with the one after it.
    private func migrating<Value: Sendable>(
        _ change: Change, _ body: @escaping @Sendable (Database) throws -> Void,
        then read: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        var structure = Self.notebooks
        change.former(&structure)
        var builder = HistoryBuilder(structure)
        try builder.version(change.new)
        return try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("journal.sqlite")
            let writer = try builder.open(1, at: file)
            try await writer.write(body)
            try writer.close()
            let migrated = try builder.open(2, at: file)
            defer { try? migrated.close() }
            return try await migrated.read(read)
        }
    }

    @Test("V6 The validators of an entity are deleted if its JSON is read in another way", arguments: changes)
    func validators(_ change: Change) async throws {
        let entities = ["Entry", "Notebook"]
        let kept = try await migrating(change) { database in
            for entity in entities {
                try ValidatorTable.keep(
                    ValidatorTable.Row(entityTag: "1", startedAt: nil, next: nil), address: entity, of: entity,
                    in: database)
            }
        } then: {
            try ValidatorTable.entities($0)
        }
        #expect(Set(entities).subtracting(kept) == Set(change.readAgain))
    }

    @Test("V9 A rejected change is retried if a link of what the record embeds has another key")
    func parkedOwner() async throws {
        let change = Change(
            "", readAgain: [],
            from: {
                Change.set("Notebook", to: .embedded(path: ["entries"]))(&$0)
                Change.set("Entry", to: .id(paths: [["box_id"]], embeddedPath: []))(&$0)
            }, to: Change.set("Entry", to: Self.id))
        let isParked = try await migrating(change) { database in
            try database.execute(
                sql: """
                    INSERT INTO notebook (id, name) VALUES ('00000000-0000-4000-8000-000000000001', 'A');
                    UPDATE lockstep_outbox SET parked_status = 422, parked_body = '';
                    """)
        } then: { database in
            try Bool.fetchAll(database, sql: "SELECT parked_status IS NOT NULL FROM lockstep_outbox")
        }
        #expect(isParked == [false])
    }
}
