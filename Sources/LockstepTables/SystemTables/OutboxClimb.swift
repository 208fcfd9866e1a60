/// Finds the owners of embedded records, however many levels there are.
///
/// A statement of a trigger may not begin with `WITH`, but a subquery in it may
/// (https://www.sqlite.org/lang_with.html). `UNION` ends cycles of owners.
struct OutboxClimb {
    /// The entities whose records may be found; a row identifies them by index.
    let entities: [EntityPlan]
    private let selection: String

    private static let table = "lockstep_climb"

    /// Starts from the records of an entity that satisfy a condition.
    init(from plan: EntityPlan, where condition: String, plans: SchemaPlan) {
        self.init(plan, plans: plans) { index, padded in
            let key = padded(plan.keyColumns.map(plan.qualifiedName(ofColumn:)))
            return ["SELECT \(index(plan)), \(key) FROM \(SQLName.quoted(plan.table)) WHERE \(condition)"]
        }
    }

    /// Starts from the row of a trigger, which may have been deleted.
    init(fromRow row: String, plan: EntityPlan, plans: SchemaPlan) {
        self.init(plan, plans: plans) { index, padded in
            let key = OutboxSQL.values(row, of: plan, columns: plan.keyColumns)
            return OutboxOwner.owners(of: plan, plans: plans).map { owner in
                let source = owner.source(plan)
                if source.isOwnRow {
                    let columns = source.key.map { "\(row).\(SQLName.quoted($0))" }
                    return "SELECT \(index(owner.owner)), \(padded(columns)) WHERE \(columns[0]) IS NOT NULL"
                }
                let table = SQLName.quoted(source.table)
                let matched = zip(source.matched, key).map { "\(table).\(SQLName.quoted($0)) = \($1)" }
                return """
                    SELECT \(index(owner.owner)), \(padded(Self.columns(source.key, of: table))) FROM \(table) \
                    WHERE \(matched.joined(separator: " AND "))
                    """
            }
        }
    }

    private init(
        _ plan: EntityPlan, plans: SchemaPlan,
        beginning: (_ index: (EntityPlan) -> Int, _ padded: ([String]) -> String) -> [String]
    ) {
        let entities = Self.entities(above: plan, plans: plans)
        let width = entities.map(\.keyColumns.count).max() ?? 1
        let index = { (plan: EntityPlan) in entities.firstIndex { $0 === plan } ?? 0 }
        let padded = { (columns: [String]) in
            (columns + Array(repeating: "NULL", count: width - columns.count)).joined(separator: ", ")
        }
        let steps = entities.flatMap { plan in
            OutboxOwner.owners(of: plan, plans: plans).map { owner in
                Self.step(owner.source(plan), from: index(plan), to: "\(index(owner.owner))", padded: padded)
            }
        }
        self.entities = entities
        selection = """
            WITH RECURSIVE \(Self.table) (entity, \((0..<width).map(Self.key).joined(separator: ", "))) AS \
            (\((beginning(index, padded) + steps).joined(separator: " UNION ")))
            """
    }

    /// The entity itself, its owners, their owners and so on.
    private static func entities(above plan: EntityPlan, plans: SchemaPlan) -> [EntityPlan] {
        var found = [plan]
        var next = 0
        while next < found.count {
            for end in OutboxOwner.owners(of: found[next], plans: plans)
            where !found.contains(where: { $0 === end.owner }) {
                found.append(end.owner)
            }
            next += 1
        }
        return found
    }

    private static func key(_ index: Int) -> String { "key_\(index)" }

    private static func columns(_ names: [String], of table: String) -> [String] {
        names.map { "\(table).\(SQLName.quoted($0))" }
    }

    /// From a record to an owner. `CROSS` makes SQLite use what was found as the outer loop. The `+` removes the
    /// affinity that the keys of another entity would apply to these.
    private static func step(
        _ source: OutboxOwner.Source, from index: Int, to owner: String, padded: ([String]) -> String
    ) -> String {
        let table = SQLName.quoted(source.table)
        let key = columns(source.key, of: table)
        let matched = columns(source.matched, of: table).enumerated().map { "\($1) = +\(Self.table).\(Self.key($0))" }
        return """
            SELECT \(owner), \(padded(key)) FROM \(Self.table) CROSS JOIN \(table) \
            WHERE \(Self.table).entity = \(index) AND \(matched.joined(separator: " AND ")) AND \(key[0]) IS NOT NULL
            """
    }

    /// The condition that a row of an entity's table was found.
    func condition(_ plan: EntityPlan) -> String {
        guard let index = entities.firstIndex(where: { $0 === plan }) else { return "0" }
        let key = plan.keyColumns.indices.map { "+\(Self.key($0))" }.joined(separator: ", ")
        return OutboxSQL.isIn(
            plan, columns: plan.keyColumns,
            selection: "\(selection) SELECT \(key) FROM \(Self.table) WHERE entity = \(index)")
    }
}
