package import Foundation
package import GRDB
import LockstepSystem

/// Deletes the files of a store: the database with its journal, the attachments, and the copies made before migrations.
///
/// The database is renamed first. This is the decisive step: before it, the store is complete; after it, there is no
/// store at this location, whatever happens to the remaining files. If the process ends in between, they are deleted by
/// the next wipe, or the next time that a store is opened there.
///
/// | name | what it is |
/// | --- | --- |
/// | `<file>-wiped` | the renamed database, as long as something remains to be deleted |
/// | `<file>-wiped-attachments` | the renamed folder of its attachments |
package struct StoreWipe {
    private let url: URL
    private let path: String
    private let configuration: Configuration
    /// Called while the database is locked for all others. Throws if the store must not be deleted.
    private let condition: (Database) throws -> Void
    /// Called before each step, for tests that stop there.
    private let willDo: (_ step: String) throws -> Void

    private static let operation = "wiping the store"

    package init(
        of url: URL, configuration: Configuration = Configuration(),
        if condition: @escaping (Database) throws -> Void = { _ in },
        willDo: @escaping (_ step: String) throws -> Void = { _ in }
    ) {
        self.url = url
        self.configuration = configuration
        self.condition = condition
        self.willDo = willDo
        path = Self.target(of: url)
    }

    /// The path of the file itself, even behind a symbolic link whose target does not exist.
    private static func target(of url: URL) -> String {
        let path = url.resolvingSymlinksInPath().path
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
        return URL(fileURLWithPath: target, relativeTo: url.deletingLastPathComponent()).path
    }

    private var attachments: String { AttachmentFiles.folder(of: URL(fileURLWithPath: path)).path }
    private var copies: MigrationCopies { MigrationCopies(path: path) }
    private var wipedPath: String { path + "-wiped" }
    private var wipedAttachments: String { path + "-wiped-attachments" }

    /// Whether an earlier wipe was not completed.
    package var isUnfinished: Bool { FileManager.default.fileExists(atPath: wipedPath) }

    private var folder: String { (path as NSString).deletingLastPathComponent }

    /// Runs a function that opens the file. No wipe runs in the meantime, and an interrupted wipe is completed first.
    func whileNotWiping<Value>(_ body: () throws -> Value) throws -> Value {
        while true {
            if isUnfinished { try FolderLock.with(folder, mode: .exclusive) { try finishIfNeeded() } }
            let value = try FolderLock.with(folder, mode: .shared) { isUnfinished ? nil : try body() }
            if let value { return value }
        }
    }

    /// Deletes the store.
    ///
    /// - Throws: `StoreError`: `.busy` if any process has the store open, `.cannotOpen` if a file cannot be deleted or
    ///   is not a file; errors of the condition.
    package func run() throws {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard url.isFileURL, !isFolder.boolValue else {
            throw StoreError(
                .cannotOpen, doing: Self.operation, record: url.absoluteString,
                reason: isFolder.boolValue ? "the location is a folder" : "the location is not a file URL",
                remedy: "Pass the URL of the store's file. Nothing was deleted.")
        }
        try FolderLock.with(folder, mode: .exclusive) {
            try finishIfNeeded()
            try checkAttachments()
            if FileManager.default.fileExists(atPath: path) {
                try renameUnused()
            } else {
                // Something may remain of a store whose file was deleted otherwise.
                guard hasRemains else { return }
                try step("marking the wipe") { try explaining(path) { try PrivateFile.make(at: wipedPath) } }
            }
            try finish()
        }
    }

    /// Files behind a link would stay, and nobody would know (Rules.md, F2).
    private func checkAttachments() throws {
        let files = AttachmentFiles(of: .file(URL(fileURLWithPath: path)))
        do { _ = try files.opened().flatMap(files.openedIncoming) } catch {
            throw StoreError(
                .cannotOpen, doing: Self.operation, record: files.folder.path,
                reason: "the folder of its attachments, or a folder in it, is a link; nothing was deleted",
                remedy: "Delete what the link refers to, and the link. Then wipe the store again.",
                underlyingError: error)
        }
    }

    private func finishIfNeeded() throws {
        if isUnfinished { try finish() }
    }

    /// Deletes the files that remain after the decisive step. It requires the folder's lock, so that no new store is
    /// created here until it ends.
    private func finish() throws {
        // A file that came here since is another store: what is beside it belongs to that.
        if !FileManager.default.fileExists(atPath: path) {
            try step("renaming the attachments") {
                if FileManager.default.fileExists(atPath: attachments) {
                    try delete(wipedAttachments)
                    try rename(attachments, and: wipedAttachments)
                }
            }
            for suffix in Self.journals {
                try step("deleting the journal") { try delete(path + suffix) }
            }
            for copy in copies.all() {
                try step("deleting a copy") { try delete(copy) }
            }
        }
        try step("deleting the attachments") { try delete(wipedAttachments) }
        try step("deleting the database") {
            // The mark that something remains is the last to go, after a loss of power, too.
            synchronizeFolder()
            try delete(wipedPath)
        }
    }

    private func synchronizeFolder() { FilePieces.synchronize(folder: URL(fileURLWithPath: folder)) }

    private static let journals = MigrationCopies.journals

    private var hasRemains: Bool {
        let paths = [attachments] + Self.journals.map { path + $0 } + copies.all()
        return paths.contains(where: FileManager.default.fileExists)
    }

    /// Renames the database while holding an exclusive lock on it.
    ///
    /// A file in WAL mode leaves this mode only if no other connection has it open:
    /// https://www.sqlite.org/pragma.html#pragma_journal_mode
    private func renameUnused() throws {
        do {
            let queue = try DatabaseQueue(path: path, configuration: exclusive)
            defer { try? queue.close() }
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = DELETE")
                try database.inTransaction(.exclusive) {
                    try condition(database)
                    try renameDatabase()
                    return .rollback
                }
            }
        } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
            throw StoreError(
                .busy, doing: Self.operation, record: path,
                reason: "the store is open, in this process or in another one; nothing was deleted",
                remedy: "Close it everywhere, and end extensions and other processes that use it. Then wipe it again.",
                underlyingError: error)
        } catch let error as DatabaseError where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode) {
            // It is damaged, or encrypted, and cannot be asked.
            try renameDatabase()
        } catch let error as DatabaseError {
            throw failure(path, error: error)
        }
    }

    private var exclusive: Configuration {
        var configuration = configuration
        configuration.readonly = false
        if case .immediateError = configuration.busyMode { configuration.busyMode = .timeout(1) }
        configuration.distrustSchema()
        configuration.keepJournal(false)
        return configuration
    }

    private func renameDatabase() throws {
        try step("renaming the database") {
            try rename(path, and: wipedPath)
            synchronizeFolder()
        }
    }

    // MARK: Steps

    private func step(_ name: String, body: () throws -> Void) throws {
        try willDo(name)
        try body()
    }

    private func rename(_ path: String, and other: String) throws {
        try explaining(path) {
            try FilePieces.rename(URL(fileURLWithPath: path), to: URL(fileURLWithPath: other))
        }
    }

    private func delete(_ path: String) throws {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            guard FileManager.default.fileExists(atPath: path) else { return }
            throw failure(path, error: error)
        }
    }

    private func explaining(_ path: String, body: () throws -> Void) throws {
        do { try body() } catch { throw failure(path, error: error) }
    }

    private func failure(_ path: String, error: any Error) -> StoreError {
        StoreError(
            .cannotOpen, doing: Self.operation, record: path, reason: "the file cannot be renamed or deleted: \(error)",
            remedy: "Make its folder writable, and wipe the store again.", underlyingError: error)
    }
}
