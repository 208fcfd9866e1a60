package import Foundation

/// An open file that is read at offsets and appended to. It is closed with the last reference.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    /// For messages.
    package let path: String
    /// Where it is in a file that holds others too; `nil` for all of one.
    private let part: (file: OpenFile, range: Range<Int>)?

    /// Takes over an open file.
    package init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
        part = nil
    }

    /// What is in a part of a file.
    package init(_ range: Range<Int>, of file: OpenFile) {
        descriptor = file.descriptor
        path = file.path
        part = (file, range)
    }

    deinit { if part == nil { _ = close(descriptor) } }

    /// Opens a file to be read.
    ///
    /// - Throws: `FileError.cannotRead` where it is not there, may not be read, or is no file with bytes.
    package convenience init(reading url: URL) throws {
        guard url.isFileURL else {
            // A query may hold a token, which must not reach a log.
            let place = "\(url.scheme.map { "\($0)://" } ?? "")\(url.host ?? "")\(url.path)"
            throw FileError.cannotRead(path: place, reason: "it is not the URL of a file; fetch it first")
        }
        // Without O_NONBLOCK, opening a named pipe waits for its writer.
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError.cannotRead(path: url.path, reason: SystemFailure.text()) }
        self.init(descriptor: descriptor, path: url.path)
        guard try status().st_mode & S_IFMT == S_IFREG else {
            throw FileError.cannotRead(path: path, reason: "it is a folder or a device, not a file")
        }
    }

    /// Makes a file in a folder that only this process can read and write, and that is gone with the last reference.
    ///
    /// - Throws: `FileError.cannotWrite`, `.diskFull`.
    package convenience init(temporaryIn folder: URL) throws {
        let path = folder.appendingPathComponent("lockstep-\(UUID().uuidString)").path
        guard let descriptor = Self.descriptor(ofTemporaryFileAt: path) else { throw SystemFailure.whileWriting() }
        self.init(descriptor: descriptor, path: path)
    }

    /// Makes a file that has no name any more when this returns; `nil`, with `errno`, where that cannot be.
    ///
    /// Without a name it needs nobody to remove it, not even after a crash; its bytes stay as long as it is open.
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

    /// Reads bytes at a place: fewer than asked for only where the file ends.
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

    /// Writes bytes behind those that were written.
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

/// What the system says of the call that has just failed.
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
    /// The file's path, and the reason that the system gives.
    case cannotRead(path: String, reason: String)
    /// The reason that the system gives.
    case cannotWrite(reason: String)
    /// There is no room for what is written.
    case diskFull
}
