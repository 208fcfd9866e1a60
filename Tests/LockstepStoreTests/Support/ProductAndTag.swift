import Foundation
@_spi(Generated) import LockstepStore

/// Has many tags in an order of its own; a tag is on many products.
final class Product: ManagedObject, Model {
    let id: Int
    var name: String { didSet { didChange(1, from: oldValue, to: name) } }
    var tags: ToMany<Tag> { toMany(0) }

    @discardableResult
    init(id: Int, name: String, tags: [Tag] = [], context: Context) {
        self.id = id
        self.name = name
        super.init(context: context)
        context.insert(self)
        self.tags.replaceAll(with: tags)
    }

    @discardableResult
    init?(representation: ProductRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        id = representation.id
        name = representation.name
        super.init(context: context)
        context.insert(self)
        if let tagNames = representation.tagNames { tags.link(to: tagNames) }
    }

    required init(row: RowReader, context: Context) {
        id = row.int(0)
        name = row.string(1)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        if column == 1 { name = row.string(1) }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.int(id)
        case 1: row.string(name)
        default: break
        }
    }

    var representation: ProductRepresentation {
        ProductRepresentation(id: id, name: name, tagNames: tags.wireIdentities)
    }

    func update(from representation: ProductRepresentation) {
        name = representation.name
        if let tagNames = representation.tagNames { tags.link(to: tagNames) }
    }

    func matches(_ representation: ProductRepresentation) -> Bool {
        id == representation.id && name == representation.name
            && (representation.tagNames.map { $0 == tags.wireIdentities } ?? true)
    }
}

extension Product {
    typealias Identity = Int
    typealias Representation = ProductRepresentation

    enum Columns {
        static let id = AttributeColumn<Int>("id")
        static let name = AttributeColumn<String>("name")
    }

    static let entity = EntityDescription(
        name: "Product", table: "product", identity: .columns([0]),
        columns: [
            .attribute("id", column: "id", .int, wire: "id"), .attribute("name", column: "name", .string, wire: "name"),
        ],
        relationships: [
            .manyToMany(
                "tags", to: Tag.self, inverse: "products", table: "product_tag", sourceColumns: ["product_id"],
                destinationColumns: ["tag_name"], position: "tags_position", wire: .ids("tag_names"))
        ])

    var identity: Int { id }

    static func identity(in row: RowReader) -> Int { row.int(0) }
}

struct ProductRepresentation: Representation {
    typealias Object = Product

    var id: Int
    var name: String
    var tagNames: [String]?

    enum CodingKeys: String, CodingKey {
        case id, name
        case tagNames = "tag_names"
    }

    init(id: Int, name: String, tagNames: [String]? = nil) {
        self.id = id
        self.name = name
        self.tagNames = tagNames
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        id = try wire.int(.id)
        name = try wire.string(.name)
        tagNames = try wire.identities(.tagNames)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.int(id, .id)
        try wire.string(name, .name)
        try wire.identities(tagNames, .tagNames)
    }

    var wireIdentity: Int? { id }
}

/// Sorted by a decimal where it is on a product's other end: its products by name.
final class Tag: ManagedObject, Model {
    let name: String
    var weight: Decimal { didSet { didChange(1, from: oldValue, to: weight) } }
    var products: ToMany<Product> { toMany(0) }

    @discardableResult
    init(name: String, weight: Decimal = 0, products: [Product] = [], context: Context) {
        self.name = name
        self.weight = weight
        super.init(context: context)
        context.insert(self)
        self.products.replaceAll(with: products)
    }

    @discardableResult
    init?(representation: TagRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        name = representation.name
        weight = representation.weight
        super.init(context: context)
        context.insert(self)
    }

    required init(row: RowReader, context: Context) {
        name = row.string(0)
        weight = row.decimal(1)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        if column == 1 { weight = row.decimal(1) }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.string(name)
        case 1: row.decimal(weight)
        default: break
        }
    }

    var representation: TagRepresentation { TagRepresentation(name: name, weight: weight) }

    func update(from representation: TagRepresentation) { weight = representation.weight }

    func matches(_ representation: TagRepresentation) -> Bool {
        name == representation.name && weight == representation.weight
    }
}

extension Tag {
    typealias Identity = String
    typealias Representation = TagRepresentation

    enum Columns {
        static let name = AttributeColumn<String>("name")
        static let weight = AttributeColumn<Decimal>("weight")
    }

    static let entity = EntityDescription(
        name: "Tag", table: "tag", identity: .columns([0]),
        columns: [
            .attribute("name", column: "name", .string, wire: "name"),
            .attribute("weight", column: "weight", .decimal, wire: "weight", default: .decimal("0")),
        ],
        relationships: [
            .manyToMany(
                "products", to: Product.self, inverse: "tags", table: "product_tag", sourceColumns: ["tag_name"],
                destinationColumns: ["product_id"], inversePosition: "tags_position", sortedBy: [.ascending("name")])
        ])

    var identity: String { name }

    static func identity(in row: RowReader) -> String { row.string(0) }
}

struct TagRepresentation: Representation {
    typealias Object = Tag

    var name: String
    var weight: Decimal

    enum CodingKeys: String, CodingKey { case name, weight }

    init(name: String, weight: Decimal = 0) {
        self.name = name
        self.weight = weight
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        name = try wire.string(.name)
        weight = try wire.decimal(.weight, default: 0)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.string(name, .name)
        try wire.decimal(weight, .weight, asText: true)
    }

    var wireIdentity: String? { name }
}
