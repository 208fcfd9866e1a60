import Foundation
@_spi(Generated) import LockstepStore

/// Two attributes together are the identity.
final class Seat: ManagedObject, Model {
    let row: String
    let number: Int
    var price: Double { didSet { didChange(2, from: oldValue, to: price) } }
    var tickets: ToMany<Ticket> { toMany(0) }

    @discardableResult
    init(row: String, number: Int, price: Double = 10, tickets: [Ticket] = [], context: Context) {
        self.row = row
        self.number = number
        self.price = price
        super.init(context: context)
        context.insert(self)
        self.tickets.replaceAll(with: tickets)
    }

    @discardableResult
    init?(representation: SeatRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        row = representation.row
        number = representation.number
        price = representation.price
        super.init(context: context)
        context.insert(self)
    }

    required init(row: RowReader, context: Context) {
        self.row = row.string(0)
        number = row.int(1)
        price = row.double(2)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        if column == 2 { price = row.double(2) }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.string(self.row)
        case 1: row.int(number)
        case 2: row.double(price)
        default: break
        }
    }

    var representation: SeatRepresentation { SeatRepresentation(row: row, number: number, price: price) }

    func update(from representation: SeatRepresentation) { price = representation.price }

    func matches(_ representation: SeatRepresentation) -> Bool {
        row == representation.row && number == representation.number && price == representation.price
    }
}

extension Seat {
    struct Identity: IdentityValue {
        var row: String
        var number: Int

        var keyValues: [DatabaseValue] { row.keyValues + number.keyValues }
    }

    typealias Representation = SeatRepresentation

    static let entity = EntityDescription(
        name: "Seat", table: "seat", identity: .columns([0, 1]),
        columns: [
            .attribute("row", column: "row", .string, wire: "row"),
            .attribute("number", column: "number", .int, wire: "number"),
            .attribute(
                "price", column: "price", .double, wire: "price", default: .double(10), limits: Limits(min: "0")),
        ],
        relationships: [.toMany("tickets", to: Ticket.self, inverse: "seat")])

    var identity: Identity { Identity(row: row, number: number) }

    static func identity(in row: RowReader) -> Identity { Identity(row: row.string(0), number: row.int(1)) }
}

struct SeatRepresentation: Representation {
    typealias Object = Seat

    var row: String
    var number: Int
    var price: Double

    enum CodingKeys: String, CodingKey { case row, number, price }

    init(row: String, number: Int, price: Double = 10) {
        self.row = row
        self.number = number
        self.price = price
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        row = try wire.string(.row)
        number = try wire.int(.number)
        price = try wire.double(.price, default: 10)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.string(row, .row)
        try wire.int(number, .number)
        try wire.double(price, .price)
    }

    var wireIdentity: Seat.Identity? { Seat.Identity(row: row, number: number) }
}

/// Its foreign key is two columns and one property.
final class Ticket: ManagedObject, Model {
    let id: Int
    var seatID: Seat.Identity? { didSet { didChangeKey(0, from: oldValue, to: seatID) } }
    var seat: Seat? {
        get { toOne(0, seatID) }
        set { setToOne(0, newValue) }
    }

    @discardableResult
    init(id: Int, seat: Seat? = nil, context: Context) {
        self.id = id
        super.init(context: context)
        context.insert(self)
        if let seat { self.seat = seat }
    }

    @discardableResult
    init?(representation: TicketRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        id = representation.id
        seatID = representation.seatID
        super.init(context: context)
        context.insert(self)
    }

    required init(row: RowReader, context: Context) {
        id = row.int(0)
        seatID = Self.seatID(in: row)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        if column == 1 { seatID = Self.seatID(in: row) }
    }

    private static func seatID(in row: RowReader) -> Seat.Identity? {
        guard let seatRow = row.optionalString(1), let number = row.optionalInt(2) else { return nil }
        return Seat.Identity(row: seatRow, number: number)
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.int(id)
        case 1: row.optionalString(seatID?.row)
        case 2: row.optionalInt(seatID?.number)
        default: break
        }
    }

    override func setForeignKey(_ relationship: Int, to owner: ManagedObject?) {
        if relationship == 0 { seatID = (owner as? Seat)?.identity }
    }

    var representation: TicketRepresentation { TicketRepresentation(id: id, seatID: seatID) }

    func update(from representation: TicketRepresentation) { seatID = representation.seatID }

    func matches(_ representation: TicketRepresentation) -> Bool {
        id == representation.id && seatID == representation.seatID
    }
}

extension Ticket {
    typealias Identity = Int
    typealias Representation = TicketRepresentation

    static let entity = EntityDescription(
        name: "Ticket", table: "ticket", identity: .columns([0]),
        columns: [
            .attribute("id", column: "id", .int, wire: "id"),
            .foreignKey("seat", column: "seat_row", .string),
            .foreignKey("seat", column: "seat_number", .int),
        ],
        relationships: [
            .toOne(
                "seat", to: Seat.self, inverse: "tickets", columns: [1, 2], wire: .id(["seat_row", "seat_number"]))
        ])

    var identity: Int { id }

    static func identity(in row: RowReader) -> Int { row.int(0) }
}

struct TicketRepresentation: Representation {
    typealias Object = Ticket

    var id: Int
    var seatID: Seat.Identity?

    enum CodingKeys: String, CodingKey {
        case id
        case seatRow = "seat_row"
        case seatNumber = "seat_number"
    }

    init(id: Int, seatID: Seat.Identity? = nil) {
        self.id = id
        self.seatID = seatID
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        id = try wire.int(.id)
        if let row = try wire.optionalString(.seatRow), let number = try wire.optionalInt(.seatNumber) {
            seatID = Seat.Identity(row: row, number: number)
        }
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.int(id, .id)
        try wire.optionalString(seatID?.row, .seatRow)
        try wire.optionalInt(seatID?.number, .seatNumber)
    }

    var wireIdentity: Int? { id }
}
