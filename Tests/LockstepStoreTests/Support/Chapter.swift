import Foundation
@_spi(Generated) import LockstepStore

/// Has no identity: it belongs to its book, at its place.
final class Chapter: ManagedObject, Model {
    let lockstepID: Int64
    var heading: String { didSet { didChange(1, from: oldValue, to: heading) } }
    var bookID: Int? { didSet { didChangeKey(0, from: oldValue, to: bookID) } }
    var chaptersPosition: Int? { didSet { didChangeOptional(3, from: oldValue, to: chaptersPosition) } }
    var book: Book? {
        get { toOne(0, bookID) }
        set { setToOne(0, newValue) }
    }

    @discardableResult
    init(heading: String, book: Book? = nil, context: Context) {
        lockstepID = Context.newLockstepID()
        self.heading = heading
        super.init(context: context)
        context.insert(self)
        if let book { self.book = book }
    }

    @discardableResult
    init?(representation: ChapterRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        lockstepID = Context.newLockstepID()
        heading = representation.heading
        super.init(context: context)
        context.insert(self)
    }

    required init(row: RowReader, context: Context) {
        lockstepID = row.int64(0)
        heading = row.string(1)
        bookID = row.optionalInt(2)
        chaptersPosition = row.optionalInt(3)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        switch column {
        case 1: heading = row.string(1)
        case 2: bookID = row.optionalInt(2)
        case 3: chaptersPosition = row.optionalInt(3)
        default: break
        }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.int64(lockstepID)
        case 1: row.string(heading)
        case 2: row.optionalInt(bookID)
        case 3: row.optionalInt(chaptersPosition)
        default: break
        }
    }

    override func setForeignKey(_ relationship: Int, to owner: ManagedObject?) {
        if relationship == 0 { bookID = (owner as? Book)?.identity }
    }

    override func setPosition(_ relationship: Int, to position: Int?) {
        if relationship == 0 { chaptersPosition = position }
    }

    var representation: ChapterRepresentation { ChapterRepresentation(heading: heading) }

    func update(from representation: ChapterRepresentation) { heading = representation.heading }

    func matches(_ representation: ChapterRepresentation) -> Bool { heading == representation.heading }
}

extension Chapter {
    typealias Identity = Int64
    typealias Representation = ChapterRepresentation

    enum Columns {
        static let heading = AttributeColumn<String>("heading")
    }

    static let entity = EntityDescription(
        name: "Chapter", table: "chapter", identity: .none,
        columns: [
            .surrogateKey,
            .attribute("heading", column: "heading", .string, wire: "heading", limits: Limits(maxLength: 40)),
            .foreignKey("book", column: "book_id", .int),
            .position("chapters", column: "chapters_position"),
        ],
        relationships: [.toOne("book", to: Book.self, inverse: "chapters", columns: [2], position: 3)])

    var identity: Int64 { lockstepID }

    static func identity(in row: RowReader) -> Int64 { row.int64(0) }
}

struct ChapterRepresentation: Representation {
    typealias Object = Chapter

    var heading: String

    enum CodingKeys: String, CodingKey { case heading }

    init(heading: String) { self.heading = heading }

    init(from wire: borrowing WireReader<CodingKeys>) throws { heading = try wire.string(.heading) }

    func write(to wire: inout WireWriter<CodingKeys>) throws { try wire.string(heading, .heading) }

    var wireIdentity: Int64? { nil }
}
