import Foundation
import GRDB
import LockstepJSON

/// Reads the contents of a store in one transaction, and changes nothing.
struct InspectionReader {
    let database: Database
    let options: InspectionOptions
    let schema: InspectedSchema
    let values: InspectedValue
    let metadata: [String: String]

    /// - Throws: SQLite's error if not even the description can be read.
    init(_ database: Database, _ options: InspectionOptions) throws {
        self.database = database
        self.options = options
        schema = try InspectedSchema(database)
        metadata = try MetadataTable.exists(database) ? MetadataTable.all(database) : [:]
        let salt = options.salt ?? metadata[SyncMetadata.storeIdentity] ?? schema.metadata.fingerprint
        values = InspectedValue(includesValues: options.includesValues, salt: salt)
    }

    /// - Parameter files: Where the files of attachments are.
    func report(_ file: InspectionReport.File, files: AttachmentFiles) -> InspectionReport {
        var report = InspectionReport(at: options.at, file: file, schema: schemaPart)
        report.includesValues = options.includesValues
        reading("the records", &report) { $0.entities = try entities() }
        reading("the other tables", &report) { $0.otherTables = try otherTables() }
        reading("the pending changes", &report) { $0.outbox = try outbox() }
        reading("the state of the sync", &report) { $0.sync = try syncState() }
        reading("the leftovers", &report) { $0.leftovers = try leftovers() }
        reading("the attachments", &report) { $0.attachments = try attachments(files) }
        if options.checksIntegrity {
            reading("the file as a whole", &report) { try check(&$0.integrity) }
        }
        reading("the tables", &report) { $0.integrity.missing = try missingParts() }
        countChanges(&report)
        report.findings = InspectionFinding.all(in: report)
        return report
    }

    /// Reads one part. If the file is damaged, other parts may still be readable.
    private func reading(
        _ part: String, _ report: inout InspectionReport, _ body: (inout InspectionReport) throws -> Void
    ) {
        do { try body(&report) } catch {
            let reason = (error as? DatabaseError)?.message ?? "\(type(of: error))"
            report.unreadable.append(InspectionReport.Unreadable(part: part, reason: reason))
        }
    }

    private var schemaPart: InspectionReport.Schema {
        let file = schema.metadata
        let identity = metadata[SyncMetadata.storeIdentity]
        return InspectionReport.Schema(
            name: file.schema, version: file.version, fingerprint: file.fingerprint, madeBy: file.madeBy,
            migratedBy: file.migratedBy, appVersion: file.appVersion,
            store: identity.map { String($0.prefix(Self.identityLength)) }, isDescribed: schema.structure != nil,
            systemTables: SystemTables.version(ofMark: file.outbox), hasCopy: file.hasCopy)
    }

    /// The rest is not shown, because stand-ins are made with it.
    private static let identityLength = 8

    // MARK: Tables

    private func entities() throws -> [InspectionReport.Entity] {
        try schema.plans.filter { options.isIncluded($0.name) }.map { plan in
            InspectionReport.Entity(
                name: plan.name, table: plan.table, rows: try StoredRows(database: database).count(plan.table),
                isSynced: plan.isTracked || plan.remote != nil)
        }
    }

    private func otherTables() throws -> [InspectionReport.Table] {
        if options.entity != nil { return [] }
        let known = Set(schema.plans.map(\.table) + schema.joinTables)
        let names = try String.fetchAll(
            database,
            sql: """
                SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY 1
                """)
        return try names.filter { !known.contains($0) && !OutboxRows.isSystemTable($0) }.map { name in
            InspectionReport.Table(name: name, rows: try StoredRows(database: database).count(name) ?? 0)
        }
    }

    /// Adds the numbers of changes to the entities.
    private func countChanges(_ report: inout InspectionReport) {
        let changes = Dictionary(grouping: report.outbox.changes.filter { !$0.isUnclaimed }, by: \.entity)
        for index in report.entities.indices {
            let own = changes[report.entities[index].name] ?? []
            report.entities[index].pending = own.count
            report.entities[index].parked = own.count { $0.parked != nil }
        }
    }
}
