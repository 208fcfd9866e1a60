public import Foundation
import GRDB
import LockstepSystem

extension Store {
    /// Reads the whole database and checks its consistency, to find damage by a disk or a bug. It takes as long as
    /// reading the file and the attachments, and does not block writers.
    ///
    /// - Throws: `StoreError`: `.damaged` if SQLite finds an error or the bytes of an attachment do not match its hash,
    ///   `.missingReference` if a foreign key of the schema points at nothing.
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
                            + " that does not exist",
                        remedy: "Find out what wrote it with foreign keys disabled.")
                }
                return try AttachmentColumns(of: schema, in: database).references(database)
            }
        }
        for reference in references { try base.files.check(reference) }
    }

    /// Copies the current state of the store to another file, even while others write.
    ///
    /// The file appears when it is complete, after the files of the attachments that are on this device. Copying the
    /// store's file itself would lose what is still in its journal.
    ///
    /// ```swift
    /// try store.backup(to: folder.appendingPathComponent("backup.sqlite"))
    /// ```
    ///
    /// - Parameter url: A file that does not exist yet.
    /// - Throws: `StoreError`: `.cannotOpen` if the file exists or cannot be created, `.diskFull`, `.damaged`.
    public func backup(to url: URL) throws {
        let operation = "backing up the store"
        guard !FileManager.default.fileExists(atPath: url.path) else {
            throw StoreError(
                .cannotOpen, doing: operation, record: url.path, reason: "the file already exists",
                remedy: "Choose another file, or move the existing one.")
        }
        if let obstacle = FileState(url).obstacle { throw obstacle }
        let part = url.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).part")
        defer {
            for suffix in ["", "-journal", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: part.path + suffix)
            }
        }
        try StoreError.wrapping(operation, at: url.path) {
            // With the app's configuration, so that an encrypted store stays encrypted.
            var configuration = writer.configuration
            configuration.readonly = false
            configuration.flushCommits()
            try? PrivateFile.make(at: part.path)
            let copy = try DatabaseQueue(path: part.path, configuration: configuration)
            try writer.backup(to: copy)
            let references = try copy.read { try AttachmentColumns(of: schema, in: $0).references($0) }
            try copy.close()
            try base.files.copy(references, toStoreAt: url)
            do { try FileManager.default.moveItem(at: part, to: url) } catch {
                throw StoreError(
                    .cannotOpen, doing: operation, record: url.path, reason: "the file cannot be created: \(error)",
                    remedy: "Check the permissions of its folder.", underlyingError: error)
            }
        }
    }
}

extension DatabaseWriter {
    /// Closes the connections so that the file is complete without its journal.
    ///
    /// SQLite copies the journal into the file and removes it when the last connection is closed, if that connection
    /// can write. GRDB closes the readers of a pool last.
    func closeWithJournal() throws {
        if let pool = self as? DatabasePool, !pool.configuration.readonly, isOpen {
            // What cannot be copied now, because another process reads it or the disk is full, stays in the journal.
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            pool.releaseMemory()
        }
        try close()
    }

    /// Whether it was not closed: SQLite must not be asked for a checkpoint of a connection that is gone.
    private var isOpen: Bool { (try? writeWithoutTransaction { try $0.execute(sql: "SELECT 1") }) != nil }
}
