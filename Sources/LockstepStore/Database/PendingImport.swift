import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON

/// Makes exported changes again in a store, after the steps from their version to the store's.
///
/// The steps are those of a file: the changes are written to a temporary file of their version, which is migrated.
struct PendingImport {
    private let schema: SchemaDescription
    private let former: SchemaStructure
    private let version: Int
    private let changes: [JSONObject]

    /// - Throws: `StoreError` if the JSON is not an export of this schema.
    init(_ schema: SchemaDescription, json: Data) throws {
        self.schema = schema
        guard let value = try? JSONValue(json: json), value["schema"] == .string(schema.name),
            case .integer(let version)? = value["version"], let tree = value["structure"],
            case .array(let changes)? = value["changes"],
            let structure = try? SchemaStructure(recorded: SchemaTree(json: tree))
        else {
            throw StoreError(
                .otherSchema, doing: "importing pending changes", reason: "it is not an export of “\(schema.name)”",
                remedy: "Pass what Store.exportPending has returned.")
        }
        former = structure
        self.version = Int(version)
        self.changes = changes.compactMap { if case .object(let members) = $0 { members } else { nil } }
    }

    /// - Returns: The number of records that were changed.
    func run(in writer: any DatabaseWriter) throws -> Int {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("pending.sqlite")
        try write(to: file)
        let opening = StoreOpening(
            schema: schema, location: .file(file), configuration: Configuration(), options: MigrationOptions())
        let migrated = try opening.open().writer
        defer { try? migrated.close() }
        return try migrated.read { source in
            try writer.write { database in
                // What the schema has no place for.
                try LeftoverTable.copy(from: source, to: database)
                return try schema.plan.reduce(0) { try $0 + apply($1, from: source, to: database) }
            }
        }
    }

    /// Creates a file of the changes' version, with their records.
    private func write(to url: URL) throws {
        let description = try SchemaDescription(former, version: version)
        let plans = description.plan
        let opening = StoreOpening(
            schema: description, location: .file(url), configuration: Configuration(), options: MigrationOptions())
        let writer = try opening.open().writer
        defer { try? writer.close() }
        try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF") }
        try writer.write { database in
            try OutboxTable.suppressed(database) {
                for change in changes {
                    guard case .string(let name)? = change["entity"], let plan = plans[name] else { continue }
                    try insert(change["values"], of: plan, table: plan.table, in: database)
                    let base = BaseTable(plan, in: database).name
                    if try database.hasTable(base) { try insert(change["base"], of: plan, table: base, in: database) }
                    try OutboxTable.insert(
                        name, for: change["record"]?.stored ?? .null, change: change["change"]?.stored ?? .null,
                        in: database)
                }
            }
        }
    }

    private func insert(_ values: JSONValue?, of plan: EntityPlan, table: String, in database: Database) throws {
        guard case .object(let members)? = values else { return }
        let columns = plan.columns.map(\.name).filter { members[$0] != nil }
        try database.change(
            """
            INSERT OR REPLACE INTO \(SQLName.quoted(table)) (\(columns.map(SQLName.quoted).joined(separator: ", "))) \
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """, with: columns.map { members[$0]?.stored ?? .null })
    }

    /// Makes the changes of an entity's records: the store's triggers record them as local changes.
    private func apply(_ plan: EntityPlan, from source: Database, to database: Database) throws -> Int {
        guard plan.isTracked else { return 0 }
        var count = 0
        for change in try PendingChange.fetch(source, of: plan) {
            let row = try source.valueRows(plan.findSQL, with: change.key.values).first
            let exists = try !database.valueRows(plan.findSQL, with: change.key.values).isEmpty
            let base = try OutboxWriter(source, plan: plan).base(of: change.key)
            if change.kind == .delete {
                if exists { count += try database.change(plan.deleteSQL, with: change.key.values) }
            } else if let row, !exists {
                count += try database.change(plan.insertSQL, with: row)
            } else if let row {
                // Without a base, all of it is new to the server.
                let changed = plan.columns.indices.filter { column in
                    !plan.keyColumns.contains(column) && base.map { !$0[column].isIdentical(to: row[column]) } ?? true
                }
                if !changed.isEmpty {
                    count += try database.change(
                        plan.updateSQL(changed), with: changed.map { row[$0] } + change.key.values)
                }
            }
        }
        return count
    }
}
