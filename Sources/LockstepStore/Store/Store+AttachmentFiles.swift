import Foundation
package import GRDB

extension Store {
    /// Removes the files of attachments that nothing refers to any more: no record, no value from before a change that
    /// was not sent yet, and no object in this process.
    ///
    /// Deleting a record, or giving it another attachment, leaves the file: the same bytes may be another record's. A
    /// process that is killed while it saves may leave one too. Call this now and then, when the app goes to the
    /// background for example. It is done in one transaction, so that no other process saves meanwhile.
    ///
    /// - Returns: How many files were removed.
    /// - Throws: `StoreError` if the store cannot be written.
    @discardableResult
    public func removeUnusedAttachments() throws -> Int {
        let operation = "removing unused attachments"
        return try StoreError.wrapping(operation, at: location.text) {
            try writer.write { database in
                let references = try AttachmentColumns(of: schema, in: database).references(database)
                let used = Set(references.map(\.hash)).union(base.files.hashesInUse())
                try AttachmentTable.removeAll(but: used, database)
                return try AttachmentError.wrapping(operation, base.files.folder) {
                    try base.files.removeUnused(but: used)
                }
            }
        }
    }

    /// The files of attachments.
    package var attachmentFiles: AttachmentFiles { base.files }

    /// The attachment of this reference, as the store has it.
    package func attachment(_ reference: AttachmentReference) -> Attachment {
        base.files.known(Attachment(AttachmentContent(reference, .unknown)))
    }
}

/// The columns that refer to attachments.
package struct AttachmentColumns {
    /// Tables and columns, quoted.
    private var columns: [(table: String, column: String)] = []

    /// The columns of records that a server hears of.
    package init(travellingOf schema: any StoreSchema.Type) {
        for entity in schema.entities {
            let plan = entity.entity.plan
            for column in plan.attachmentColumns where plan.columns[column].wire != nil {
                columns.append((SQLName.quoted(plan.table), SQLName.quoted(plan.columns[column].name)))
            }
        }
    }

    /// - Parameter database: Asked for the values from before unsent changes, which refer to files too.
    package init(of schema: any StoreSchema.Type, in database: Database) throws {
        for entity in schema.entities {
            let plan = entity.entity.plan
            guard !plan.attachmentColumns.isEmpty else { continue }
            var tables = [plan.table]
            let base = BaseTable(plan, database).name
            if try database.hasTable(base) { tables.append(base) }
            for table in tables {
                for column in plan.attachmentColumns {
                    columns.append((SQLName.quoted(table), SQLName.quoted(plan.columns[column].name)))
                }
            }
        }
    }

    /// Every reference, each once.
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
