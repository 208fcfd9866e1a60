import Foundation
@_spi(Generated) import LockstepStore

/// Made on the device, numbered by the server.
final class OfflineTask: ManagedObject, Model {
    let localID: UUID
    var remoteID: Int? { didSet { didChangeOptional(1, from: oldValue, to: remoteID) } }
    var title: String { didSet { didChange(2, from: oldValue, to: title) } }
    var parentID: UUID? { didSet { didChangeKey(0, from: oldValue, to: parentID) } }
    var parent: OfflineTask? {
        get { toOne(0, parentID) }
        set { setToOne(0, newValue) }
    }
    var subtasks: ToMany<OfflineTask> { toMany(1) }

    @discardableResult
    init(
        localID: UUID = UUID(), remoteID: Int? = nil, title: String, parent: OfflineTask? = nil,
        subtasks: [OfflineTask] = [], context: Context
    ) {
        self.localID = localID
        self.remoteID = remoteID
        self.title = title
        super.init(context: context)
        context.insert(self)
        if let parent { self.parent = parent }
        self.subtasks.replaceAll(with: subtasks)
    }

    @discardableResult
    init?(representation: OfflineTaskRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        localID = UUID()
        remoteID = representation.remoteID
        title = representation.title
        super.init(context: context)
        context.insert(self)
        if let subtasks = representation.subtasks { self.subtasks.merge(subtasks) }
    }

    required init(row: RowReader, context: Context) {
        localID = row.uuid(0)
        remoteID = row.optionalInt(1)
        title = row.string(2)
        parentID = row.optionalUUID(3)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        switch column {
        case 1: remoteID = row.optionalInt(1)
        case 2: title = row.string(2)
        case 3: parentID = row.optionalUUID(3)
        default: break
        }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.uuid(localID)
        case 1: row.optionalInt(remoteID)
        case 2: row.string(title)
        case 3: row.optionalUUID(parentID)
        default: break
        }
    }

    override func setForeignKey(_ relationship: Int, to owner: ManagedObject?) {
        if relationship == 0 { parentID = (owner as? OfflineTask)?.identity }
    }

    var representation: OfflineTaskRepresentation {
        OfflineTaskRepresentation(remoteID: remoteID, title: title, subtasks: subtasks.representations)
    }

    func update(from representation: OfflineTaskRepresentation) {
        remoteID = representation.remoteID
        title = representation.title
        if let subtasks = representation.subtasks { self.subtasks.merge(subtasks) }
    }

    func matches(_ representation: OfflineTaskRepresentation) -> Bool {
        remoteID == representation.remoteID && title == representation.title
            && (representation.subtasks.map { subtasks.matches($0) } ?? true)
    }
}

extension OfflineTask {
    typealias Identity = UUID
    typealias WireIdentity = Int
    typealias Representation = OfflineTaskRepresentation

    static let entity = EntityDescription(
        name: "OfflineTask", table: "offline_task", identity: .local(0, remote: 1),
        columns: [
            .attribute("localID", column: "local_id", .uuid, default: .newUUID),
            .attribute("remoteID", column: "remote_id", .int, isOptional: true, isUnique: true, wire: "id"),
            .attribute("title", column: "title", .string, wire: "title"),
            .foreignKey("parent", column: "parent_id", .uuid),
        ],
        relationships: [
            .toOne("parent", to: OfflineTask.self, inverse: "subtasks", columns: [3]),
            .toMany("subtasks", to: OfflineTask.self, inverse: "parent", wire: .embedded("subtasks")),
        ])

    var identity: UUID { localID }
    var wireIdentity: Int? { remoteID }

    static func identity(in row: RowReader) -> UUID { row.uuid(0) }
}

struct OfflineTaskRepresentation: Representation {
    typealias Object = OfflineTask

    var remoteID: Int?
    var title: String
    var subtasks: [OfflineTaskRepresentation]?

    enum CodingKeys: String, CodingKey {
        case remoteID = "id"
        case title, subtasks
    }

    init(remoteID: Int? = nil, title: String, subtasks: [OfflineTaskRepresentation]? = nil) {
        self.remoteID = remoteID
        self.title = title
        self.subtasks = subtasks
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        remoteID = try wire.optionalInt(.remoteID)
        title = try wire.string(.title)
        subtasks = try wire.embeddedList(.subtasks)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.optionalInt(remoteID, .remoteID)
        try wire.string(title, .title)
        try wire.embeddedList(subtasks, .subtasks)
    }

    var wireIdentity: Int? { remoteID }
}
