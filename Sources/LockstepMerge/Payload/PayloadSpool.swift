package import LockstepSystem

internal import Foundation

/// Gathers a body that comes in pieces: in memory as long as it is small, then in a temporary file.
///
/// All of it is there before the store is written to, so no transaction waits for a network.
package struct PayloadSpool {
    private let memoryLimit: Int
    private let byteLimit: Int
    private let makeFile: @Sendable () throws -> OpenFile
    /// The spool of several bodies that are kept together.
    private let pages: PageSpool?
    /// What is not in the file.
    private var gathered: [UInt8] = []
    private var file: OpenFile?
    /// Where the body begins in the file.
    private var start = 0
    private var byteCount = 0

    /// Most responses are smaller and never reach the disk; from here on, it costs little beside the network.
    package static let defaultMemoryLimit = 4 * 1024 * 1024
    /// Larger writes are not faster.
    private static let writeSize = 256 * 1024

    /// - Parameter byteLimit: How many bytes the body may have.
    package init(
        memoryLimit: Int = Self.defaultMemoryLimit, byteLimit: Int = .max,
        makeFile: @escaping @Sendable () throws -> OpenFile = Self.temporaryFile
    ) {
        self.memoryLimit = memoryLimit
        self.byteLimit = byteLimit
        self.makeFile = makeFile
        pages = nil
    }

    /// A body that is kept together with others.
    package init(in pages: PageSpool, byteLimit: Int) {
        memoryLimit = pages.memoryLeft
        self.byteLimit = byteLimit
        makeFile = { try pages.file() }
        self.pages = pages
    }

    @Sendable package static func temporaryFile() throws -> OpenFile {
        try OpenFile(temporaryIn: FileManager.default.temporaryDirectory)
    }

    package mutating func append(_ byte: UInt8) throws {
        try count(1)
        gathered.append(byte)
        if gathered.count >= limit { try moveToFile() }
    }

    private mutating func count(_ more: Int) throws {
        byteCount += more
        if byteCount > byteLimit { throw PayloadError.bodyTooLarge(limit: byteLimit) }
    }

    /// - Throws: `FileError.diskFull`, `.cannotWrite`; `PayloadError.bodyTooLarge`.
    package mutating func append(_ piece: some Collection<UInt8>) throws {
        let isWritten: Void? = try piece.withContiguousStorageIfAvailable { bytes in
            try count(bytes.count)
            guard gathered.count + bytes.count >= limit else { return gathered.append(contentsOf: bytes) }
            try moveToFile()
            // A large piece is not copied.
            guard bytes.count >= Self.writeSize else { return gathered.append(contentsOf: bytes) }
            try file?.append(UnsafeRawBufferPointer(bytes))
        }
        if isWritten == nil { for byte in piece { try append(byte) } }
    }

    /// All that was appended.
    package mutating func finish() throws -> PayloadBody {
        guard let file else {
            pages?.memoryLeft -= gathered.count
            return .bytes(gathered)
        }
        try moveToFile()
        return .file(pages == nil ? file : OpenFile(start..<start + byteCount, of: file))
    }

    private var limit: Int { file == nil ? memoryLimit : Self.writeSize }

    private mutating func moveToFile() throws {
        if self.file == nil {
            let file = try makeFile()
            start = try file.byteCount()
            self.file = file
        }
        guard let file else { return }
        try gathered.withUnsafeBytes { try file.append($0) }
        gathered.removeAll(keepingCapacity: gathered.capacity <= 2 * Self.writeSize)
    }
}

/// What several bodies share that are kept until all of them are there: one allowance of memory, and one file.
///
/// Unchecked, because the compiler cannot see that one task gathers one body after another.
package final class PageSpool: @unchecked Sendable {
    package var memoryLeft = PayloadSpool.defaultMemoryLimit
    private var made: OpenFile?

    package init() {}

    package func file() throws -> OpenFile {
        if let made { return made }
        let file = try PayloadSpool.temporaryFile()
        made = file
        return file
    }
}

extension PayloadSpool {
    /// Gathers pieces to their end.
    ///
    /// - Throws: What the sequence throws; `CancellationError`; `FileError.diskFull`, `.cannotWrite`.
    package static func gather<Pieces: AsyncSequence>(
        _ pieces: Pieces, into spool: PayloadSpool = PayloadSpool()
    ) async throws -> PayloadBody where Pieces.Element: Collection<UInt8> {
        var spool = spool
        for try await piece in pieces {
            try Task.checkCancellation()
            try spool.append(piece)
        }
        // A stream that is cancelled may just end.
        try Task.checkCancellation()
        return try spool.finish()
    }

    /// Gathers bytes to their end.
    ///
    /// - Throws: As the one of pieces.
    package static func gather<Bytes: AsyncSequence>(
        _ bytes: Bytes, into spool: PayloadSpool = PayloadSpool()
    ) async throws -> PayloadBody where Bytes.Element == UInt8 {
        var spool = spool
        for try await byte in bytes { try spool.append(byte) }
        try Task.checkCancellation()
        return try spool.finish()
    }
}
