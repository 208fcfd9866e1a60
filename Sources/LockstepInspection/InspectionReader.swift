import Foundation
import GRDB
import LockstepJSON
import LockstepStore

/// Reads the contents of a store in one transaction, and changes nothing.
struct InspectionReader {
    let database: Database
    let options: InspectionOptions
    let schema: InspectedSchema
    let values: InspectedValue
    let metadata: [String: String]

    /// - Throws: SQLite's error if not even the description can be read.
    init(_ database: Database, options: InspectionOptions) throws {
        self.database = database
        self.options = options
        schema = try InspectedSchema(database)
        metadata = try MetadataTable.exists(database) ? MetadataTable.all(database) : [:]
        // Not the schema's fingerprint: it is the same for all stores, so that a dictionary would find the texts.
        let salt = options.salt ?? metadata[SyncMetadata.storeIdentity] ?? UUID().uuidString
        values = InspectedValue(includesValues: options.includesValues, salt: salt)
    }

    /// - Parameter files: Where the files of attachments are.
    func report(_ file: InspectionReport.File, files: AttachmentFiles) -> InspectionReport {
        var report = InspectionReport(at: options.at, file: file, schema: schemaPart)
        (report.includesValues, report.entity) = (options.includesValues, options.entity)
        reading(.records, into: &report) { $0.entities = try entities() }
        reading(.otherTables, into: &report) { $0.otherTables = try otherTables() }
        reading(.outbox, into: &report) { $0.outbox = try outbox() }
        reading(.sync, into: &report) { $0.sync = try syncState() }
        reading(.conflicts, into: &report) { $0.conflicts = try conflicts() }
        reading(.leftovers, into: &report) { $0.leftovers = try leftovers() }
        reading(.attachments, into: &report) { $0.attachments = try attachments(files) }
        if options.checksIntegrity {
            reading(.wholeFile, into: &report) { try check(&$0.integrity) }
        }
        reading(.tables, into: &report) {
            $0.integrity.missing = try missingParts()
            $0.integrity.foreignTriggers = try foreignTriggers()
        }
        countChanges(&report)
        report.findings = InspectionFinding.all(in: report)
        return report.restricted(to: options)
    }

    /// Reads one part. If the file is damaged, other parts may still be readable.
    private func reading(
        _ part: InspectionReport.Unreadable.Part, into report: inout InspectionReport,
        body: (inout InspectionReport) throws -> Void
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
        try schema.plans.map { plan in
            InspectionReport.Entity(
                name: plan.name, table: plan.table, rows: try StoredRows(database: database).count(plan.table),
                isSynced: plan.isTracked || plan.remote != nil)
        }
    }

    private func otherTables() throws -> [InspectionReport.Table] {
        let known = Set(schema.plans.map(\.table) + schema.plans.joinTables)
        let names = try String.fetchAll(
            database,
            sql: """
                SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY 1
                """)
        return try names.filter { !known.contains($0) && !SystemTables.isSystemTable($0) }.map { name in
            InspectionReport.Table(name: name, rows: try StoredRows(database: database).count(name) ?? 0)
        }
    }

    /// Adds the numbers of changes to the entities.
    private func countChanges(_ report: inout InspectionReport) {
        guard let outbox = report.outbox else { return }
        let changes = Dictionary(grouping: outbox.changes.filter { !$0.isUnclaimed }, by: \.entity)
        report.entities = report.entities?.map { entity in
            let own = changes[entity.name] ?? []
            var counted = entity
            (counted.pending, counted.parked) = (own.count, own.count(where: \.isParked))
            return counted
        }
    }
}
