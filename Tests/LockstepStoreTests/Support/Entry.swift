import Foundation
@_spi(Generated) import LockstepStore

// Written by hand in the style of generated code.

enum JournalSchema: StoreSchema {
    static let name = "Journal"
    static let version = 1
    static let entities: [any Model.Type] = [Entry.self]
    static let statements: [String] = [
        """
        CREATE TABLE "entry" (
            "identifier" TEXT PRIMARY KEY NOT NULL,
            "title" TEXT NOT NULL,
            "body_text" TEXT,
            "mood" TEXT NOT NULL DEFAULT 'neutral',
            "timestamp" REAL NOT NULL
        )
        """
    ]
}

enum Mood: OpenEnum {
    case sad, neutral, happy
    case unknown(String)

    static let allCases: [Mood] = [.sad, .neutral, .happy]

    init(rawValue: String) {
        switch rawValue {
        case "sad": self = .sad
        case "neutral": self = .neutral
        case "happy": self = .happy
        default: self = .unknown(rawValue)
        }
    }

    var rawValue: String {
        switch self {
        case .sad: "sad"
        case .neutral: "neutral"
        case .happy: "happy"
        case .unknown(let value): value
        }
    }
}

final class Entry: ManagedObject, Model {
    let identifier: UUID
    var title: String { didSet { didChange(1, from: oldValue, to: title) } }
    var bodyText: String? { didSet { didChangeOptional(2, from: oldValue, to: bodyText) } }
    var mood: Mood { didSet { didChange(3, from: oldValue, to: mood) } }
    var timestamp: Date { didSet { timestamp.roundToStore(); didChange(4, from: oldValue, to: timestamp) } }

    @discardableResult
    init(
        identifier: UUID = UUID(), title: String, bodyText: String? = nil, mood: Mood = .neutral,
        timestamp: Date = Date(),
        context: Context
    ) {
        self.identifier = identifier
        self.title = title
        self.bodyText = bodyText
        self.mood = mood
        self.timestamp = timestamp.roundedToStore
        super.init(context: context)
        context.insert(self)
    }

    @discardableResult
    init?(representation: EntryRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        identifier = representation.identifier
        title = representation.title
        bodyText = representation.bodyText
        mood = representation.mood
        timestamp = representation.timestamp.roundedToStore
        super.init(context: context)
        context.insert(self)
    }

    required init(row: RowReader, context: Context) {
        identifier = row.uuid(0)
        title = row.string(1)
        bodyText = row.optionalString(2)
        mood = row.enumeration(3)
        timestamp = row.date(4)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        switch column {
        case 1: title = row.string(1)
        case 2: bodyText = row.optionalString(2)
        case 3: mood = row.enumeration(3)
        case 4: timestamp = row.date(4)
        default: break
        }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.uuid(identifier)
        case 1: row.string(title)
        case 2: row.optionalString(bodyText)
        case 3: row.enumeration(mood)
        case 4: row.date(timestamp)
        default: break
        }
    }

    var representation: EntryRepresentation {
        EntryRepresentation(identifier: identifier, title: title, bodyText: bodyText, mood: mood, timestamp: timestamp)
    }

    func update(from representation: EntryRepresentation) {
        title = representation.title
        bodyText = representation.bodyText
        mood = representation.mood
        timestamp = representation.timestamp
    }

    func matches(_ representation: EntryRepresentation) -> Bool {
        identifier == representation.identifier && title == representation.title
            && bodyText == representation.bodyText && mood == representation.mood
            && timestamp == representation.timestamp.roundedToStore
    }
}

extension Entry {
    typealias Identity = UUID
    typealias Representation = EntryRepresentation

    enum Columns {
        static let identifier = AttributeColumn<UUID>("identifier")
        static let title = AttributeColumn<String>("title")
        static let bodyText = AttributeColumn<String>("body_text")
        static let mood = AttributeColumn<Mood>("mood")
        static let timestamp = AttributeColumn<Date>("timestamp")
    }

    static let entity = EntityDescription(
        name: "Entry", table: "entry", identity: .columns([0]),
        columns: [
            .attribute("identifier", column: "identifier", .uuid, wire: "identifier", default: .newUUID),
            .attribute("title", column: "title", .string, wire: "title", limits: Limits(minLength: 1, maxLength: 100)),
            .attribute("bodyText", column: "body_text", .string, isOptional: true, wire: "bodyText"),
            .attribute("mood", column: "mood", .enumeration(.string), wire: "mood", default: .string("neutral")),
            .attribute("timestamp", column: "timestamp", .date, wire: "timestamp", default: .now),
        ],
        remote: RemoteDescription(path: "/entries"))

    var identity: UUID { identifier }

    static func identity(in row: RowReader) -> UUID { row.uuid(0) }
}

struct EntryRepresentation: Representation {
    typealias Object = Entry

    var identifier: UUID
    var title: String
    var bodyText: String?
    var mood: Mood
    var timestamp: Date

    init(
        identifier: UUID = UUID(), title: String, bodyText: String? = nil, mood: Mood = .neutral,
        timestamp: Date = Date()
    ) {
        self.identifier = identifier
        self.title = title
        self.bodyText = bodyText
        self.mood = mood
        self.timestamp = timestamp
    }

    enum CodingKeys: String, CodingKey {
        case identifier, title, bodyText, mood, timestamp
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        identifier = try wire.uuid(.identifier)
        title = try wire.string(.title)
        bodyText = try wire.optionalString(.bodyText)
        mood = try wire.enumeration(.mood, default: .neutral)
        timestamp = try wire.date(.timestamp)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.uuid(identifier, .identifier)
        try wire.string(title, .title)
        try wire.optionalString(bodyText, .bodyText)
        try wire.enumeration(mood, .mood)
        try wire.date(timestamp, .timestamp)
    }

    var wireIdentity: UUID? { identifier }
}
