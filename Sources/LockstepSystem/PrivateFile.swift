package import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Files and folders that hold records: those that are made here are for this user alone, whatever the process lets
/// others see of new files. What is there already keeps the mode that its owner has given it.
package enum PrivateFile {
    package static let fileMode = 0o600
    package static let folderMode = 0o700

    /// Makes an empty file where there is none.
    ///
    /// - Throws: `POSIXError` where it cannot be made.
    package static func make(at path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(fileMode))
        if descriptor < 0 {
            if errno == EEXIST { return }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        // The process's mask may have taken away even that.
        fchmod(descriptor, mode_t(fileMode))
        close(descriptor)
    }

    /// Makes a folder, and those that it is in, where there is none.
    package static func makeFolder(_ url: URL) throws {
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: folderMode])
    }

    /// Replaces a file's content in one step: after a crash there is the old one or the new one. A file that is there
    /// keeps its mode.
    package static func write(_ data: Data, to url: URL) throws {
        // A link stays one.
        let target = url.resolvingSymlinksInPath()
        let path = target.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).part").path
        try make(at: path)
        do {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.write(contentsOf: data)
            try file.synchronize()
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
