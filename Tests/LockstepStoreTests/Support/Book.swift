import Foundation
@_spi(Generated) import LockstepStore

/// Belongs to an author, or to none; has chapters in an order of their own, which go with it.
final class Book: ManagedObject, Model {
    let id: Int
    var title: String { didSet { didChange(1, from: oldValue, to: title) } }
    var year: Int? { didSet { didChangeOptional(2, from: oldValue, to: year) } }
    var isbn: String? { didSet { didChangeOptional(3, from: oldValue, to: isbn) } }
    var authorID: Int? { didSet { didChangeKey(0, from: oldValue, to: authorID) } }
    var author: Author? {
        get { toOne(0, authorID) }
        set { setToOne(0, newValue) }
    }
    var chapters: ToMany<Chapter> { toMany(1) }

    @discardableResult
    init(
        id: Int, title: String, year: Int? = nil, isbn: String? = nil, author: Author? = nil, chapters: [Chapter] = [],
        context: Context
    ) {
        self.id = id
        self.title = title
        self.year = year
        self.isbn = isbn
        super.init(context: context)
        context.insert(self)
        if let author { self.author = author }
        self.chapters.replaceAll(with: chapters)
    }

    @discardableResult
    init?(representation: BookRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        id = representation.id
        title = representation.title
        year = representation.year
        isbn = representation.isbn
        authorID = representation.authorID
        super.init(context: context)
        context.insert(self)
        if let chapters = representation.chapters { self.chapters.merge(chapters) }
    }

    required init(row: RowReader, context: Context) {
        id = row.int(0)
        title = row.string(1)
        year = row.optionalInt(2)
        isbn = row.optionalString(3)
        authorID = row.optionalInt(4)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        switch column {
        case 1: title = row.string(1)
        case 2: year = row.optionalInt(2)
        case 3: isbn = row.optionalString(3)
        case 4: authorID = row.optionalInt(4)
        default: break
        }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.int(id)
        case 1: row.string(title)
        case 2: row.optionalInt(year)
        case 3: row.optionalString(isbn)
        case 4: row.optionalInt(authorID)
        default: break
        }
    }

    override func setForeignKey(_ relationship: Int, to owner: ManagedObject?) {
        if relationship == 0 { authorID = (owner as? Author)?.identity }
    }

    var representation: BookRepresentation {
        BookRepresentation(
            id: id, title: title, year: year, isbn: isbn, authorID: authorID, chapters: chapters.representations)
    }

    func update(from representation: BookRepresentation) {
        title = representation.title
        year = representation.year
        isbn = representation.isbn
        authorID = representation.authorID
        if let chapters = representation.chapters { self.chapters.merge(chapters) }
    }

    func matches(_ representation: BookRepresentation) -> Bool {
        id == representation.id && title == representation.title && year == representation.year
            && isbn == representation.isbn && authorID == representation.authorID
            && (representation.chapters.map { chapters.matches($0) } ?? true)
    }
}

extension Book {
    typealias Identity = Int
    typealias Representation = BookRepresentation

    enum Columns {
        static let id = AttributeColumn<Int>("id")
        static let title = AttributeColumn<String>("title")
        static let year = AttributeColumn<Int>("year")
        static let isbn = AttributeColumn<String>("isbn")
        static let authorID = AttributeColumn<Int>("author_id")
    }

    static let entity = EntityDescription(
        name: "Book", table: "book", identity: .columns([0]),
        columns: [
            .attribute("id", column: "id", .int, wire: "id"),
            .attribute("title", column: "title", .string, wire: "title", limits: Limits(minLength: 1)),
            .attribute(
                "year", column: "year", .int, isOptional: true, wire: "year", limits: Limits(min: "0", max: "3000")),
            .attribute("isbn", column: "isbn", .string, isOptional: true, isUnique: true, wire: "isbn"),
            .foreignKey("author", column: "author_id", .int),
        ],
        relationships: [
            .toOne("author", to: Author.self, inverse: "books", columns: [4], wire: .id(["author_id"])),
            .toMany(
                "chapters", to: Chapter.self, inverse: "book", onDelete: .cascade, isOrdered: true,
                wire: .embedded("chapters")),
        ],
        remote: RemoteDescription(path: "/books"))

    var identity: Int { id }

    static func identity(in row: RowReader) -> Int { row.int(0) }
}

struct BookRepresentation: Representation {
    typealias Object = Book

    var id: Int
    var title: String
    var year: Int?
    var isbn: String?
    var authorID: Int?
    var chapters: [ChapterRepresentation]?

    enum CodingKeys: String, CodingKey {
        case id, title, year, isbn
        case authorID = "author_id"
        case chapters
    }

    init(
        id: Int, title: String, year: Int? = nil, isbn: String? = nil, authorID: Int? = nil,
        chapters: [ChapterRepresentation]? = nil
    ) {
        self.id = id
        self.title = title
        self.year = year
        self.isbn = isbn
        self.authorID = authorID
        self.chapters = chapters
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        id = try wire.int(.id)
        title = try wire.string(.title)
        year = try wire.optionalInt(.year)
        isbn = try wire.optionalString(.isbn)
        authorID = try wire.optionalInt(.authorID, orAt: ["author", "id"])
        chapters = try wire.embeddedList(.chapters)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.int(id, .id)
        try wire.string(title, .title)
        try wire.optionalInt(year, .year)
        try wire.optionalString(isbn, .isbn)
        try wire.optionalInt(authorID, .authorID)
        try wire.embeddedList(chapters, .chapters)
    }

    var wireIdentity: Int? { id }
}
