import GRDB
import LockstepJSON
import LockstepTables

/// The statements by which a merge reads and writes the rows of one entity, each prepared when first needed.
final class EntityStatements {
    private let plan: EntityPlan
    private let database: Database
    private var updates: [ColumnSet: (statement: RawStatement, columns: [Int])] = [:]
    private var placeholderStatements: [[Int]: RawStatement] = [:]
    private var latestUpdate: (set: ColumnSet, statement: RawStatement, columns: [Int])?

    init(_ plan: EntityPlan, in database: Database) {
        self.plan = plan
        self.database = database
    }

    /// Selects all columns of all rows.
    private(set) lazy var scan = Result { try RawStatement(plan.selectSQL, in: database) }
    /// Selects all columns of the row with a key.
    private(set) lazy var find = Result { try RawStatement(plan.findSQL, in: database) }
    private(set) lazy var insert = Result { try RawStatement(plan.insertSQL, in: database) }
    private(set) lazy var delete = Result { try RawStatement(plan.deleteSQL, in: database) }
    /// The columns of each unique index, except for the key's.
    private(set) lazy var uniqueIndexes = Result { try database.uniqueIndexes(of: plan) }
    /// Whether a trigger may refuse to write a row. It is the app's, since those of the schema deny only deletes.
    private(set) lazy var mayRefuse = Result<Bool, any Error> {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE \
            AND sql LIKE '%RAISE%' AND sql NOT LIKE '%lockstep.deny:%' AND name NOT LIKE 'lockstep!_%' ESCAPE '!')
            """
        let exists = try RawStatement(sql, in: database).firstValue([plan.table.databaseValue])
        return exists.flatMap(Bool.fromDatabaseValue) ?? false
    }
    /// The triggers that fire when rows are inserted.
    private(set) lazy var insertTriggers = Result { try InsertTriggers(of: plan, in: database) }
    /// The columns that are in any of them.
    private(set) lazy var uniqueColumns = Result<Set<Int>, any Error> { try Set(uniqueIndexes.get().joined()) }
    /// The identities of deleted records whose values new ones get back.
    private(set) lazy var keptIdentities = Result<Set<ExactText>, any Error> {
        plan.localColumns.isEmpty ? [] : try LocalValueTable.identities(of: plan, in: database)
    }
    /// The size of the table.
    private(set) lazy var size = Result { try TableSizeProbe(of: plan.table, in: database) }

    /// Whether the table has the row with a key.
    func hasRecord(_ key: [Cell]) throws -> Bool {
        let statement = try find.get()
        statement.bind(key)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Writes unique placeholders into columns of the row with a key.
    ///
    /// Preparing a statement that updates is more expensive than running it, since the table has triggers.
    func placeholders(_ columns: [Int]) throws -> RawStatement {
        if let known = placeholderStatements[columns] { return known }
        let assignments = columns.map { column in
            let placeholder = plan.columns[column].isOptional ? "NULL" : "randomblob(16)"
            return "\(SQLName.quoted(plan.columns[column].name)) = \(placeholder)"
        }
        let statement = try RawStatement(
            """
            UPDATE \(SQLName.quoted(plan.table)) SET \(assignments.joined(separator: ", ")) WHERE \(plan.keyCondition)
            """, in: database)
        placeholderStatements[columns] = statement
        return statement
    }

    /// Updates these columns of the row with a key; the key follows the values in the arguments.
    func update(_ set: ColumnSet) throws -> (statement: RawStatement, columns: [Int]) {
        if let latestUpdate, latestUpdate.set == set { return (latestUpdate.statement, latestUpdate.columns) }
        var known = updates[set]
        if known == nil {
            let columns = plan.columns.indices.filter(set.contains)
            known = (try RawStatement(plan.updateSQL(columns), in: database), columns)
            updates[set] = known
        }
        guard let known else { preconditionFailure("The statement was prepared above.") }
        latestUpdate = (set, known.statement, known.columns)
        return known
    }
}
