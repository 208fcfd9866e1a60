public import Foundation
import GRDB
import LockstepSystem

extension Store {
    /// Reads the whole database and compares its parts: what a damaged disk or a bug has done is found here rather than
    /// by chance. It takes as long as reading the file and those of attachments does, and keeps nobody from writing.
    ///
    /// - Throws: `StoreError`, `.damaged` if SQLite finds something wrong or an attachment has other bytes than
    ///   its hash says, `.missingReference` where a foreign key of
    ///   the schema points at nothing.
    public func checkIntegrity() throws {
        let operation = "checking the store"
        let references = try StoreError.wrapping(operation, at: location.text) {
            try writer.read { database in
                let findings = try String.fetchAll(database, sql: "PRAGMA integrity_check(10)")
                guard findings == ["ok"] else {
                    throw StoreError(
                        .damaged, doing: operation, record: location.text,
                        reason: "the database is damaged: \(findings.joined(separator: "; "))",
                        remedy: "Keep a copy of the file with its -wal, then restore it from a backup.")
                }
                if let row = try Row.fetchOne(database, sql: "SELECT * FROM pragma_foreign_key_check") {
                    throw StoreError(
                        .missingReference, doing: operation, record: location.text,
                        reason: "a row of “\(row[0] as String? ?? "")” points at a row of “\(row[2] as String? ?? "")”"
                            + " that is not there",
                        remedy: "See what wrote it with foreign keys off.")
                }
                return try AttachmentColumns(of: schema, in: database).references(database)
            }
        }
        for reference in references { try base.files.check(reference) }
    }

    /// Copies the store as it is now into a file of its own, also while others write.
    ///
    /// The file appears when it is complete, after the files of the attachments that are here. Copying the store's own
    /// file instead would lose what is still in its journal.
    ///
    /// ```swift
    /// try store.backup(to: folder.appendingPathComponent("backup.sqlite"))
    /// ```
    ///
    /// - Parameter url: A file that is not there yet.
    /// - Throws: `StoreError`: `.cannotOpen` if the file is there or cannot be made, `.diskFull`, `.damaged`.
    public func backup(to url: URL) throws {
        let operation = "backing up the store"
        guard !FileManager.default.fileExists(atPath: url.path) else {
            throw StoreError(
                .cannotOpen, doing: operation, record: url.path, reason: "there is a file already",
                remedy: "Name another one, or move that away.")
        }
        if let obstacle = FileCondition(url).obstacle { throw obstacle }
        let part = url.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).part")
        defer {
            for suffix in ["", "-journal", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: part.path + suffix)
            }
        }
        try StoreError.wrapping(operation, at: url.path) {
            // With the app's own configuration: what is encrypted stays so.
            var configuration = writer.configuration
            configuration.readonly = false
            try? PrivateFile.make(at: part.path)
            let copy = try DatabaseQueue(path: part.path, configuration: configuration)
            try writer.backup(to: copy)
            let references = try copy.read { try AttachmentColumns(of: schema, in: $0).references($0) }
            try copy.close()
            try base.files.copy(references, toStoreAt: url)
            do { try FileManager.default.moveItem(at: part, to: url) } catch {
                throw StoreError(
                    .cannotOpen, doing: operation, record: url.path, reason: "the file cannot be made: \(error)",
                    remedy: "See to the permissions of its folder.", underlyingError: error)
            }
        }
    }
}

extension DatabaseWriter {
    /// Closes the connections such that the file is complete without its journal.
    ///
    /// SQLite copies the journal into the file and removes it when the last connection is closed, if that may write;
    /// GRDB closes the readers of a pool last.
    func closeWithJournal() throws {
        if let pool = self as? DatabasePool, !pool.configuration.readonly {
            // What cannot be copied now, as another process reads it or the disk is full, stays in the journal.
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            pool.releaseMemory()
        }
        try close()
    }
}
