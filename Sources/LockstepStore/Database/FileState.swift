package import Foundation
package import GRDB

/// The state of a store's file in the file system. SQLite reports a missing folder, a folder in place of the file and a
/// forbidden one alike as “unable to open database file”.
package struct FileState {
    private let url: URL
    /// The file itself if the location is a link, because the journal is next to it.
    private let path: String
    private var folder: String { (path as NSString).deletingLastPathComponent }

    package init(_ url: URL) {
        self.url = url
        path = url.resolvingSymlinksInPath().path
    }

    /// The size of the file; 0 if there is none.
    package var size: Int { Self.size(of: path) }

    /// The size of the file and of its journal, in bytes.
    package var bytesWithJournal: Int { size + Self.size(of: path + "-wal") }

    private static func size(of path: String) -> Int {
        // Not the size of a dangling link.
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        return size?.intValue ?? 0
    }

    /// Whether the file is complete as it is, and this process cannot change it.
    var mayNotChange: Bool {
        !FileManager.default.isWritableFile(atPath: folder) && FileManager.default.isReadableFile(atPath: path)
            && Self.size(of: path + "-wal") == 0 && Self.size(of: path + "-journal") == 0
    }

    /// An error if no store can be opened at this location.
    var obstacle: StoreError? {
        guard url.isFileURL else {
            return error(
                .cannotOpen, reason: "the location is not a file URL", remedy: "Create it with URL(fileURLWithPath:).")
        }
        // Before the file, which another process may be creating: its journal is written last.
        let hasJournal = Self.size(of: path + "-wal") > 0
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard !isFolder.boolValue else {
                return error(
                    .cannotOpen, reason: "the location is a folder",
                    remedy: "Choose a file, for example one in that folder.")
            }
            guard size > 0 || !hasJournal else {
                return error(
                    .damaged, reason: "the file is empty, though its journal (-wal) is not: it was truncated",
                    remedy: "Restore it from a backup, or delete both.")
            }
            return nil
        }
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            return error(.cannotOpen, reason: "its folder does not exist", remedy: "Create the folder first: \(folder)")
        }
        guard isFolder.boolValue else {
            return error(
                .cannotOpen, reason: "the path of its folder is a file", remedy: "Choose a folder other than \(folder)."
            )
        }
        return nil
    }

    /// The cause of SQLite's error; `nil` if that error says everything.
    package func explanation(of error: DatabaseError, isReading: Bool) -> StoreError? {
        switch error.resultCode {
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_IOERR: break
        default: return nil
        }
        let isThere = FileManager.default.fileExists(atPath: path)
        if isReading {
            if !isThere {
                return self.error(
                    .cannotOpen, reason: "there is no store, and the configuration is `readonly`",
                    remedy: "Open it once with a configuration that allows writing.", underlyingError: error)
            }
            guard isReadable else { return unreadable(error) }
            guard !FileManager.default.isWritableFile(atPath: folder) else { return nil }
            return self.error(
                .readOnly,
                reason: "its journal has changes that are not in the file yet, and its folder is not writable",
                remedy: "Open it once where it is writable; a store that was closed can be read anywhere.",
                underlyingError: error)
        }
        if isThere && !isReadable { return unreadable(error) }
        if isThere && !FileManager.default.isWritableFile(atPath: path) {
            return self.error(
                .readOnly, reason: "the file is not writable",
                remedy: "Check its permissions, or set `readonly` in the configuration to read it.",
                underlyingError: error)
        }
        guard !FileManager.default.isWritableFile(atPath: folder) else { return nil }
        return self.error(
            .readOnly, reason: "its folder, where SQLite stores the journal, is not writable",
            remedy: "Check the permissions of \(folder), or set `readonly` in the configuration to read the store.",
            underlyingError: error)
    }

    private var isReadable: Bool { FileManager.default.isReadableFile(atPath: path) }

    private func unreadable(_ error: DatabaseError) -> StoreError {
        self.error(
            .cannotOpen, reason: "the file is not readable",
            remedy: "Check the permissions of the file and its folder and, on a locked device, its file protection.",
            underlyingError: error)
    }

    private func error(
        _ code: StoreError.Code, reason: String, remedy: String, underlyingError: (any Error)? = nil
    ) -> StoreError {
        StoreError(
            code, doing: StoreOpening.operation, record: StoreLocation.file(url).text, reason: reason, remedy: remedy,
            underlyingError: underlyingError)
    }
}
