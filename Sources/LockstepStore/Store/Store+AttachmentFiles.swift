import Foundation
package import GRDB
import LockstepSystem

extension Store {
    /// Removes the files of attachments that are not used any more: by no record, no former value of an unsent change,
    /// and no object in this process.
    ///
    /// Deleting a record, or assigning another attachment, does not remove the file, because another record may have
    /// the same bytes. A process that is killed during a save may leave one too. Call this now and then, for example
    /// when the app enters the background. It runs in one transaction, so that no other process saves meanwhile.
    ///
    /// - Returns: The number of removed files.
    /// - Throws: `StoreError` if the store cannot be written.
    @discardableResult
    public func removeUnusedAttachments() throws -> Int {
        let operation = "removing unused attachments"
        return try StoreError.wrapping(operation, at: location.text) {
            try writer.write { database in
                let references = try AttachmentColumns(of: schema, in: database).references(database)
                let used = Set(references.map(\.hash)).union(base.files.hashesInUse())
                try AttachmentTable.removeAll(but: used, in: database)
                let uploaded = try AttachmentTable.uploaded(to: nil, in: database)
                return try AttachmentError.wrapping(operation, at: base.files.folder) {
                    let count = try base.files.removeUnused(but: used)
                    try base.files.note(onServers: uploaded)
                    return count
                }
            }
        }
    }

    /// Whether a backup of the device leaves out the files of attachments that can be downloaded again. The default is
    /// `true`.
    ///
    /// A file can be downloaded again if the store has uploaded or downloaded it, and the server has no reason to have
    /// deleted it. All others are in the backup. Set it before anything is transferred: existing files are updated by
    /// the next ``removeUnusedAttachments()``. It has an effect only on Apple platforms.
    public var excludesDownloadableAttachmentsFromBackup: Bool {
        get { base.files.backup.withLock { $0.excludesDownloadable } }
        set { base.files.backup.withLock { $0.excludesDownloadable = newValue } }
    }

    /// The files of attachments.
    package var attachmentFiles: AttachmentFiles { base.files }

    /// The store's attachment with this reference.
    package func attachment(_ reference: AttachmentReference) -> FileAttachment {
        base.files.known(FileAttachment(AttachmentContent(reference, source: .unknown)))
    }
}

/// The columns that refer to attachments.
package struct AttachmentColumns {
    /// Tables and columns, quoted.
    private var columns: [(table: String, column: String)] = []

    /// The columns of records that are sent to a server.
    package init(travellingOf schema: any StoreSchema.Type) {
        for plan in schema.plan {
            for column in plan.attachmentColumns where plan.columns[column].wire != nil {
                columns.append((SQLName.quoted(plan.table), SQLName.quoted(plan.columns[column].name)))
            }
        }
    }

    /// - Parameter database: Used to read the former values of unsent changes, which refer to files too.
    package init(of schema: any StoreSchema.Type, in database: Database) throws {
        try self.init(of: schema.plan, in: database)
    }

    package init(of plans: SchemaPlan, in database: Database) throws {
        for plan in plans where !plan.attachmentColumns.isEmpty {
            var tables = [plan.table]
            let base = BaseTable(plan, in: database).name
            if try database.hasTable(base) { tables.append(base) }
            for table in tables {
                for column in plan.attachmentColumns {
                    columns.append((SQLName.quoted(table), SQLName.quoted(plan.columns[column].name)))
                }
            }
        }
    }

    /// The distinct references.
    package func references(_ database: Database) throws -> [AttachmentReference] {
        guard !columns.isEmpty else { return [] }
        let queries = columns.map { "SELECT \($0.column) FROM \($0.table) WHERE \($0.column) IS NOT NULL" }
        let cursor = try String.fetchCursor(database, sql: queries.joined(separator: " UNION "))
        var references: [AttachmentReference] = []
        while let text = try cursor.next() {
            if let reference = AttachmentReference(text) { references.append(reference) }
        }
        return references
    }
}
