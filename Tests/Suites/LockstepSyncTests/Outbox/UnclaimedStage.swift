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

/// The tables are the same in all versions, and each opens the files of the others.
protocol WordSchema: StructuredSchema {}

extension WordSchema {
    static var fingerprint: String { "words" }

    /// - Parameters:
    ///   - tag: The entity in the table `tag`.
    ///   - writes: What the server accepts of it; `nil` if it is local.
    ///   - paint: The entity in the table `paint`.
    fileprivate static func described(
        tag: String, writes: Set<RemoteStructure.Write>? = [.create, .update, .delete], paint: String
    ) -> SchemaStructure {
        SchemaStructure(
            name: "Words",
            entities: [
                EntityStructure(
                    name: "Shelf", table: "shelf", identity: .attributes(["id"]),
                    attributes: [.attribute("id", as: .int), .attribute("name", as: .string)],
                    relationships: [
                        .toMany("words", to: tag, inverse: "shelf", onDelete: .cascade),
                        .toMany("paints", to: paint, inverse: "shelf", onDelete: .cascade),
                    ], remote: RemoteStructure(path: "/shelves")),
                words(
                    tag, table: "tag", inverse: "words",
                    remote: writes.map { RemoteStructure(path: "/\(tag.lowercased())s", writes: $0) }),
                words(
                    paint, table: "paint", inverse: "paints",
                    remote: RemoteStructure(path: "/\(paint.lowercased())s")),
            ])
    }

    private static func words(
        _ name: String, table: String, inverse: String, remote: RemoteStructure?
    ) -> EntityStructure {
        EntityStructure(
            name: name, table: table, identity: .attributes(["id"]),
            attributes: [.attribute("id", as: .int), .attribute("name", as: .string)],
            relationships: [
                .toOne(
                    "shelf", to: "Shelf", inverse: inverse, column: "shelf_id",
                    wire: .id(paths: [["shelf_id"]], embeddedPath: ["shelf"]))
            ], remote: remote)
    }
}

/// `Tag` in the table `tag`, `Paint` in `paint`.
enum FirstWords: WordSchema {
    enum Tags: WordKind { static let entity = compiled.entity("Tag") }
    enum Paints: WordKind { static let entity = compiled.entity("Paint") }
    enum Shelves: WordKind { static let entity = compiled.entity("Shelf") }
    static let entities: [any Model.Type] = [Word<Shelves>.self, Word<Tags>.self, Word<Paints>.self]
    static let compiled = CompiledSchema(FirstWords.self)
    static let tables = described(tag: "Tag", paint: "Paint")
}

/// `Tag` is called `Label`, and its table still `tag`.
enum RenamedWords: WordSchema {
    enum Labels: WordKind { static let entity = compiled.entity("Label") }
    enum Paints: WordKind { static let entity = compiled.entity("Paint") }
    enum Shelves: WordKind { static let entity = compiled.entity("Shelf") }
    static let entities: [any Model.Type] = [Word<Shelves>.self, Word<Labels>.self, Word<Paints>.self]
    static let compiled = CompiledSchema(RenamedWords.self)
    static let tables = described(tag: "Label", paint: "Paint")
}

/// `Tag` is in the table `paint`, and `Label` in the table `tag`.
enum SwappedWords: WordSchema {
    enum Labels: WordKind { static let entity = compiled.entity("Label") }
    enum Tags: WordKind { static let entity = compiled.entity("Tag") }
    enum Shelves: WordKind { static let entity = compiled.entity("Shelf") }
    static let entities: [any Model.Type] = [Word<Shelves>.self, Word<Labels>.self, Word<Tags>.self]
    static let compiled = CompiledSchema(SwappedWords.self)
    static let tables = described(tag: "Label", paint: "Tag")
}

/// `Tag` is local.
enum HomeWords: WordSchema {
    enum Tags: WordKind { static let entity = compiled.entity("Tag") }
    enum Paints: WordKind { static let entity = compiled.entity("Paint") }
    enum Shelves: WordKind { static let entity = compiled.entity("Shelf") }
    static let entities: [any Model.Type] = [Word<Shelves>.self, Word<Tags>.self, Word<Paints>.self]
    static let compiled = CompiledSchema(HomeWords.self)
    static let tables = described(tag: "Tag", writes: nil, paint: "Paint")
}

/// The server accepts only changes of `Tag`.
enum EditedWords: WordSchema {
    enum Tags: WordKind { static let entity = compiled.entity("Tag") }
    enum Paints: WordKind { static let entity = compiled.entity("Paint") }
    enum Shelves: WordKind { static let entity = compiled.entity("Shelf") }
    static let entities: [any Model.Type] = [Word<Shelves>.self, Word<Tags>.self, Word<Paints>.self]
    static let compiled = CompiledSchema(EditedWords.self)
    static let tables = described(tag: "Tag", writes: [.update], paint: "Paint")
}
