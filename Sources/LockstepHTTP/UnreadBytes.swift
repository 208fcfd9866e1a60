import Foundation
import LockstepSystem

/// What has come of a body and was not read yet: a little of it in memory, the rest in a temporary file.
///
/// On Apple platforms the transfer is paused before much of it is there. On Linux it cannot be.
///
/// A file only grows. So that a stream that is never read to its end takes no more room than what is unread, another
/// file takes what comes once much of the first was read; the first is gone when the rest of it was read, too.
struct UnreadBytes {
    private struct Part {
        let file: OpenFile
        var readOffset = 0
        var writtenOffset = 0

        var count: Int { writtenOffset - readOffset }
    }

    /// The first of them, where the files do not have them.
    private var memory = Data()
    /// The file that is read, and one behind it, if there is one.
    private var parts: [Part] = []

    /// More than this goes into the file.
    static let memoryLimit = 1 << 20
    /// How much of a file may have been read before another one takes what comes.
    static let rewindLimit = 8 << 20
    /// The file is read in pieces of this size.
    private static let pieceSize = 1 << 20

    var count: Int { parts.reduce(memory.count) { $0 + $1.count } }
    var isEmpty: Bool { count == 0 }
    /// How much of it is in memory.
    var memoryCount: Int { memory.count }

    /// How many bytes the files have.
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

    /// The next of them; `nil` where there are none.
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
        // Its room on the disk is free again.
        if parts[0].count == 0 { parts.removeFirst() }
        return piece
    }
}
