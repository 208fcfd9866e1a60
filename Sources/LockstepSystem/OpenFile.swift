package import Foundation

/// An open file that is read at offsets and appended to. It is closed when it is released.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    /// The path for messages.
    package let path: String
    /// The range in a file that contains other parts too; `nil` for a complete file.
    private let part: (file: OpenFile, range: Range<Int>)?

    /// Takes ownership of an open file.
    package init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
        part = nil
    }

    /// Creates a view of a part of a file.
    package init(_ range: Range<Int>, of file: OpenFile) {
        descriptor = file.descriptor
        path = file.path
        part = (file, range)
    }

    deinit { if part == nil { _ = close(descriptor) } }

    /// Opens a file to be read.
    ///
    /// - Throws: `FileError.cannotRead` if it does not exist, is not readable, or is not a regular file.
    package convenience init(reading url: URL) throws {
        guard url.isFileURL else {
            // A query may contain a token, which must not appear in a log.
            let location = "\(url.scheme.map { "\($0)://" } ?? "")\(url.host ?? "")\(url.path)"
            throw FileError.cannotRead(path: location, reason: "it is not a file URL; fetch it first")
        }
        // Without O_NONBLOCK, opening a named pipe would wait for its writer.
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError.cannotRead(path: url.path, reason: SystemFailure.text()) }
        self.init(descriptor: descriptor, path: url.path)
        try requireRegularFile()
    }

    /// Opens a file below a folder, by names that are not our own: from a file, or from a folder that others fill.
    ///
    /// Only the folder itself may be a link. What its files and folders link to was not given to us.
    ///
    /// - Parameter names: The names of the folders on the way, and of the file.
    /// - Throws: `FileError.cannotRead` if a name is not one, if there is no such file, or if a part of the way is a
    ///   link, or the file is not a regular file.
    package convenience init(reading names: [String], below folder: URL) throws {
        let path = names.reduce(folder) { $0.appendingPathComponent($1) }.path
        guard !names.isEmpty, names.allSatisfy(Self.isName) else {
            throw FileError.cannotRead(path: folder.path, reason: "it has a name that no file has")
        }
        var descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for (index, name) in names.enumerated() where descriptor >= 0 {
            let kind = index == names.count - 1 ? O_NONBLOCK : O_DIRECTORY
            let next = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind)
            let reason = errno
            close(descriptor)
            (descriptor, errno) = (next, reason)
        }
        guard descriptor >= 0 else {
            // ENOTDIR is reported for a link to a folder, too.
            let isLink = [ELOOP, EMLINK, ENOTDIR].contains(errno)
            throw FileError.cannotRead(path: path, reason: isLink ? "it is behind a link" : SystemFailure.text())
        }
        self.init(descriptor: descriptor, path: path)
        try requireRegularFile()
    }

    /// Opens a file in an open folder, and follows no link.
    ///
    /// - Parameters:
    ///   - folder: The descriptor of the folder.
    ///   - path: The path for messages.
    /// - Throws: `FileError.cannotRead` if there is no such file, or if it is a link, or not a regular file.
    convenience init(reading name: String, in folder: Int32, path: String) throws {
        let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError.cannotRead(path: path, reason: SystemFailure.text()) }
        self.init(descriptor: descriptor, path: path)
        try requireRegularFile()
    }

    /// Whether it is a name in a folder, rather than a path.
    private static func isName(_ name: String) -> Bool {
        !["", ".", ".."].contains(name) && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }

    private func requireRegularFile() throws {
        guard try status().st_mode & S_IFMT == S_IFREG else {
            throw FileError.cannotRead(path: path, reason: "it is a folder or a device, not a file")
        }
    }

    /// Creates a file in a folder that only this process can read and write, and that is deleted when it is released.
    ///
    /// - Throws: `FileError.cannotWrite`, `.diskFull`.
    package convenience init(temporaryIn folder: URL) throws {
        let path = folder.appendingPathComponent("lockstep-\(UUID().uuidString)").path
        guard let descriptor = Self.descriptor(ofTemporaryFileAt: path) else { throw SystemFailure.whileWriting() }
        self.init(descriptor: descriptor, path: path)
    }

    /// Creates a file that has no name any more when this returns; `nil`, with `errno`, if that is not possible.
    ///
    /// Without a name, it need not be deleted, not even after a crash; its bytes exist as long as it is open.
    package static func descriptor(ofTemporaryFileAt path: String) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        guard unlink(path) == 0 else {
            let reason = errno
            close(descriptor)
            errno = reason
            return nil
        }
        return descriptor
    }

    package func byteCount() throws -> Int { try part?.range.count ?? Int(try status().st_size) }

    /// Reads bytes at an offset, fewer than requested only at the end of the file.
    ///
    /// - Throws: `FileError.cannotRead`.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        let start = offset + (part?.range.lowerBound ?? 0)
        // What follows belongs to another part.
        let rest = part.map { max(0, $0.range.upperBound - start) } ?? .max
        let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(rest))
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let result = pread(descriptor, rest.baseAddress, rest.count, off_t(start + count))
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw FileError.cannotRead(path: path, reason: SystemFailure.text()) }
            if result == 0 { break }
            count += result
        }
        return count
    }

    /// Reads all bytes.
    ///
    /// - Throws: `FileError.cannotRead`.
    package func data() throws -> Data {
        var data = Data(count: try byteCount())
        let count = try data.withUnsafeMutableBytes { try read(into: $0, at: 0) }
        return data.prefix(count)
    }

    /// All bytes of a complete file. Those of a large file are read into memory as needed, and can be discarded again.
    ///
    /// - Throws: `FileError.cannotRead`.
    package func mappedData() throws -> Data {
        let count = try byteCount()
        // A mapped file that is shortened ends the process when the missing part is read. For a few MiB, memory is no
        // reason to risk this.
        let largestCopyBytes = 4 << 20
        if count <= largestCopyBytes { return try data() }
        let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let address, address != UnsafeMutableRawPointer(bitPattern: -1) else {
            throw FileError.cannotRead(path: path, reason: SystemFailure.text())
        }
        return Data(bytesNoCopy: address, count: count, deallocator: .unmap)
    }

    /// Appends bytes.
    ///
    /// - Throws: `FileError.diskFull`, `.cannotWrite`.
    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let result = write(descriptor, rest.baseAddress, rest.count)
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw SystemFailure.whileWriting() }
            rest = UnsafeRawBufferPointer(rebasing: rest[result...])
        }
    }

    private func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw FileError.cannotRead(path: path, reason: SystemFailure.text())
        }
        return status
    }
}

/// The system's message for the call that has just failed.
private enum SystemFailure {
    static func text() -> String { String(cString: strerror(errno)) }

    static func whileWriting() -> FileError {
        switch errno {
        case ENOSPC, EDQUOT, EFBIG: .diskFull
        default: .cannotWrite(reason: text())
        }
    }
}

/// Why a file cannot be read or written.
package enum FileError: Error, Hashable {
    /// The file's path, and the system's reason.
    case cannotRead(path: String, reason: String)
    /// The system's reason.
    case cannotWrite(reason: String)
    /// There is not enough space on the disk.
    case diskFull
}
