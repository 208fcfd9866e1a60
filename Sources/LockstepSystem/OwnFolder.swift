package import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A folder with files that only this library makes. It is opened once, and what is done in it never follows a link:
/// neither in place of the folder nor in place of a file.
package final class OwnFolder: Sendable {
    private let descriptor: Int32

    /// Opens a folder.
    ///
    /// - Returns: `nil` if nothing has the path.
    /// - Throws: `POSIXError` if it cannot be opened, such as `ELOOP` or `ENOTDIR` if it is a link.
    package convenience init?(at path: String) throws {
        try self.init(open(path, Self.flags))
    }

    /// Opens a folder in this one.
    package func folder(_ name: String) throws -> OwnFolder? { try OwnFolder(openat(descriptor, name, Self.flags)) }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    private init?(_ descriptor: Int32) throws {
        self.descriptor = descriptor
        guard descriptor < 0 else { return }
        if errno == ENOENT { return nil }
        throw Self.error()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The names of everything in it.
    package var names: [String] {
        // The stream closes its descriptor.
        guard let stream = fdopendir(openat(descriptor, ".", Self.flags)) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The number of bytes of a regular file; `nil` if there is none of this name.
    package func byteCount(of name: String) -> Int? { status(name).map { Int($0.st_size) } }

    /// Opens a regular file to be read; `nil` if there is none of this name.
    ///
    /// - Parameter path: The path of the folder, for messages.
    /// - Throws: `FileError.cannotRead`.
    package func openFile(_ name: String, in path: String) throws -> OpenFile? {
        guard status(name) != nil else { return nil }
        return try OpenFile(reading: name, in: descriptor, path: "\(path)/\(name)")
    }

    /// When a regular file was last written; `nil` if there is none of this name.
    package func modificationDate(of name: String) -> Date? {
        guard let status = status(name) else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Date(timeIntervalSince1970: TimeInterval(time.tv_sec))
    }

    private func status(_ name: String) -> stat? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return status
    }

    /// Deletes a regular file. Anything else stays.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: `POSIXError`.
    @discardableResult
    package func remove(_ name: String) throws -> Bool {
        guard status(name) != nil else { return false }
        guard unlinkat(descriptor, name, 0) == 0 else { throw Self.error() }
        return true
    }

    /// Opens a regular file for writing, and creates it if there is none.
    ///
    /// - Throws: `POSIXError`, also if something else has the name.
    package func file(_ name: String) throws -> FileHandle {
        // Without O_NONBLOCK, opening a named pipe would wait for its reader.
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = openat(descriptor, name, flags, mode_t(PrivateFile.fileMode))
        guard file >= 0 else { throw Self.error() }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        guard status(name) != nil else { throw POSIXError(.EEXIST) }
        return handle
    }

    private static func error() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
