import Foundation
@_spi(Generated) import LockstepStore

/// A tree: children go with their parent. It carries them on the wire.
final class Node: ManagedObject, Model {
    let id: Int
    var name: String { didSet { didChange(1, from: oldValue, to: name) } }
    var parentID: Int? { didSet { didChangeKey(0, from: oldValue, to: parentID) } }
    var parent: Node? {
        get { toOne(0, parentID) }
        set { setToOne(0, newValue) }
    }
    var children: ToMany<Node> { toMany(1) }

    @discardableResult
    init(id: Int, name: String, parent: Node? = nil, children: [Node] = [], context: Context) {
        self.id = id
        self.name = name
        super.init(context: context)
        context.insert(self)
        if let parent { self.parent = parent }
        self.children.replaceAll(with: children)
    }

    @discardableResult
    init?(representation: NodeRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        id = representation.id
        name = representation.name
        super.init(context: context)
        context.insert(self)
        if let children = representation.children { self.children.merge(children) }
    }

    required init(row: RowReader, context: Context) {
        id = row.int(0)
        name = row.string(1)
        parentID = row.optionalInt(2)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        switch column {
        case 1: name = row.string(1)
        case 2: parentID = row.optionalInt(2)
        default: break
        }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.int(id)
        case 1: row.string(name)
        case 2: row.optionalInt(parentID)
        default: break
        }
    }

    override func setForeignKey(_ relationship: Int, to owner: ManagedObject?) {
        if relationship == 0 { parentID = (owner as? Node)?.identity }
    }

    var representation: NodeRepresentation {
        NodeRepresentation(id: id, name: name, children: children.representations)
    }

    func update(from representation: NodeRepresentation) {
        name = representation.name
        if let children = representation.children { self.children.merge(children) }
    }

    func matches(_ representation: NodeRepresentation) -> Bool {
        id == representation.id && name == representation.name
            && (representation.children.map { children.matches($0) } ?? true)
    }
}

extension Node {
    typealias Identity = Int
    typealias Representation = NodeRepresentation

    static let entity = EntityDescription(
        name: "Node", table: "node", identity: .columns([0]),
        columns: [
            .attribute("id", column: "id", .int, wire: "id"),
            .attribute("name", column: "name", .string, wire: "name", limits: Limits(maxLength: 10)),
            .foreignKey("parent", column: "parent_id", .int),
        ],
        relationships: [
            .toOne("parent", to: Node.self, inverse: "children", columns: [2]),
            .toMany("children", to: Node.self, inverse: "parent", onDelete: .cascade, wire: .embedded("children")),
        ])

    var identity: Int { id }

    static func identity(in row: RowReader) -> Int { row.int(0) }
}

struct NodeRepresentation: Representation {
    typealias Object = Node

    var id: Int
    var name: String
    var children: [NodeRepresentation]?

    enum CodingKeys: String, CodingKey { case id, name, children }

    init(id: Int, name: String, children: [NodeRepresentation]? = nil) {
        self.id = id
        self.name = name
        self.children = children
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        id = try wire.int(.id)
        name = try wire.string(.name)
        children = try wire.embeddedList(.children)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.int(id, .id)
        try wire.string(name, .name)
        try wire.embeddedList(children, .children)
    }

    var wireIdentity: Int? { id }
}
