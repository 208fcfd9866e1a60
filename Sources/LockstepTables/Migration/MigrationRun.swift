package import Foundation
import GRDB
package import LockstepEvolution

/// Changes the tables of a file from one version of the schema to another, in the caller's transaction.
///
/// Foreign keys must not be enforced meanwhile: a table that is made again is dropped in between.
package struct MigrationRun {
    let schema: SchemaDescription
    let plan: MigrationPlan
    let file: FileMetadata
    /// The time of the migration.
    let now: Date
    let systemTables: SystemTables
    /// Called before each statement that may take long, with the completed part, from 0 to 1.
    let progress: (Double) throws -> Void

    package init(
        schema: SchemaDescription, plan: MigrationPlan, file: FileMetadata, now: Date, systemTables: SystemTables,
        progress: @escaping (Double) throws -> Void = { _ in }
    ) {
        (self.schema, self.plan, self.file, self.now) = (schema, plan, file, now)
        (self.systemTables, self.progress) = (systemTables, progress)
    }

    /// The result of a migration.
    package struct Outcome {
        package var rowsWritten = 0
        package var pendingCount = 0
        package var settledCount = 0
        package var leftoverCount = 0

        package init() {}
    }

    /// The order is that of what each step needs: names first, since all that follows uses the new ones; then what is
    /// lost is kept, while it is still there; then the tables; then what refers to them.
    package func run(_ database: Database) throws -> Outcome {
        let tables = SystemTableMigration(
            plan: plan, version: file.version, now: now.timeIntervalSince1970, database: database)
        var outcome = Outcome()
        try dropTriggers(database)
        try rename(database)
        try tables.rename()
        try tables.keepLeftovers()
        try tables.forget()
        try refetch(database)
        var failures = FailedConversions(
            plan: plan, version: file.version, now: now.timeIntervalSince1970, database: database)
        try failures.keep()
        let duplicates = DuplicateResolution(plan: plan, version: file.version, now: now, database: database)
        try duplicates.run()
        let objects = try AppObjects(writtenTables, dropped: Set(plan.droppedTables), except: ownIndexes, in: database)
        try objects.drop()
        outcome.rowsWritten = try changeTables(database)
        try failures.restore()
        try tables.convert()
        try createIndexes(database)
        try createTriggers(database)
        try objects.create()
        try tables.retryParked()
        try systemTables.make(database)
        try tables.keepSpellings(schema.plan)
        try tables.noteUnknownMembers()
        try tables.createFirst(schema.plan)
        outcome.settledCount = try tables.dropEqual(schema.plan)
        try failures.park()
        try FileMetadata.write(schema, isNew: false, in: database)
        try check(database)
        outcome.pendingCount = try OutboxTable.counts(database, plans: schema.plan).count
        outcome.leftoverCount = try LeftoverTable.count(database)
        return outcome
    }

    // MARK: Names

    private func dropTriggers(_ database: Database) throws {
        try SystemTables.dropTriggers(database)
        for name in plan.formerTriggers { try database.execute(sql: "DROP TRIGGER IF EXISTS \(SQLName.quoted(name))") }
    }

    private func rename(_ database: Database) throws {
        let statements = plan.tableRenames + plan.tables.flatMap(\.renames) + plan.tables.flatMap(\.baseRenames)
        for statement in statements { try database.execute(sql: statement) }
    }

    // MARK: Tables

    /// The tables of which rows are written or columns dropped.
    private var writtenTables: Set<String> { Set(plan.tables.filter { $0.work >= .shuffle }.map(\.name)) }

    private var ownIndexes: Set<String> { Set(plan.tables.flatMap(\.ownIndexes)) }

    private func changeTables(_ database: Database) throws -> Int {
        let steps = plan.tables.flatMap(\.steps).count + plan.tables.flatMap(\.createdIndexes).count
        var done = 0
        var rows = 0
        for table in plan.tables {
            for index in table.droppedIndexes {
                try database.execute(sql: "DROP INDEX IF EXISTS \(SQLName.quoted(index))")
            }
            for statement in table.baseSeeds { try database.execute(sql: statement) }
            for step in table.steps {
                try progress(Double(done) / Double(max(steps, 1)))
                try database.execute(sql: step.sql)
                if case .rows = step { rows += database.changesCount }
                done += 1
            }
            for statement in table.baseStatements { try database.execute(sql: statement) }
        }
        for table in plan.droppedTables {
            try database.execute(sql: "DROP TABLE IF EXISTS \(SQLName.quoted(table))")
            try database.execute(sql: "DROP TABLE IF EXISTS \(SQLName.quoted("lockstep_base_\(table)"))")
        }
        for statement in plan.createdTables { try database.execute(sql: statement) }
        return rows
    }

    private func createIndexes(_ database: Database) throws {
        for statement in plan.tables.flatMap(\.createdIndexes) {
            try progress(0.9)
            try database.execute(sql: statement)
        }
    }

    private func createTriggers(_ database: Database) throws {
        for statement in schema.plan.triggers { try database.execute(sql: statement) }
    }

    /// Rows without pending changes are deleted where the history says so: the next pull brings them again.
    private func refetch(_ database: Database) throws {
        for (name, entity) in plan.evolution.entities where entity.deletesRefetched && entity.origin != nil {
            guard let new = plan.evolution.new.entity(name), new.remote != nil else { continue }
            let record = RecordSQL(new, in: plan.evolution.new).sql(SQLName.quoted(new.table))
            let isPending = """
                EXISTS (SELECT 1 FROM \(OutboxTables.outbox) WHERE entity = \(OutboxSQL.literal(name)) AND record = \(record))
                """
            try database.execute(sql: "DELETE FROM \(SQLName.quoted(new.table)) WHERE NOT \(isPending)")
        }
    }

    // MARK: Checking

    /// Compares the tables with those of a new store, and the references of tables that were made again.
    private func check(_ database: Database) throws {
        if let difference = try FileStructure(database).difference(from: plan.evolution.new) {
            throw MigrationFailure(reason: "afterwards, \(difference)")
        }
        for table in plan.tables where table.work == .rebuild {
            let sql = "SELECT \"table\", parent FROM pragma_foreign_key_check(?)"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [table.name]) else { continue }
            throw MigrationFailure(
                reason:
                    "a row of “\(row[0] as String? ?? "")” points at a row of “\(row[1] as String? ?? "")” that does"
                    + " not exist")
        }
    }
}

