import Foundation
import GRDB
import LockstepJSON
import LockstepStore
import LockstepSystem

/// Copies the rows of a file in one transaction.
struct CopyRun: Sendable {
    let url: URL
    /// The name by which the store knows the file.
    let name: String
    let map: CoreDataMap
    let state: CoreDataRowState
    let now: Date
    let progress: @Sendable (CoreDataProgress) -> Void
    let isCancelled: @Sendable () -> Bool

    /// Rows between two reports of the progress.
    private static let step = 500

    /// The result of an earlier copy from a file with this name; `nil` if there was none.
    ///
    /// An app's folder may have another path after an update, so the path does not identify the file.
    static func earlier(_ name: String, in database: Database) throws -> CoreDataCopy? {
        guard let text = try MetadataTable.value(key(name), in: database),
            var copy = try? JSONDecoder().decode(CoreDataCopy.self, from: Data(text.utf8))
        else { return nil }
        copy.isRepeated = true
        return copy
    }

    private static func key(_ name: String) -> String { "core_data_rows \(name)" }

    /// Copies the rows, and notes that in the metadata.
    func run(_ store: Store, in database: Database, changes: RawChanges) throws -> CoreDataCopy {
        if let earlier = try Self.earlier(name, in: database) { return earlier }
        let connection = try SourceConnection(url)
        let plan = try CopyPlan(
            map, file: CoreDataFile(connection), plans: store.plans, external: ExternalData(of: url))
        let attachments = CopiedAttachments(store.attachmentFiles)
        do {
            let copy = try self.copy(
                plan, version: store.schema.version, attachments: attachments, in: database, changes: changes)
            try attachments.place()
            let text = String(decoding: try JSONEncoder().encode(copy), as: UTF8.self)
            try MetadataTable.set(Self.key(name), to: text, in: database)
            return copy
        } catch {
            attachments.removeStaged()
            throw error
        }
    }

    private func copy(
        _ plan: CopyPlan, version: Int, attachments: CopiedAttachments, in database: Database, changes: RawChanges
    ) throws -> CoreDataCopy {
        let counts = try plan.entities.map(plan.rowCount)
        let total = counts.reduce(0, +)
        // The keys of most records have no order.
        let pages = PageCache(database)
        try pages.enlarge(for: total)
        defer { try? pages.restore() }
        let identities = LocalIdentity(seed: UUID())
        let keys = RowKeys(plan, identities: identities, attachments: attachments)
        let writer = RecordWriter(database, changes: changes, state: state)
        let recorder = CopyRecorder(database, version: version, now: now)
        let rows = RowCopier(
            plan: plan, keys: keys, writer: writer, recorder: recorder, identities: identities,
            attachments: attachments, now: now)
        var count = 0
        for (entity, rowCount) in zip(plan.entities, counts) {
            try writer.insertRows(rowCount, of: entity) {
                try rows.copy(entity) {
                    count += 1
                    if count % Self.step == 0 { try report(count, total: total) }
                }
            }
        }
        try LateLinks(plan: plan, keys: keys, writer: writer, recorder: recorder).clear()
        var links = 0
        try LinkCopier(plan: plan, keys: keys, writer: writer, recorder: recorder).copy {
            links += 1
            if links % Self.step == 0, isCancelled() { throw CancellationError() }
        }
        try report(count, total: total)
        return recorder.result(plan.findings)
    }

    private func report(_ rows: Int, total: Int) throws {
        if isCancelled() { throw CancellationError() }
        progress(CoreDataProgress(rows: rows, total: total))
    }
}
