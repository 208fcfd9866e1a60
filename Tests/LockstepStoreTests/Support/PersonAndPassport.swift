import Foundation
@_spi(Generated) import LockstepStore

/// One to one: the passport holds the key and goes with its person.
final class Person: ManagedObject, Model {
    let id: Int
    var name: String { didSet { didChange(1, from: oldValue, to: name) } }
    var passport: Passport? {
        get { toOneInverse(0) }
        set { setToOneInverse(0, newValue) }
    }

    @discardableResult
    init(id: Int, name: String, passport: Passport? = nil, context: Context) {
        self.id = id
        self.name = name
        super.init(context: context)
        context.insert(self)
        if let passport { self.passport = passport }
    }

    @discardableResult
    init?(representation: PersonRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        id = representation.id
        name = representation.name
        super.init(context: context)
        context.insert(self)
        if let passport = representation.passport { self.passport = merge(passport, current: nil) }
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

    var representation: PersonRepresentation {
        PersonRepresentation(id: id, name: name, passport: passport?.representation)
    }

    func update(from representation: PersonRepresentation) {
        name = representation.name
        passport = merge(representation.passport, current: passport)
    }

    func matches(_ representation: PersonRepresentation) -> Bool {
        id == representation.id && name == representation.name
            && passport.map { $0.representation } == representation.passport
    }
}

extension Person {
    typealias Identity = Int
    typealias Representation = PersonRepresentation

    static let entity = EntityDescription(
        name: "Person", table: "person", identity: .columns([0]),
        columns: [
            .attribute("id", column: "id", .int, wire: "id"), .attribute("name", column: "name", .string, wire: "name"),
        ],
        relationships: [
            .toOneInverse(
                "passport", to: Passport.self, inverse: "person", onDelete: .cascade, wire: .embedded("passport"))
        ])

    var identity: Int { id }

    static func identity(in row: RowReader) -> Int { row.int(0) }
}

struct PersonRepresentation: Representation {
    typealias Object = Person

    var id: Int
    var name: String
    var passport: PassportRepresentation?

    enum CodingKeys: String, CodingKey { case id, name, passport }

    init(id: Int, name: String, passport: PassportRepresentation? = nil) {
        self.id = id
        self.name = name
        self.passport = passport
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        id = try wire.int(.id)
        name = try wire.string(.name)
        passport = try wire.embedded(.passport)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.int(id, .id)
        try wire.string(name, .name)
        try wire.embedded(passport, .passport)
    }

    var wireIdentity: Int? { id }
}

final class Passport: ManagedObject, Model {
    let number: String
    var personID: Int? { didSet { didChangeKey(0, from: oldValue, to: personID) } }
    var person: Person? {
        get { toOne(0, personID) }
        set { setToOne(0, newValue) }
    }

    @discardableResult
    init(number: String, person: Person? = nil, context: Context) {
        self.number = number
        super.init(context: context)
        context.insert(self)
        if let person { self.person = person }
    }

    @discardableResult
    init?(representation: PassportRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        number = representation.number
        super.init(context: context)
        context.insert(self)
    }

    required init(row: RowReader, context: Context) {
        number = row.string(0)
        personID = row.optionalInt(1)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        if column == 1 { personID = row.optionalInt(1) }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.string(number)
        case 1: row.optionalInt(personID)
        default: break
        }
    }

    override func setForeignKey(_ relationship: Int, to owner: ManagedObject?) {
        if relationship == 0 { personID = (owner as? Person)?.identity }
    }

    var representation: PassportRepresentation { PassportRepresentation(number: number) }

    func update(from representation: PassportRepresentation) {}

    func matches(_ representation: PassportRepresentation) -> Bool { number == representation.number }
}

extension Passport {
    typealias Identity = String
    typealias Representation = PassportRepresentation

    static let entity = EntityDescription(
        name: "Passport", table: "passport", identity: .columns([0]),
        columns: [
            .attribute("number", column: "number", .string, wire: "number"),
            .foreignKey("person", column: "person_id", .int),
        ],
        relationships: [.toOne("person", to: Person.self, inverse: "passport", columns: [1])])

    var identity: String { number }

    static func identity(in row: RowReader) -> String { row.string(0) }
}

struct PassportRepresentation: Representation {
    typealias Object = Passport

    var number: String

    enum CodingKeys: String, CodingKey { case number }

    init(number: String) { self.number = number }

    init(from wire: borrowing WireReader<CodingKeys>) throws { number = try wire.string(.number) }

    func write(to wire: inout WireWriter<CodingKeys>) throws { try wire.string(number, .number) }

    var wireIdentity: String? { number }
}
