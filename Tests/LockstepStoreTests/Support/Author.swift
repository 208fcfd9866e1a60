import Foundation
@_spi(Generated) import LockstepStore

/// Has many books, sorted by title, newest first among equals; a book without its author stays.
final class Author: ManagedObject, Model {
    let id: Int
    var name: String { didSet { didChange(1, from: oldValue, to: name) } }
    var books: ToMany<Book> { toMany(0) }

    @discardableResult
    init(id: Int, name: String, books: [Book] = [], context: Context) {
        self.id = id
        self.name = name
        super.init(context: context)
        context.insert(self)
        self.books.replaceAll(with: books)
    }

    @discardableResult
    init?(representation: AuthorRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        id = representation.id
        name = representation.name
        super.init(context: context)
        context.insert(self)
        if let books = representation.books { self.books.merge(books) }
    }

    required init(row: RowReader, context: Context) {
        id = row.int(0)
        name = row.string(1)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        switch column {
        case 1: name = row.string(1)
        default: break
        }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.int(id)
        case 1: row.string(name)
        default: break
        }
    }

    var representation: AuthorRepresentation {
        AuthorRepresentation(id: id, name: name, books: books.representations)
    }

    func update(from representation: AuthorRepresentation) {
        name = representation.name
        if let books = representation.books { self.books.merge(books) }
    }

    func matches(_ representation: AuthorRepresentation) -> Bool {
        id == representation.id && name == representation.name
            && (representation.books.map { books.matches($0) } ?? true)
    }
}

extension Author {
    typealias Identity = Int
    typealias Representation = AuthorRepresentation

    enum Columns {
        static let id = AttributeColumn<Int>("id")
        static let name = AttributeColumn<String>("name")
    }

    static let entity = EntityDescription(
        name: "Author", table: "author", identity: .columns([0]),
        columns: [
            .attribute("id", column: "id", .int, wire: "id"),
            .attribute("name", column: "name", .string, wire: "name"),
        ],
        relationships: [
            .toMany(
                "books", to: Book.self, inverse: "author", onDelete: .nullify,
                sortedBy: [.ascending("title"), .descending("year")], wire: .embedded("books"))
        ],
        remote: RemoteDescription(path: "/authors"))

    var identity: Int { id }

    static func identity(in row: RowReader) -> Int { row.int(0) }
}

struct AuthorRepresentation: Representation {
    typealias Object = Author

    var id: Int
    var name: String
    var books: [BookRepresentation]?

    enum CodingKeys: String, CodingKey { case id, name, books }

    init(id: Int, name: String, books: [BookRepresentation]? = nil) {
        self.id = id
        self.name = name
        self.books = books
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        id = try wire.int(.id)
        name = try wire.string(.name)
        books = try wire.embeddedList(.books)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.int(id, .id)
        try wire.string(name, .name)
        try wire.embeddedList(books, .books)
    }

    var wireIdentity: Int? { id }
}
