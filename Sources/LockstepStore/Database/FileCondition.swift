import Foundation
import GRDB

/// What the file system says of a store's file: SQLite tells a missing folder, a folder in the file's place and a
/// forbidden one all by “unable to open database file”.
struct FileCondition {
    private let url: URL
    /// The file itself, where the location is a link to it: the journal is kept there.
    private let path: String
    private var folder: String { (path as NSString).deletingLastPathComponent }

    init(_ url: URL) {
        self.url = url
        path = url.resolvingSymlinksInPath().path
    }

    /// The size of the file; 0 if there is none.
    var size: Int { Self.size(of: path) }

    private static func size(of path: String) -> Int {
        // Not the size of a link to nothing.
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        return size?.intValue ?? 0
    }

    /// Whether the file is complete as it is, and cannot be changed by this process.
    var mayNotChange: Bool {
        !FileManager.default.isWritableFile(atPath: folder) && FileManager.default.isReadableFile(atPath: path)
            && Self.size(of: path + "-wal") == 0 && Self.size(of: path + "-journal") == 0
    }

    /// What is in the way of any store at this place.
    var obstacle: StoreError? {
        guard url.isFileURL else {
            return error(.cannotOpen, "the location is not a file URL", "Make it with URL(fileURLWithPath:).")
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard !isFolder.boolValue else {
                return error(.cannotOpen, "there is a folder in its place", "Name a file, in that folder for example.")
            }
            guard size > 0 || Self.size(of: path + "-wal") == 0 else {
                return error(
                    .damaged, "the file is empty, though its journal (-wal) is not: it has been cut off",
                    "Restore it from a backup, or delete both.")
            }
            return nil
        }
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            return error(.cannotOpen, "its folder is not there", "Make the folder first: \(folder)")
        }
        guard isFolder.boolValue else {
            return error(.cannotOpen, "what should be its folder is a file", "Choose another place than \(folder).")
        }
        return nil
    }

    /// What SQLite's error comes from; `nil` if that says all there is to say.
    func explanation(of error: DatabaseError, isReading: Bool) -> StoreError? {
        switch error.resultCode {
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_IOERR: break
        default: return nil
        }
        let isThere = FileManager.default.fileExists(atPath: path)
        if isReading {
            if !isThere {
                return self.error(
                    .cannotOpen, "there is no store, and the configuration says `readonly`",
                    "Open it once with a configuration that may write.", error)
            }
            guard isReadable else { return unreadable(error) }
            guard !FileManager.default.isWritableFile(atPath: folder) else { return nil }
            return self.error(
                .readOnly, "its journal has changes that are not in the file yet, and its folder may not be written to",
                "Open it once where it may be written to; a store that was closed can be read anywhere.", error)
        }
        if isThere && !isReadable { return unreadable(error) }
        if isThere && !FileManager.default.isWritableFile(atPath: path) {
            return self.error(
                .readOnly, "the file may not be written to",
                "See to its permissions, or set `readonly` in the configuration to read it.", error)
        }
        guard !FileManager.default.isWritableFile(atPath: folder) else { return nil }
        return self.error(
            .readOnly, "its folder may not be written to, where SQLite keeps the journal",
            "See to the permissions of \(folder), or set `readonly` in the configuration to read the store.", error)
    }

    private var isReadable: Bool { FileManager.default.isReadableFile(atPath: path) }

    private func unreadable(_ error: DatabaseError) -> StoreError {
        self.error(
            .cannotOpen, "the file may not be read",
            "See to the permissions of the file and its folder; on a locked device, to its file protection.", error)
    }

    private func error(
        _ code: StoreError.Code, _ reason: String, _ remedy: String, _ underlyingError: (any Error)? = nil
    ) -> StoreError {
        StoreError(
            code, doing: StoreOpening.operation, record: StoreLocation.file(url).text, reason: reason, remedy: remedy,
            underlyingError: underlyingError)
    }
}
