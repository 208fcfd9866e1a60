import Foundation
import LockstepSystem

/// The bytes of a body that were received and not read yet: a part in memory, the rest in a temporary file.
///
/// On Apple platforms, the transfer is paused before there are many. This is not possible on Linux.
///
/// A file only grows. So that a stream which is never completely read uses no more space than its unread bytes, another
/// file receives new bytes when much of the first was read. The first is deleted when its rest was read, too.
struct UnreadBytes {
    private struct Part {
        let file: OpenFile
        var readOffset = 0
        var writtenOffset = 0

        var count: Int { writtenOffset - readOffset }
    }

    /// The first bytes, if they are not in the files.
    private var memory = Data()
    /// The file that is being read, and the following one, if there is one.
    private var parts: [Part] = []

    /// Bytes beyond this size are written to the file.
    static let memoryLimit = 1 << 20
    /// How much of a file is read before another one receives new bytes.
    static let rewindLimit = 8 << 20
    /// The size of the pieces that are read from the file.
    private static let pieceSize = 1 << 20

    var count: Int { parts.reduce(memory.count) { $0 + $1.count } }
    var isEmpty: Bool { count == 0 }
    /// The number of bytes in memory.
    var memoryCount: Int { memory.count }

    /// The number of bytes in the files.
    var fileByteCount: Int { parts.reduce(0) { $0 + $1.writtenOffset } }

    /// - Throws: `FileError.diskFull`, `.cannotWrite`.
    mutating func append(_ data: Data) throws {
        guard !parts.isEmpty || memory.count + data.count > Self.memoryLimit else { return memory.append(data) }
        if parts.isEmpty || parts.count == 1 && parts[0].readOffset >= Self.rewindLimit {
            parts.append(Part(file: try OpenFile(temporaryIn: FileManager.default.temporaryDirectory)))
        }
        let last = parts.count - 1
        try data.withUnsafeBytes { try parts[last].file.append($0) }
        parts[last].writtenOffset += data.count
    }

    /// Returns the next bytes; `nil` if there are none.
    ///
    /// - Throws: `FileError.cannotRead`.
    mutating func take() throws -> Data? {
        if !memory.isEmpty {
            defer { memory = Data() }
            return memory
        }
        guard let part = parts.first else { return nil }
        var piece = Data(count: min(Self.pieceSize, part.count))
        let byteCount = try piece.withUnsafeMutableBytes { try part.file.read(into: $0, at: part.readOffset) }
        parts[0].readOffset += byteCount
        // Frees its space on the disk.
        if parts[0].count == 0 { parts.removeFirst() }
        return piece
    }
}