/// A migration that did not result in what it should. The file is as before.
struct MigrationFailure: Error {
    let reason: String
}

/// The views, triggers and indexes that an app has made itself on tables that are written.
///
/// SQLite does not drop a column that one of them names. They are dropped, and created again by their own statements.
/// No trigger runs meanwhile: the caller has disabled them.
struct AppObjects {
    private let objects: [(type: String, name: String, sql: String)]
    private let database: Database

    /// - Parameters:
    ///   - tables: The tables that are written.
    ///   - dropped: The tables that are dropped, with what belongs to them.
    ///   - own: The names of indexes that are the schema's.
    init(_ tables: Set<String>, dropped: Set<String>, except own: Set<String>, in database: Database) throws {
        self.database = database
        guard !tables.isEmpty || !dropped.isEmpty else {
            objects = []
            return
        }
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT type, CAST(name AS TEXT), CAST(tbl_name AS TEXT), CAST(sql AS TEXT) FROM sqlite_master \
                WHERE type IN ('view', 'trigger', 'index') AND name IS NOT NULL AND tbl_name IS NOT NULL \
                AND sql IS NOT NULL ORDER BY rowid
                """)
        objects = rows.compactMap { row in
            let (type, name, table): (String, String, String) = (row[0], row[1], row[2])
            // A view or a trigger may name any table.
            guard !dropped.contains(table), type != "index" || tables.contains(table) && !own.contains(name) else {
                return nil
            }
            return (type, name, row[3])
        }
    }

    func drop() throws {
        for object in objects.reversed() where object.type != "index" {
            try database.execute(sql: "DROP \(object.type) IF EXISTS \(SQLName.quoted(object.name))")
        }
        for object in objects where object.type == "index" {
            try database.execute(sql: "DROP INDEX IF EXISTS \(SQLName.quoted(object.name))")
        }
    }

    /// - Throws: `MigrationFailure` with the name of one that no longer fits.
    func create() throws {
        for object in objects {
            do {
                // Not `execute(sql:)`: a file could contain more than one statement.
                try database.makeStatement(sql: object.sql).execute()
                // A view is not compiled before it is used.
                if object.type == "view" {
                    _ = try database.makeStatement(sql: "SELECT * FROM \(SQLName.quoted(object.name))")
                }
            } catch let error as DatabaseError {
                throw MigrationFailure(
                    reason: "the app's own \(object.type) “\(object.name)” does not fit the new tables:"
                        + " \(error.message ?? "")")
            }
        }
    }
}
