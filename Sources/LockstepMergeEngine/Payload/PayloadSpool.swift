package import LockstepSystem

internal import Foundation

/// Gathers a body that is received in pieces: in memory while it is small, then in a temporary file.
///
/// It is complete before the store is written to, so that no transaction waits for a network.
package struct PayloadSpool {
    private let memoryLimit: Int
    private let byteLimit: Int
    private let makeFile: @Sendable () throws -> OpenFile
    /// The spool of several bodies that are stored together.
    private let pages: PageSpool?
    /// The bytes that are not in the file.
    private var gathered: [UInt8] = []
    private var file: OpenFile?
    /// The offset of the body in the file.
    private var start = 0
    private var byteCount = 0

    /// Most responses are smaller and are never written to the disk. Beyond this, the cost is small compared to the
    /// network.
    package static let defaultMemoryLimit = 4 * 1024 * 1024
    /// Larger writes are not faster.
    private static let writeSize = 256 * 1024

    /// - Parameter byteLimit: The maximum number of bytes of the body.
    package init(
        memoryLimit: Int = Self.defaultMemoryLimit, byteLimit: Int = .max,
        makeFile: @escaping @Sendable () throws -> OpenFile = Self.temporaryFile
    ) {
        self.memoryLimit = memoryLimit
        self.byteLimit = byteLimit
        self.makeFile = makeFile
        pages = nil
    }

    /// Creates a spool for a body that is stored together with others.
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

    /// The body with all appended bytes.
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

/// The storage that several bodies share until all of them are complete: an allowance of memory, and one file.
///
/// Unchecked, because the compiler cannot verify that a single task gathers one body after another.
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
    /// Gathers pieces until their sequence ends.
    ///
    /// - Throws: Errors of the sequence; `CancellationError`; `FileError.diskFull`, `.cannotWrite`.
    package static func gather<Pieces: AsyncSequence>(
        _ pieces: Pieces, into spool: PayloadSpool = PayloadSpool()
    ) async throws -> PayloadBody where Pieces.Element: Collection<UInt8> {
        var spool = spool
        for try await piece in pieces {
            try Task.checkCancellation()
            try spool.append(piece)
        }
        // A canceled stream may end without an error.
        try Task.checkCancellation()
        return try spool.finish()
    }

    /// Gathers bytes until their sequence ends.
    ///
    /// - Throws: The same errors as for pieces.
    package static func gather<Bytes: AsyncSequence>(
        _ bytes: Bytes, into spool: PayloadSpool = PayloadSpool()
    ) async throws -> PayloadBody where Bytes.Element == UInt8 {
        var spool = spool
        for try await byte in bytes { try spool.append(byte) }
        try Task.checkCancellation()
        return try spool.finish()
    }
}
