import Foundation
import LockstepEvolution
@_spi(Generated) import LockstepStore
import LockstepSync
import RuntimeTestSupport

/// The name of an entity and the table of its records: versions of a schema may differ in them.
protocol WordKind: SendableMetatype {
    static var entity: EntityDescription { get }
}

/// A record with a number, a name and a shelf, of any entity.
final class Word<Kind: WordKind>: ManagedObject, Model {
    typealias Identity = Int
    typealias Representation = WordRepresentation<Kind>

    let id: Int
    var name: String { didSet { didChange(1, from: oldValue, to: name) } }

    init?(representation: WordRepresentation<Kind>, context: ManagedObjectContext) {
        (id, name) = (representation.id, representation.name)
        super.init(context: context)
        context.insert(self)
    }

    init(row: RowReader, context: ManagedObjectContext) {
        (id, name) = (row.int(0), row.string(1))
        super.init(loadedIn: context)
    }

    static var entity: EntityDescription { Kind.entity }
    static func identity(in row: RowReader) -> Int { row.int(0) }
    var identity: Int { id }
    var representation: WordRepresentation<Kind> { WordRepresentation(id: id, name: name) }

    func update(from representation: WordRepresentation<Kind>) { name = representation.name }
    func matches(_ representation: WordRepresentation<Kind>) -> Bool { representation == self.representation }

    override func load(_ column: Int, from row: RowReader) { if column == 1 { name = row.string(1) } }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.int(id)
        case 1: row.string(name)
        default: break
        }
    }
}

struct WordRepresentation<Kind: WordKind>: Representation {
    typealias Object = Word<Kind>
    enum CodingKeys: String, CodingKey { case id, name }

    var id: Int
    var name: String

    init(id: Int, name: String) { (self.id, self.name) = (id, name) }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        self.init(id: try wire.int(.id), name: try wire.string(.name))
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.int(id, .id)
        try wire.string(name, .name)
    }

    var wireIdentity: Int? { id }

    static func == (one: Self, other: Self) -> Bool { one.id == other.id && one.name == other.name }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension EntityDescription {
    /// - Parameter shelves: The owners of these records, whose deletes cascade to them.
    fileprivate init<Shelves: WordKind>(
        word name: String, table: String, path: String?,
        writes: Set<RemoteStructure.Write> = [.create, .update, .delete], on shelves: Word<Shelves>.Type
    ) {
        self.init(
            name: name, table: table, identity: .columns([0]),
            columns: [
                .attribute("id", .int),
                .attribute("name", .string),
                .foreignKey("shelf", column: "shelf_id", .int),
            ],
            relationships: [
                .toOne(
                    "shelf", to: Word<Shelves>.self, inverse: table == "paint" ? "paints" : "words", columns: [2],
                    wire: .id(["shelf_id"], embedded: ["shelf"]))
            ],
            remote: path.map { RemoteStructure(path: $0, writes: writes) })
    }

    fileprivate init<Words: WordKind, Paints: WordKind>(
        shelvesOf words: Word<Words>.Type, _ paints: Word<Paints>.Type
    ) {
        self.init(
            name: "Shelf", table: "shelf", identity: .columns([0]),
            columns: [
                .attribute("id", .int),
                .attribute("name", .string),
            ],
            relationships: [
                .toMany("words", to: words, inverse: "shelf", onDelete: .cascade),
                .toMany("paints", to: paints, inverse: "shelf", onDelete: .cascade),
            ], remote: RemoteStructure(path: "/shelves"))
    }
}

/// The tables are the same in all versions.
protocol WordSchema: StoreSchema {}

extension WordSchema {
    static var name: String { "Words" }
    static var version: Int { 1 }
    static var statements: [String] {
        [
            "CREATE TABLE shelf (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL)",
            "CREATE TABLE tag (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, shelf_id INTEGER)",
            "CREATE TABLE paint (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, shelf_id INTEGER)",
            """
            CREATE TRIGGER shelf_delete AFTER DELETE ON shelf BEGIN
                DELETE FROM tag WHERE shelf_id = OLD.id;
                DELETE FROM paint WHERE shelf_id = OLD.id;
            END
            """,
        ]
    }
}

