import GRDB
import LockstepTables

/// Finds the records that a record's relationships lead to, as far as delete rules matter.
final class LinkReader {
    private let plans: SchemaPlan
    private let database: Database
    private var statements: [String: RawStatement] = [:]

    init(plans: SchemaPlan, database: Database) {
        self.plans = plans
        self.database = database
    }

    struct Found {
        let record: RecordReference
        /// Whether the server has it: a record that got its identity locally may not exist there.
        let reachedServer: Bool
    }

    func destinations(of record: RecordReference, by link: DeleteLink) throws -> [Found] {
        let plan = plans[link.destination]
        switch link.form {
        case .inverse(let columns):
            let condition = SQLName.condition(columns.map { plan.columns[$0].name })
            return try find(in: link.destination, where: condition, arguments: record.key.values)
        case .foreignKey(let columns):
            let source = plans[record.entity]
            let foreignKey = names(of: source, columns: columns)
            let condition = """
                (\(names(of: plan, columns: plan.keyColumns))) IN \
                (SELECT \(foreignKey) FROM \(SQLName.quoted(source.table)) WHERE \(source.keyCondition))
                """
            return try find(in: link.destination, where: condition, arguments: record.key.values)
        case .join(let join):
            let condition = """
                (\(names(of: plan, columns: plan.keyColumns))) IN \
                (SELECT \(join.destinationColumns.map(SQLName.quoted).joined(separator: ", ")) \
                FROM \(SQLName.quoted(join.table)) WHERE \(SQLName.condition(join.sourceColumns)))
                """
            return try find(in: link.destination, where: condition, arguments: record.key.values)
        }
    }

    private func names(of plan: EntityPlan, columns: [Int]) -> String {
        columns.map { SQLName.quoted(plan.columns[$0].name) }.joined(separator: ", ")
    }

    private func find(in entity: Int, where condition: String, arguments: [DatabaseValue]) throws -> [Found] {
        let plan = plans[entity]
        let keyCount = plan.keyColumns.count
        let columns = plan.keyColumns + (plan.remoteColumn.map { [$0] } ?? [])
        let sql = "SELECT \(names(of: plan, columns: columns)) FROM \(SQLName.quoted(plan.table)) WHERE \(condition)"
        var found: [Found] = []
        try statement(sql).forEachRow(arguments) { row in
            let key = row.key(keyCount)
            let reachedServer = plan.remoteColumn == nil || !row.isNull(keyCount)
            found.append(Found(record: RecordReference(entity: entity, key: key), reachedServer: reachedServer))
        }
        return found
    }

    private func statement(_ sql: String) throws -> RawStatement {
        if let statement = statements[sql] { return statement }
        let statement = try RawStatement(sql, in: database)
        statements[sql] = statement
        return statement
    }
}
