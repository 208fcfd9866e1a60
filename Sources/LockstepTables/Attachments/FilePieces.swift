package import Foundation
package import LockstepSystem

/// Reads and writes files in pieces, so that no file is in memory as a whole.
package enum FilePieces {
    package static let pieceSize = 256 * 1024

    /// Passes the bytes of a file to `body`, in pieces.
    package static func read(_ url: URL, body: (Data) throws -> Void) throws {
        try read(OpenFile(reading: url), body: body)
    }

    /// Passes the bytes of an open file to `body`, in pieces.
    package static func read(_ file: OpenFile, body: (Data) throws -> Void) throws {
        var offset = 0
        while true {
            var piece = Data(count: pieceSize)
            let count = try piece.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
            if count == 0 { return }
            try body(piece.prefix(count))
            offset += count
        }
    }

    /// The number of bytes of a regular file; `nil` if there is no such file. A link is none.
    package static func size(_ url: URL) -> Int? {
        var status = stat()
        guard lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Renames a file atomically. A file that has the new name is replaced.
    package static func rename(_ url: URL, to target: URL) throws {
        guard Foundation.rename(url.path, target.path) == 0 else { throw systemError() }
    }

    /// Flushes a folder, so that new names in it, and the files that were flushed before, survive a loss of power. Not
    /// every file system supports this, so errors are ignored.
    package static func synchronize(folder: URL) {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        try? DiskFlush.durable(descriptor)
        close(descriptor)
    }

    private static func systemError() -> any Error {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