/// `Tag` in the table `tag`, `Paint` in `paint`.
enum FirstWords: WordSchema {
    enum Tags: WordKind {
        static let entity = EntityDescription(word: "Tag", table: "tag", path: "/tags", on: Word<Shelves>.self)
    }
    enum Paints: WordKind {
        static let entity = EntityDescription(word: "Paint", table: "paint", path: "/paints", on: Word<Shelves>.self)
    }
    enum Shelves: WordKind {
        static let entity = EntityDescription(shelvesOf: Word<Tags>.self, Word<Paints>.self)
    }
    static let entities: [any Model.Type] = [Word<Shelves>.self, Word<Tags>.self, Word<Paints>.self]
    static let compiled = CompiledSchema(entities: entities, statements: statements)
}

/// `Tag` is called `Label`, and its table still `tag`.
enum RenamedWords: WordSchema {
    enum Labels: WordKind {
        static let entity = EntityDescription(word: "Label", table: "tag", path: "/labels", on: Word<Shelves>.self)
    }
    enum Paints: WordKind {
        static let entity = EntityDescription(word: "Paint", table: "paint", path: "/paints", on: Word<Shelves>.self)
    }
    enum Shelves: WordKind {
        static let entity = EntityDescription(shelvesOf: Word<Labels>.self, Word<Paints>.self)
    }
    static let entities: [any Model.Type] = [Word<Shelves>.self, Word<Labels>.self, Word<Paints>.self]
    static let compiled = CompiledSchema(entities: entities, statements: statements)
}

/// `Tag` is in the table `paint`, and `Label` in the table `tag`.
enum SwappedWords: WordSchema {
    enum Labels: WordKind {
        static let entity = EntityDescription(word: "Label", table: "tag", path: "/labels", on: Word<Shelves>.self)
    }
    enum Tags: WordKind {
        static let entity = EntityDescription(word: "Tag", table: "paint", path: "/tags", on: Word<Shelves>.self)
    }
    enum Shelves: WordKind {
        static let entity = EntityDescription(shelvesOf: Word<Labels>.self, Word<Tags>.self)
    }
    static let entities: [any Model.Type] = [Word<Shelves>.self, Word<Labels>.self, Word<Tags>.self]
    static let compiled = CompiledSchema(entities: entities, statements: statements)
}

/// `Tag` is local.
enum HomeWords: WordSchema {
    enum Tags: WordKind {
        static let entity = EntityDescription(word: "Tag", table: "tag", path: nil, on: Word<Shelves>.self)
    }
    enum Paints: WordKind {
        static let entity = EntityDescription(word: "Paint", table: "paint", path: "/paints", on: Word<Shelves>.self)
    }
    enum Shelves: WordKind {
        static let entity = EntityDescription(shelvesOf: Word<Tags>.self, Word<Paints>.self)
    }
    static let entities: [any Model.Type] = [Word<Shelves>.self, Word<Tags>.self, Word<Paints>.self]
    static let compiled = CompiledSchema(entities: entities, statements: statements)
}

/// The server accepts only changes of `Tag`.
enum EditedWords: WordSchema {
    enum Tags: WordKind {
        static let entity = EntityDescription(
            word: "Tag", table: "tag", path: "/tags", writes: [.update], on: Word<Shelves>.self)
    }
    enum Paints: WordKind {
        static let entity = EntityDescription(word: "Paint", table: "paint", path: "/paints", on: Word<Shelves>.self)
    }
    enum Shelves: WordKind {
        static let entity = EntityDescription(shelvesOf: Word<Tags>.self, Word<Paints>.self)
    }
    static let entities: [any Model.Type] = [Word<Shelves>.self, Word<Tags>.self, Word<Paints>.self]
    static let compiled = CompiledSchema(entities: entities, statements: statements)
}
