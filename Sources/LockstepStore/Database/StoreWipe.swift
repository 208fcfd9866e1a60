package import Foundation
import GRDB
import LockstepSystem

/// Deletes the files of a store: the database with its journal, the attachments, and copies from before migrations.
///
/// The database is renamed first. This is the step that decides: before it, the store is whole; after it, there is no
/// store at this location any more, whatever becomes of the remaining files. If the process ends in between, the next
/// wipe, or the next time a store is opened there, deletes them.
///
/// | name | what it is |
/// | --- | --- |
/// | `<file>-wiped` | the renamed database, as long as something remains to be deleted |
/// | `<file>-wiped-attachments` | the renamed folder of its attachments |
package struct StoreWipe {
    private let url: URL
    private let path: String
    /// Called before each step, for tests that stop there.
    private let willDo: (_ step: String) throws -> Void

    private static let operation = "wiping the store"

    package init(of url: URL, willDo: @escaping (_ step: String) throws -> Void = { _ in }) {
        self.url = url
        path = url.resolvingSymlinksInPath().path
        self.willDo = willDo
    }

    private var wipedPath: String { path + "-wiped" }
    private var wipedAttachments: String { path + "-wiped-attachments" }

    /// Whether an earlier wipe has not ended.
    package var isUnfinished: Bool { FileManager.default.fileExists(atPath: wipedPath) }

    /// Deletes the store.
    ///
    /// - Throws: `StoreError`: `.busy` if something has the store open, `.cannotOpen` if a file cannot be deleted.
    package func run() throws {
        if isUnfinished { try finish() }
        if FileManager.default.fileExists(atPath: path) {
            try checkUnused()
            try step("renaming the database") {
                try rename(path, wipedPath)
                FilePieces.synchronize(folder: URL(fileURLWithPath: path).deletingLastPathComponent())
            }
        } else {
            // Something may remain of a store whose file was deleted otherwise.
            guard hasRemains else { return }
            try step("marking the wipe") { try explaining(path) { try PrivateFile.make(at: wipedPath) } }
        }
        try finish()
    }

    /// Deletes what an interrupted wipe has left. There is no database at the location, or a wipe has ended before.
    package func finish() throws {
        // A new store is created only when this is done: until then, everything here belongs to the old one.
        let attachments = AttachmentFiles.folder(of: url).path
        try step("renaming the attachments") {
            if FileManager.default.fileExists(atPath: attachments) {
                try delete(wipedAttachments)
                try rename(attachments, wipedAttachments)
            }
        }
        try step("deleting the attachments") { try delete(wipedAttachments) }
        for suffix in Self.journals {
            try step("deleting the journal") { try delete(path + suffix) }
        }
        for copy in copies() {
            try step("deleting a copy") { try delete(copy) }
        }
        try step("deleting the database") { try delete(wipedPath) }
    }

    private static let journals = ["-wal", "-shm", "-journal"]

    private var hasRemains: Bool {
        let paths = [AttachmentFiles.folder(of: url).path] + Self.journals.map { path + $0 } + copies()
        return paths.contains(where: FileManager.default.fileExists)
    }

    /// The copies from before migrations, `<file>.before-<version>`, with their journals.
    private func copies() -> [String] {
        let folder = (path as NSString).deletingLastPathComponent
        let prefix = (path as NSString).lastPathComponent + FileMigration.copySuffix
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            guard name.hasPrefix(prefix) else { return false }
            let version = name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
            let rest = String(name.dropFirst(prefix.count + version.count))
            return !version.isEmpty && (rest.isEmpty || Self.journals.contains(rest))
        }.map { (folder as NSString).appendingPathComponent($0) }
    }

    /// A file in WAL mode leaves this mode only if no other connection has it open:
    /// https://www.sqlite.org/pragma.html#pragma_journal_mode
    ///
    /// A file that is damaged, or encrypted, is not in use by anybody who could read it.
    private func checkUnused() throws {
        do {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = DELETE")
                // Without WAL, somebody may still be writing.
                try database.execute(sql: "BEGIN EXCLUSIVE; ROLLBACK")
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED {
            throw StoreError(
                .busy, doing: Self.operation, record: path,
                reason: "the store is open, in this process or in another one; nothing was deleted",
                remedy: "Close it everywhere, and end extensions and other processes that use it. Then wipe it again.",
                underlyingError: error)
        } catch is DatabaseError {}
    }

    // MARK: Steps

    private func step(_ name: String, _ body: () throws -> Void) throws {
        try willDo(name)
        try body()
    }

    private func rename(_ path: String, _ other: String) throws {
        try explaining(path) {
            try FilePieces.rename(URL(fileURLWithPath: path), to: URL(fileURLWithPath: other))
        }
    }

    private func delete(_ path: String) throws {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            guard FileManager.default.fileExists(atPath: path) else { return }
            throw failure(path, error)
        }
    }

    private func explaining(_ path: String, _ body: () throws -> Void) throws {
        do { try body() } catch { throw failure(path, error) }
    }

    private func failure(_ path: String, _ error: any Error) -> StoreError {
        StoreError(
            .cannotOpen, doing: Self.operation, record: path, reason: "the file cannot be renamed or deleted: \(error)",
            remedy: "Make its folder writable, and wipe the store again.", underlyingError: error)
    }
}
