#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Why a schema file could not be read.
package struct SchemaFileError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: String, Hashable, Sendable {
        /// The file does not exist.
        case missing
        /// It is a folder, a pipe, a socket or a device.
        case notAFile
        /// The system cannot read it.
        case unreadable
    }

    package var reason: Reason
    /// The path as it was passed.
    package var path: String
    /// The problem, as a clause: `is a pipe; a schema must be a file`.
    package var problem: String
    /// The remedy, as a sentence.
    package var remedy: String

    package var description: String { "'\(path)' \(problem). \(remedy)" }
}

extension SchemaSource {
    /// Reads a schema file.
    ///
    /// It returns at once, whatever is at the path: the opened file is examined before it is read, and a file with more
    /// bytes than a schema may have is not read. `readSchemas` then reports `file-too-large`.
    ///
    /// - Throws: ``SchemaFileError`` if there is no file, or if it cannot be read.
    package init(readingFileAt path: String) throws(SchemaFileError) {
        // Otherwise opening a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(path, number: errno) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw .system(path, number: errno) }
        if let kind = Self.kindOfNoFile(information) { throw .notAFile(path, kind: kind) }
        let size = Int(information.st_size)
        self.init(path: path, bytes: [])
        if size > SchemaSource.maximumByteCount {
            omittedByteCount = size
        } else {
            bytes = try Self.read(descriptor, expecting: size, at: path)
        }
    }

    private static func kindOfNoFile(_ information: stat) -> String? {
        switch information.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "folder"
        case S_IFIFO: "pipe"
        case S_IFSOCK: "socket"
        default: "device"
        }
    }

    /// All bytes, or one more than a schema may have: the file may grow in the meantime, and some file systems do not
    /// report a size.
    private static func read(
        _ descriptor: Int32, expecting size: Int, at path: String
    ) throws(SchemaFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        // One more than expected, to detect the end without reading another piece.
        var room = size + 1
        while bytes.count <= SchemaSource.maximumByteCount {
            room = min(room, SchemaSource.maximumByteCount + 1 - bytes.count)
            var failure: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                let length = systemRead(descriptor, buffer: buffer.baseAddress, count: buffer.count)
                (count, failure) = length < 0 ? (0, errno) : (length, 0)
            }
            if failure == EINTR { continue }
            guard failure == 0 else { throw .system(path, number: failure) }
            if piece.isEmpty { break }
            bytes = bytes.isEmpty ? piece : bytes + piece
            room = max(1, 2 * size - bytes.count, 64 * 1024)
        }
        return bytes
    }
}

extension SchemaFileError {
    fileprivate static func notAFile(_ path: String, kind: String) -> SchemaFileError {
        let remedy =
            kind == "folder"
            ? "Pass the schema files in it." : "Write the schema to a file, and pass that file."
        return SchemaFileError(
            reason: .notAFile, path: path, problem: "is a \(kind); a schema must be a file", remedy: remedy)
    }

    fileprivate static func system(_ path: String, number: Int32) -> SchemaFileError {
        switch number {
        case ENOENT, ENOTDIR:
            SchemaFileError(
                reason: .missing, path: path, problem: "does not exist", remedy: "Check the path.")
        case ENXIO, ENODEV, EOPNOTSUPP:
            // The error of `open` for a socket.
            .notAFile(path, kind: "socket or a device")
        case EACCES, EPERM:
            SchemaFileError(
                reason: .unreadable, path: path, problem: "cannot be read: \(String(cString: strerror(number)))",
                remedy: "Check the permissions.")
        default:
            SchemaFileError(
                reason: .unreadable, path: path, problem: "cannot be read: \(String(cString: strerror(number)))",
                remedy: "Check the path and the disk.")
        }
    }
}

private func systemRead(_ descriptor: Int32, buffer: UnsafeMutablePointer<UInt8>?, count: Int) -> Int {
    read(descriptor, buffer, count)
}
