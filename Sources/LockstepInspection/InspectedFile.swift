package import Foundation
import GRDB
package import LockstepEvolution
import LockstepStore

/// A file that is read without a schema, and without changing it or the files beside it.
///
/// SQLite creates `-wal` and `-shm` beside a database in WAL mode even when it only reads it, and replays a journal
/// that a process has left behind. The files that exist determine how the database is read:
///
/// | beside the file | how it is read |
/// | --- | --- |
/// | no journal | as an immutable file (`immutable`) |
/// | `-wal` and `-shm` | like any other reader, because an app may have it open |
/// | a journal only, or this process may not use the `-shm` | as a copy in a temporary folder |
///
/// If a file changes while it is read as immutable or as a copy, it is read again.
///
/// The `-shm` is only an index of the `-wal`. If it was copied with a file that no process has open, SQLite creates it
/// anew: its bytes change, while those of the file and of the `-wal` stay the same.
package struct InspectedFile {
    static let operation = "inspecting the store"

    private let url: URL
    private let path: String

    package init(_ url: URL) {
        self.url = url
        path = url.resolvingSymlinksInPath().path
    }

    /// Reads the contents of the file.
    ///
    /// - Throws: `StoreError`: `.cannotOpen`, `.notADatabase`, `.notAStore`, `.damaged` or `.busy`.
    package func report(_ options: InspectionOptions = InspectionOptions()) throws -> InspectionReport {
        try reading { database in
            let reader = try InspectionReader(database, options: options)
            try check(options.entity, in: reader.schema)
            return reader.report(InspectionReport.File(url), files: AttachmentFiles(of: .file(url)))
        }
    }

    /// Reads the version of the schema that the file has.
    ///
    /// - Returns: Its number and its structure. The structure is `nil` if the file does not record it, like files of
    ///   version 0.1 of the library, or if the recorded hash does not match it.
    /// - Throws: As ``report(_:)``.
    package func version() throws -> (number: Int, tree: SchemaTree?) {
        try reading { database in
            let metadata = try FileMetadata(database) ?? FileMetadata([:])
            let tree = metadata.tree.flatMap { StructureHash($0).text == metadata.fingerprint ? $0 : nil }
            return (metadata.version, tree)
        }
    }

    func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try checkExistence()
        do {
            var canShare = true
            for _ in 1..<Self.attempts {
                let before = FileMark(path)
                let way = canShare || before.way != .live ? before.way : .copy
                do {
                    let value = try read(way, body: body)
                    if way == .live || FileMark(path) == before { return value }
                } catch let error as DatabaseError where way == .live && error.cannotShare {
                    // The files of the journal are there, but this process may not use them.
                    canShare = false
                } catch let error as DatabaseError {
                    if way == .live || FileMark(path) == before { throw error }
                }
            }
            return try read(canShare ? .live : .copy, body: body)
        } catch let error as DatabaseError {
            throw explained(error)
        }
    }

    /// The number of attempts to read a file that keeps changing.
    private static let attempts = 4

    // MARK: Ways

    private enum Way { case unchanging, live, copy }

    /// The properties that show whether a file has changed.
    private struct FileMark: Equatable {
        private let files: [FilePart]
        let hasSharedMemory: Bool

        private struct FilePart: Equatable {
            let size: Int
            let changedAt: Date?
        }

        init(_ path: String) {
            files = ["", "-wal", "-journal"].map { suffix in
                let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
                return FilePart(
                    size: (attributes?[.size] as? NSNumber)?.intValue ?? 0,
                    changedAt: suffix.isEmpty ? attributes?[.modificationDate] as? Date : nil)
            }
            hasSharedMemory = FileManager.default.fileExists(atPath: path + "-shm")
        }

        static func == (left: Self, right: Self) -> Bool { left.files == right.files }

        var way: Way {
            if files[1].size == 0, files[2].size == 0 { return .unchanging }
            return files[1].size > 0 && hasSharedMemory ? .live : .copy
        }
    }

    private func read<Value>(_ way: Way, body: (Database) throws -> Value) throws -> Value {
        switch way {
        case .live: return try read(at: url.path, body)
        case .unchanging: return try read(at: url.absoluteURL.absoluteString + "?immutable=1", body)
        case .copy:
            let copy = InspectedCopy()
            defer { copy.delete() }
            do { try copy.make(of: path) } catch { throw failure(copying: error) }
            return try read(at: copy.file.path, isReadOnly: false, body)
        }
    }

    /// How long to wait for a writer that does not let others read.
    private static let busyTimeoutSeconds = 5.0

    private func read<Value>(
        at path: String, isReadOnly: Bool = true, _ body: (Database) throws -> Value
    ) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        configuration.busyMode = .timeout(Self.busyTimeoutSeconds)
        configuration.distrustSchema()
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        var value: Value?
        do {
            try queue.read { database in
                guard try OutboxRows.hasSystemTables(database) else { throw notAStore }
                value = try body(database)
            }
        } catch {
            // When the transaction ends, SQLite reports damage again. What was read is kept.
            guard let value else { throw error }
            return value
        }
        return try value ?? { throw notAStore }()
    }

    // MARK: Errors

    private func checkExistence() throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw failure(.cannotOpen, reason: "the file does not exist", remedy: "Check the path.")
        }
        if isFolder.boolValue {
            throw failure(.cannotOpen, reason: "it is a folder", remedy: "Give the file of the store in it.")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw failure(
                .cannotOpen, reason: "the file is not readable",
                remedy: "Check its permissions, or copy it with its -wal.")
        }
        guard FileState(url).size > 0 else {
            throw failure(
                .notADatabase, reason: "the file is empty",
                remedy: "Get the file again: a store is never empty, even without records.")
        }
    }

    /// The error if the file cannot be copied. The system's own texts differ from system to system.
    private func failure(copying error: any Error) -> StoreError {
        let journals = InspectedCopy.suffixes.map { path + $0 }.filter(FileManager.default.fileExists)
        if let unreadable = journals.first(where: { !FileManager.default.isReadableFile(atPath: $0) }) {
            let name = (unreadable as NSString).lastPathComponent
            return failure(
                .cannotOpen, reason: "its journal “\(name)” is not readable",
                remedy: "Check the permissions of the journal.", error: error)
        }
        let folder = FileManager.default.temporaryDirectory.path
        return failure(
            .cannotOpen, reason: "its journal must be replayed, and the copy for that cannot be written to \(folder)",
            remedy: "Check the permissions and the free space of that folder.", error: error)
    }

    private var notAStore: StoreError {
        failure(
            .notAStore, reason: "it is an SQLite database, but not a store: it has none of Lockstep's tables",
            remedy: "To create a schema from it, run: lockstep import '\(url.path)'")
    }

    /// - Parameter entity: `nil` for all.
    func check(_ entity: String?, in schema: InspectedSchema) throws {
        guard let entity, !schema.plans.contains(where: { $0.name == entity }) else { return }
        let names = schema.plans.map(\.name).sorted().joined(separator: ", ")
        throw failure(.notAStore, reason: "there is no entity “\(entity)” in it", remedy: "It has: \(names).")
    }

    private func explained(_ error: DatabaseError) -> StoreError {
        switch error.resultCode {
        case .SQLITE_NOTADB:
            return failure(
                .notADatabase, reason: "it is not an SQLite database, or it is encrypted",
                remedy: "Check what it is. Of an encrypted store, let the app make a copy without encryption.",
                error: error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return failure(
                .busy, reason: "a process that uses it does not let others read",
                remedy: "Try again, or inspect a copy of the file.",
                error: error)
        case .SQLITE_CORRUPT, .SQLITE_FORMAT, .SQLITE_IOERR:
            return failure(
                .damaged, reason: "the file is damaged: \(error.message ?? "SQLite reports no reason")",
                remedy:
                    "Check that it was copied completely and with its -wal. Keep the copy; it may still be repaired.",
                error: error
            )
        default:
            return FileState(url).explanation(of: error, isReading: true)
                ?? StoreError(error, doing: Self.operation, record: url.path)
        }
    }

    private func failure(
        _ code: StoreError.Code, reason: String, remedy: String, error: (any Error)? = nil
    ) -> StoreError {
        StoreError(
            code, doing: Self.operation, record: url.path, reason: reason, remedy: remedy, underlyingError: error)
    }
}

extension DatabaseError {
    /// Whether a process with read-only access cannot use the journal's files.
    fileprivate var cannotShare: Bool { [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(resultCode) }
}

extension InspectionReport.File {
    init(_ url: URL) {
        let state = FileState(url)
        self.init(path: url.path, size: state.size, journalSize: state.bytesWithJournal - state.size)
    }
}
