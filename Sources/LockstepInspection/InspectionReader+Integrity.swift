import GRDB
import LockstepEvolution
import LockstepStore

extension InspectionReader {
    /// The maximum number of problems that SQLite reports.
    private static let problemLimit = 20

    func check(_ integrity: inout InspectionReport.Integrity) throws {
        let rows = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(Self.problemLimit))")
        integrity.problems = rows == ["ok"] ? [] : Self.problems(in: rows)
        integrity.brokenReferences = try Row.fetchAll(
            database,
            sql: "SELECT \"table\", parent, COUNT(*) FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2"
        ).map { row in
            InspectionReport.BrokenReference(
                table: row[0] ?? "", destination: row[1] ?? "", count: row[2])
        }
        integrity.isChecked = true
    }

    /// The problems in the rows of an integrity check, one in each element. A row can contain several lines, the first
    /// of which only names the database.
    static func problems(in rows: [String]) -> [String] {
        rows.flatMap { $0.split(whereSeparator: \.isNewline) }.map(String.init)
            .filter { !($0.hasPrefix("*** in database ") && $0.hasSuffix("***")) }
    }

    /// The parts that a new store of the file's schema has and the file lacks. Names of indexes may differ, because a
    /// migration keeps them.
    func missingParts() throws -> [InspectionReport.MissingPart] {
        guard let structure = schema.structure else { return [] }
        let own = try FileParts(database)
        let fresh = try DatabaseQueue()
        let expected = try fresh.write { database in
            try MetadataTable.make(database)
            for statement in sqlStatements(for: structure, dialect: .sqlite) { try database.execute(sql: statement) }
            if hasCurrentSystemTables { try SystemTables(schema.plans).make(database) }
            return try FileParts(database)
        }
        return expected.missing(in: own)
    }

    /// `nil` if the file does not say which triggers it should have.
    func foreignTriggers() throws -> [InspectionReport.ForeignTrigger]? {
        guard schema.structure != nil else { return nil }
        return try ForeignTriggers(schema.plans, in: database).triggers.map {
            InspectionReport.ForeignTrigger(table: $0.table, name: $0.name)
        }
    }

    /// When a file of an earlier version of the library is next opened, the tables that it lacks are added.
    private var hasCurrentSystemTables: Bool {
        SystemTables.version(ofMark: schema.metadata.outbox) == SystemTables.version
    }
}

/// The tables, indexes and triggers of a file.
private struct FileParts {
    private let tables: Set<String>
    private let indexes: [String: Set<[String]>]
    private var triggers: [(name: String, table: String, body: String)] = []

    init(_ database: Database) throws {
        tables = Set(try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
        indexes = try FileStructure(database).tables().indexes.mapValues { Set($0.map(\.columns)) }
        let sql = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY 1"
        for row in try Row.fetchAll(database, sql: sql) {
            triggers.append((row[0], row[1], Self.body(row[2] ?? "")))
        }
    }

    /// The body of a trigger. Its name may be different in a migrated file.
    private static func body(_ sql: String) -> String {
        sql.firstRange(of: "BEGIN").map { String(sql[$0.lowerBound...]) } ?? sql
    }

    func missing(in file: FileParts) -> [InspectionReport.MissingPart] {
        let missingTables = tables.subtracting(file.tables)
        var missing = missingTables.map { InspectionReport.MissingPart(kind: .table, name: $0, table: $0) }
        for (table, columns) in indexes where !missingTables.contains(table) {
            for index in columns.subtracting(file.indexes[table] ?? []) {
                missing.append(.init(kind: .index, name: index.joined(separator: ", "), table: table))
            }
        }
        let names = Set(file.triggers.map(\.name))
        for trigger in triggers where !names.contains(trigger.name) && !missingTables.contains(trigger.table) {
            if file.triggers.contains(where: { $0.table == trigger.table && $0.body == trigger.body }) { continue }
            missing.append(.init(kind: .trigger, name: trigger.name, table: trigger.table))
        }
        return missing.sorted { ($0.table, $0.kind.rawValue, $0.name) < ($1.table, $1.kind.rawValue, $1.name) }
    }
}
