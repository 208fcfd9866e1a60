package import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Files and folders that contain records. New ones are only accessible to this user, whatever the process's mask is.
/// Existing ones keep their mode.
package enum PrivateFile {
    package static let fileMode = 0o600
    package static let folderMode = 0o700

    /// Creates an empty file if there is none.
    ///
    /// - Throws: `POSIXError` if it cannot be created.
    package static func make(at path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(fileMode))
        if descriptor < 0 {
            if errno == EEXIST { return }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        // The process's mask may have removed even that.
        fchmod(descriptor, mode_t(fileMode))
        close(descriptor)
    }

    /// Whether there is a regular file with a path: no folder, no link, no device.
    package static func isFile(_ path: String) -> Bool { mode(path).map { $0 & S_IFMT == S_IFREG } ?? false }

    /// Whether anything has a path, even a link whose target does not exist.
    package static func hasName(_ path: String) -> Bool { mode(path) != nil }

    /// Deletes a regular file. Anything else stays.
    package static func remove(at path: String) {
        // `unlink` removes a link rather than what it refers to, and no folder.
        if isFile(path) { unlink(path) }
    }

    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    /// Creates a folder and its parents if there is none.
    package static func makeFolder(_ url: URL) throws {
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: folderMode])
    }

    /// Replaces a file's content atomically: after a crash there is the old or the new one. An existing file keeps its
    /// mode.
    package static func write(_ data: Data, to url: URL) throws {
        // A link stays a link.
        let target = url.resolvingSymlinksInPath()
        let path = target.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).part").path
        try make(at: path)
        do {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.write(contentsOf: data)
            try DiskFlush.durable(file)
            try file.close()
            var status = stat()
            if stat(target.path, &status) == 0 { chmod(path, status.st_mode & 0o7777) }
            guard rename(path, target.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        } catch {
            unlink(path)
            throw error
        }
    }
}
