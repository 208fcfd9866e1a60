import LockstepStore
import StoreSamples
import Testing

@Suite("A save finds an order in which its changes may be made") @MainActor
struct SaveOrderTests {
    private let store: Store
    private let context: ManagedObjectContext

    init() throws {
        store = try Store(FirmSchema.self, at: .inMemory)
        context = store.mainContext
    }

    @Test("A protected record and those that protect it go together, whichever is deleted first")
    func denied() throws {
        for isFirmFirst in [true, false] {
            let firm = Firm(id: 1, context: context)
            let employee = Employee(id: 1, badge: "a", firm: firm, context: context)
            try context.save()
            for object in isFirmFirst ? [firm, employee] : [employee, firm] { context.delete(object) }
            try context.save()
            #expect(try store.rows("SELECT id FROM firm UNION ALL SELECT id FROM employee").isEmpty)
        }
    }

    @Test("A unique value can be handed on, and two can change places")
    func unique() throws {
        let employees = ["a", "b", "c"].enumerated().map { Employee(id: $0, badge: $1, context: context) }
        try context.save()
        employees[0].badge = "b"
        employees[1].badge = "c"
        employees[2].badge = "d"
        try context.save()
        #expect(try store.rows("SELECT badge FROM employee ORDER BY id") == ["b", "c", "d"])
        employees[0].badge = "d"
        employees[2].badge = "b"
        try context.save()
        #expect(try store.rows("SELECT badge FROM employee ORDER BY id") == ["d", "c", "b"])
        employees[0].badge = "c"
        let error = storeError { try context.save() }
        #expect(error?.code == .notUnique && error?.attribute == "badge" && error?.record == "0")
        #expect(try store.rows("SELECT badge FROM employee ORDER BY id") == ["d", "c", "b"])
    }

    @Test("The first record is the first that stays, and within the request's own limits")
    func first() throws {
        let employees = (1...4).map { Employee(id: $0, badge: "\($0)", context: context) }
        try context.save()
        let request = Employee.order(Column("id"))
        #expect(try context.first(request.limit(2, offset: 1))?.id == 2)
        #expect(try context.first(request.limit(0)) == nil)
        context.delete(employees[0])
        #expect(try context.first(request)?.id == 2)
        context.delete(employees[1])
        #expect(try context.first(request.limit(2)) == nil)
        #expect(try context.first(request.limit(3))?.id == 3)
    }

    @Test("A chain of twenty thousand records is deleted with its first")
    func deep() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let context = store.mainContext
        let root = Node(id: 0, name: "root", context: context)
        try context.save()
        try store.run(
            """
            WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 20000)
            INSERT INTO node SELECT n, 'node', n - 1 FROM number;
            CREATE INDEX node_parent ON node (parent_id)
            """)
        context.delete(root)
        try context.save()
        #expect(try store.rows("SELECT COUNT(*) FROM node") == ["0"])
    }
}
