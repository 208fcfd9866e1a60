import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON

/// A database in memory with the tables of a structure, which follows its changes as a store does.
struct EvolutionFile {
    let queue: DatabaseQueue

    init() throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            for function in StandInFunctions.all { database.add(function: function) }
        }
        queue = try DatabaseQueue(configuration: configuration)
    }

    /// An empty one.
    init(_ structure: SchemaStructure) throws {
        try self.init()
        try queue.write { database in
            for statement in sqlStatements(for: structure, dialect: .sqlite) { try database.execute(sql: statement) }
            try Self.makeBases(structure, database)
        }
    }

    func copy() throws -> EvolutionFile {
        let copy = try EvolutionFile()
        try queue.backup(to: copy.queue)
        return copy
    }

    func insert(_ tables: [HostileRows.Table]) throws {
        for table in tables {
            try insert(table.rows.map { $0.map(StoredValue.init) }, table.columns, into: table.name)
            try insert(
                (table.bases ?? []).map { $0.map(StoredValue.init) }, table.columns, into: "lockstep_base_\(table.name)"
            )
        }
    }

    func insert(_ rows: [[StoredValue]], _ columns: [String], into table: String) throws {
        let names = columns.map(\.quotedName).joined(separator: ", ")
        try queue.write { database in
            for row in rows {
                try database.execute(
                    sql:
                        "INSERT INTO \(table.quotedName) (\(names)) VALUES (\(row.map(\.mark).joined(separator: ", ")))",
                    arguments: StatementArguments(row.map(\.value)))
            }
        }
    }

    /// The tables with the values from before pending changes.
    private static func makeBases(_ structure: SchemaStructure, _ database: Database) throws {
        for entity in structure.entities where entity.remote != nil {
            let columns = SchemaLookup(structure).columns(of: entity).map(\.name.quotedName)
            let names = entity.keyColumns.isEmpty ? [EntityStructure.surrogateKey] : entity.keyColumns
            let key = names.map(\.quotedName).joined(separator: ", ")
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS \("lockstep_base_\(entity.table)".quotedName) \
                    (\(columns.joined(separator: ", ")), PRIMARY KEY (\(key))) WITHOUT ROWID
                    """)
        }
    }

    // MARK: Migrating

    /// Executes the statements in the order of the store's migration.
    ///
    /// - Returns: The plan.
    @discardableResult
    func migrate(_ evolution: SchemaEvolution, now: Double) throws -> MigrationPlan {
        try queue.write { database in
            let plan = MigrationPlan(evolution, in: try FileReading(database).tables(), now: now)
            func run(_ statements: [String]) throws {
                for statement in statements { try database.execute(sql: statement) }
            }
            try run(plan.formerTriggers.map { "DROP TRIGGER IF EXISTS \($0.quotedName)" })
            try run(plan.tableRenames + plan.tables.flatMap(\.renames) + plan.tables.flatMap(\.baseRenames))
            try readLost(plan, database)
            try refetch(plan, database)
            for duplicates in plan.duplicates { try resolve(duplicates, plan, database) }
            for table in plan.tables {
                try run(table.droppedIndexes.map { "DROP INDEX IF EXISTS \($0.quotedName)" })
                try run(table.baseSeeds + table.statements + table.baseStatements)
            }
            for table in plan.droppedTables {
                try run(["DROP TABLE \(table.quotedName)"])
                try run(["DROP TABLE IF EXISTS \("lockstep_base_\(table)".quotedName)"])
            }
            try run(plan.createdTables + plan.tables.flatMap(\.createdIndexes))
            try run(sqlStatements(for: evolution.new, dialect: .sqlite).filter { $0.hasPrefix("CREATE TRIGGER") })
            try Self.makeBases(evolution.new, database)
            try run(
                evolution.new.entities.filter { $0.remote == nil }.map { entity in
                    "DROP TABLE IF EXISTS \("lockstep_base_\(entity.table)".quotedName)"
                })
            return plan
        }
    }

    /// The store keeps pending values of what is removed: it must find them at this time.
    private func readLost(_ plan: MigrationPlan, _ database: Database) throws {
        let former = SchemaLookup(plan.evolution.former)
        var lists = plan.lostEntities.map { entity in (entity.table, former.columns(of: entity).map(\.name)) }
        for member in plan.lostMembers {
            guard let table = plan.evolution.new.entity(member.entity)?.table else { continue }
            lists.append((table, member.columns))
        }
        for (table, columns) in lists {
            for name in [table, "lockstep_base_\(table)"] where try name == table || database.tableExists(name) {
                let list = columns.map { "\(table.quotedName).\($0.quotedName)" }.joined(separator: ", ")
                _ = try Row.fetchAll(database, sql: "SELECT \(list) FROM \(name.quotedName) AS \(table.quotedName)")
            }
        }
    }

    /// Of several records with the same value, the first stays. Links to the others are left, in both ways of migrating.
    private func resolve(_ duplicates: MigrationPlan.Duplicates, _ plan: MigrationPlan, _ database: Database) throws {
        guard let entity = plan.evolution.new.entity(duplicates.entity) else { return }
        let order = (duplicates.newestBy.map { "\($0) DESC, " } ?? "") + "lockstep_row"
        let names = duplicates.values.indices.map { "lockstep_\($0)" }
        let values = zip(duplicates.values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
        // A column may be called rowid.
        let rows = """
            SELECT lockstep_row, \
            first_value(lockstep_row) OVER (PARTITION BY \(names.joined(separator: ", ")) ORDER BY \(order)) AS kept \
            FROM (SELECT *, _rowid_ AS lockstep_row, \(values) FROM \(entity.table.quotedName)) \
            WHERE \(names.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
            """
        try database.execute(
            sql: """
                DELETE FROM \(entity.table.quotedName) WHERE _rowid_ IN \
                (SELECT lockstep_row FROM (\(rows)) WHERE lockstep_row <> kept)
                """)
    }

    /// Records without a base are deleted where the history says so, as if they had no local changes.
    private func refetch(_ plan: MigrationPlan, _ database: Database) throws {
        for (name, kept) in plan.evolution.entities where kept.isRefetched {
            guard let origin = kept.origin.flatMap(plan.evolution.former.entity), origin.remote != nil,
                let entity = plan.evolution.new.entity(name)
            else { continue }
            let (table, base) = (entity.table.quotedName, "lockstep_base_\(entity.table)".quotedName)
            let keys = entity.keyColumns.isEmpty ? [EntityStructure.surrogateKey] : entity.keyColumns
            let isSame = keys.map(\.quotedName).map { "\(base).\($0) = \(table).\($0)" }
            try database.execute(
                sql: """
                    DELETE FROM \(table) WHERE NOT EXISTS \
                    (SELECT 1 FROM \(base) WHERE \(isSame.joined(separator: " AND ")))
                    """)
        }
    }
}

/// Simple functions with the names of the store's.
private enum StandInFunctions {
    static let all: [DatabaseFunction] = [
        DatabaseFunction("lockstep_convert", pure: true) { values in
            let converted = convert(values[0], to: String.fromDatabaseValue(values[2]) ?? "")
            return converted.isNull && !values[0].isNull && values.count == 4 ? values[3] : converted
        },
        // A conversion of an app that leaves the initial values.
        DatabaseFunction("lockstep_conversion", pure: true) { values in values[1] },
        DatabaseFunction("lockstep_cases", argumentCount: 2, pure: true) { values in
            guard let text = String.fromDatabaseValue(values[0]), let map = String.fromDatabaseValue(values[1]),
                case .array(let elements)? = try? JSONValue(json: Data(text.utf8)),
                case .object(let cases)? = try? JSONValue(json: Data(map.utf8))
            else { return values[0] }
            let replaced = elements.map { element in
                switch element {
                case .string(let text): cases[text] ?? element
                case .integer(let number): cases[String(number)] ?? element
                default: element
                }
            }
            return (try? JSONValue.array(replaced).json()).map { String(decoding: $0, as: UTF8.self) }
        },
        DatabaseFunction("lockstep_uuid", argumentCount: 0) { _ in RandomMark.text + UUID().uuidString.lowercased() },
    ]

    private static func convert(_ value: DatabaseValue, to type: String) -> DatabaseValue {
        let text: String
        switch value.storage {
        case .null: return .null
        case .int64(let number): text = String(number)
        // The base of a record may have 5 for 5.0, since its columns have no types.
        case .double(let number): text = Int64(exactly: number)?.description ?? number.description
        case .string(let string): text = string
        case .blob(let data): text = data.base64EncodedString()
        }
        switch type {
        case "string", "url", "attachment": return text.databaseValue
        case "int", "int64", "int32", "int16", "date", "float", "double":
            let limit = type == "int16" ? 32_767.0 : type == "int32" ? 2_147_483_647 : 9_007_199_254_740_992
            guard let number = Double(text), abs(number) <= limit else { return .null }
            let isReal = type == "date" || type == "double" || type == "float"
            return isReal ? number.databaseValue : Int64(exactly: number)?.databaseValue ?? .null
        case "decimal": return DecimalDigits(text)?.text.databaseValue ?? .null
        case "bool": return text == "1" ? true.databaseValue : text == "0" ? false.databaseValue : .null
        case "uuid": return UUID(uuidString: text)?.uuidString.lowercased().databaseValue ?? .null
        case "json": return "\"\(text.unicodeScalars.count)\"".databaseValue
        default: return type.hasPrefix("[") ? "[\(text.unicodeScalars.count)]".databaseValue : .null
        }
    }
}

/// The beginning of what is random, and therefore not compared.
enum RandomMark {
    static let text = "random:"
}
