import Foundation
@_spi(Generated) import LockstepStore

/// A city cannot be without its country, and a country with cities cannot be deleted.
final class Country: ManagedObject, Model {
    let code: String
    var name: String { didSet { didChange(1, from: oldValue, to: name) } }
    var cities: ToMany<City> { toMany(0) }

    @discardableResult
    init(code: String, name: String, cities: [City] = [], context: Context) {
        self.code = code
        self.name = name
        super.init(context: context)
        context.insert(self)
        self.cities.replaceAll(with: cities)
    }

    @discardableResult
    init?(representation: CountryRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        code = representation.code
        name = representation.name
        super.init(context: context)
        context.insert(self)
        if let cities = representation.cities { self.cities.merge(cities) }
    }

    required init(row: RowReader, context: Context) {
        code = row.string(0)
        name = row.string(1)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        if column == 1 { name = row.string(1) }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.string(code)
        case 1: row.string(name)
        default: break
        }
    }

    var representation: CountryRepresentation {
        CountryRepresentation(code: code, name: name, cities: cities.representations)
    }

    func update(from representation: CountryRepresentation) {
        name = representation.name
        if let cities = representation.cities { self.cities.merge(cities) }
    }

    func matches(_ representation: CountryRepresentation) -> Bool {
        code == representation.code && name == representation.name
            && (representation.cities.map { cities.matches($0) } ?? true)
    }
}

extension Country {
    typealias Identity = String
    typealias Representation = CountryRepresentation

    static let entity = EntityDescription(
        name: "Country", table: "country", identity: .columns([0]),
        columns: [
            .attribute("code", column: "code", .string, wire: "code"),
            .attribute("name", column: "name", .string, wire: "name"),
        ],
        relationships: [
            .toMany("cities", to: City.self, inverse: "country", onDelete: .deny, wire: .embedded("cities"))
        ])

    var identity: String { code }

    static func identity(in row: RowReader) -> String { row.string(0) }
}

struct CountryRepresentation: Representation {
    typealias Object = Country

    var code: String
    var name: String
    var cities: [CityRepresentation]?

    enum CodingKeys: String, CodingKey { case code, name, cities }

    init(code: String, name: String, cities: [CityRepresentation]? = nil) {
        self.code = code
        self.name = name
        self.cities = cities
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        code = try wire.string(.code)
        name = try wire.string(.name)
        cities = try wire.embeddedList(.cities)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.string(code, .code)
        try wire.string(name, .name)
        try wire.embeddedList(cities, .cities)
    }

    var wireIdentity: String? { code }
}

final class City: ManagedObject, Model {
    let id: Int
    var name: String { didSet { didChange(1, from: oldValue, to: name) } }
    var countryID: String? { didSet { didChangeKey(0, from: oldValue, to: countryID) } }
    var country: Country {
        get { requiredToOne(0, countryID) }
        set { setToOne(0, newValue) }
    }

    @discardableResult
    init(id: Int, name: String, country: Country? = nil, context: Context) {
        self.id = id
        self.name = name
        super.init(context: context)
        context.insert(self)
        if let country { self.country = country }
    }

    @discardableResult
    init?(representation: CityRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        id = representation.id
        name = representation.name
        super.init(context: context)
        context.insert(self)
    }

    required init(row: RowReader, context: Context) {
        id = row.int(0)
        name = row.string(1)
        countryID = row.optionalString(2)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        switch column {
        case 1: name = row.string(1)
        case 2: countryID = row.optionalString(2)
        default: break
        }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.int(id)
        case 1: row.string(name)
        case 2: row.optionalString(countryID)
        default: break
        }
    }

    override func setForeignKey(_ relationship: Int, to owner: ManagedObject?) {
        if relationship == 0 { countryID = (owner as? Country)?.identity }
    }

    var representation: CityRepresentation { CityRepresentation(id: id, name: name) }

    func update(from representation: CityRepresentation) { name = representation.name }

    func matches(_ representation: CityRepresentation) -> Bool {
        id == representation.id && name == representation.name
    }
}

extension City {
    typealias Identity = Int
    typealias Representation = CityRepresentation

    static let entity = EntityDescription(
        name: "City", table: "city", identity: .columns([0]),
        columns: [
            .attribute("id", column: "id", .int, wire: "id"),
            .attribute("name", column: "name", .string, wire: "name"),
            .foreignKey("country", column: "country_code", .string, isOptional: false),
        ],
        relationships: [.toOne("country", to: Country.self, inverse: "cities", columns: [2], isRequired: true)])

    var identity: Int { id }

    static func identity(in row: RowReader) -> Int { row.int(0) }
}

struct CityRepresentation: Representation {
    typealias Object = City

    var id: Int
    var name: String

    enum CodingKeys: String, CodingKey { case id, name }

    init(id: Int, name: String) {
        self.id = id
        self.name = name
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        id = try wire.int(.id)
        name = try wire.string(.name)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.int(id, .id)
        try wire.string(name, .name)
    }

    var wireIdentity: Int? { id }
}
