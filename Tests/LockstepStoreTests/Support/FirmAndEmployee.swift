import Foundation
@_spi(Generated) import LockstepStore

/// A firm with employees cannot be deleted.
enum FirmSchema: StoreSchema {
    static let name = "Firm"
    static let version = 1
    static let entities: [any Model.Type] = [Firm.self, Employee.self]
    static let statements: [String] = [
        #"CREATE TABLE "firm" ("id" INTEGER PRIMARY KEY NOT NULL)"#,
        #"""
        CREATE TABLE "employee" (
            "id" INTEGER PRIMARY KEY NOT NULL, "badge" TEXT NOT NULL UNIQUE, "firm_id" INTEGER, "boss_id" INTEGER
        )
        """#,
        #"""
        CREATE TRIGGER "firm_delete" BEFORE DELETE ON "firm" BEGIN
            SELECT RAISE(ABORT, 'Firm.employees denies it') WHERE EXISTS (
                SELECT 1 FROM "employee" WHERE "firm_id" = OLD."id");
        END
        """#,
        #"""
        CREATE TRIGGER "employee_delete" AFTER DELETE ON "employee" BEGIN
            UPDATE "employee" SET "boss_id" = NULL WHERE "boss_id" = OLD."id";
        END
        """#,
    ]
}

final class Firm: ManagedObject, Model {
    let id: Int
    var employees: ToMany<Employee> { toMany(0) }

    @discardableResult
    init(id: Int, context: Context) {
        self.id = id
        super.init(context: context)
        context.insert(self)
    }

    required convenience init?(representation: FirmRepresentation, context: Context) {
        self.init(id: representation.id, context: context)
    }

    required init(row: RowReader, context: Context) {
        id = row.int(0)
        super.init(loadedIn: context)
    }

    override func bind(_ column: Int, to row: inout RowWriter) { row.int(id) }

    var representation: FirmRepresentation { FirmRepresentation(id: id) }

    func update(from representation: FirmRepresentation) {}

    func matches(_ representation: FirmRepresentation) -> Bool { id == representation.id }
}

extension Firm {
    typealias Identity = Int
    typealias Representation = FirmRepresentation

    static let entity = EntityDescription(
        name: "Firm", table: "firm", identity: .columns([0]),
        columns: [.attribute("id", column: "id", .int, wire: "id")],
        relationships: [.toMany("employees", to: Employee.self, inverse: "firm", onDelete: .deny)])

    var identity: Int { id }

    static func identity(in row: RowReader) -> Int { row.int(0) }
}

struct FirmRepresentation: Representation {
    typealias Object = Firm

    var id: Int

    enum CodingKeys: String, CodingKey { case id }

    init(id: Int) { self.id = id }

    init(from wire: borrowing WireReader<CodingKeys>) throws { id = try wire.int(.id) }

    func write(to wire: inout WireWriter<CodingKeys>) throws { try wire.int(id, .id) }

    var wireIdentity: Int? { id }
}

/// Has a badge that nobody else has, and a rule of its own for who reports to it.
final class Employee: ManagedObject, Model {
    let id: Int
    var badge: String { didSet { didChange(1, from: oldValue, to: badge) } }
    var firmID: Int? { didSet { didChangeKey(0, from: oldValue, to: firmID) } }
    var bossID: Int? { didSet { didChangeKey(1, from: oldValue, to: bossID) } }
    var boss: Employee? {
        get { toOne(1, bossID) }
        set { setToOne(1, newValue) }
    }

    @discardableResult
    init(id: Int, badge: String, firm: Firm? = nil, context: Context) {
        self.id = id
        self.badge = badge
        super.init(context: context)
        context.insert(self)
        setToOne(0, firm)
    }

    required convenience init?(representation: EmployeeRepresentation, context: Context) {
        self.init(id: representation.id, badge: representation.badge, context: context)
    }

    required init(row: RowReader, context: Context) {
        id = row.int(0)
        badge = row.string(1)
        firmID = row.optionalInt(2)
        bossID = row.optionalInt(3)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        switch column {
        case 1: badge = row.string(1)
        case 2: firmID = row.optionalInt(2)
        case 3: bossID = row.optionalInt(3)
        default: break
        }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.int(id)
        case 1: row.string(badge)
        case 2: row.optionalInt(firmID)
        case 3: row.optionalInt(bossID)
        default: break
        }
    }

    override func setForeignKey(_ relationship: Int, to owner: ManagedObject?) {
        switch relationship {
        case 0: firmID = (owner as? Firm)?.identity
        default: bossID = (owner as? Employee)?.identity
        }
    }

    var representation: EmployeeRepresentation { EmployeeRepresentation(id: id, badge: badge) }

    func update(from representation: EmployeeRepresentation) { badge = representation.badge }

    func matches(_ representation: EmployeeRepresentation) -> Bool {
        id == representation.id && badge == representation.badge
    }
}

extension Employee {
    typealias Identity = Int
    typealias Representation = EmployeeRepresentation

    static let entity = EntityDescription(
        name: "Employee", table: "employee", identity: .columns([0]),
        columns: [
            .attribute("id", column: "id", .int, wire: "id"),
            .attribute("badge", column: "badge", .string, isUnique: true, wire: "badge"),
            .foreignKey("firm", column: "firm_id", .int),
            .foreignKey("boss", column: "boss_id", .int),
        ],
        relationships: [
            .toOne("firm", to: Firm.self, inverse: "employees", columns: [2]),
            .toOne("boss", to: Employee.self, inverse: "reports", columns: [3]),
            .toMany("reports", to: Employee.self, inverse: "boss"),
        ])

    var identity: Int { id }

    static func identity(in row: RowReader) -> Int { row.int(0) }
}

struct EmployeeRepresentation: Representation {
    typealias Object = Employee

    var id: Int
    var badge: String

    enum CodingKeys: String, CodingKey { case id, badge }

    init(id: Int, badge: String) {
        self.id = id
        self.badge = badge
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        id = try wire.int(.id)
        badge = try wire.string(.badge)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.int(id, .id)
        try wire.string(badge, .badge)
    }

    var wireIdentity: Int? { id }
}
