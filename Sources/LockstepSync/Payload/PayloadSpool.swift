internal import Foundation

/// Gathers a body that comes in pieces: in memory as long as it is small, then in a temporary file.
///
/// All of it is there before the store is written to, so no transaction waits for a network.
struct PayloadSpool {
    private let memoryLimit: Int
    private let makeFile: @Sendable () throws -> PayloadFile
    /// What is not in the file.
    private var gathered: [UInt8] = []
    private var file: PayloadFile?

    /// Most responses are smaller and never reach the disk; from here on, it costs little beside the network.
    static let defaultMemoryLimit = 4 * 1024 * 1024
    /// Larger writes are not faster.
    private static let writeSize = 256 * 1024

    init(
        memoryLimit: Int = Self.defaultMemoryLimit,
        makeFile: @escaping @Sendable () throws -> PayloadFile = {
            try PayloadFile(temporaryIn: FileManager.default.temporaryDirectory)
        }
    ) {
        self.memoryLimit = memoryLimit
        self.makeFile = makeFile
    }

    mutating func append(_ byte: UInt8) throws {
        gathered.append(byte)
        if gathered.count >= limit { try moveToFile() }
    }

    /// - Throws: `PayloadError.diskFull`, `.cannotSpool`.
    mutating func append(_ piece: some Collection<UInt8>) throws {
        let isWritten: Void? = try piece.withContiguousStorageIfAvailable { bytes in
            guard gathered.count + bytes.count >= limit else { return gathered.append(contentsOf: bytes) }
            try moveToFile()
            // A large piece is not copied.
            guard bytes.count >= Self.writeSize else { return gathered.append(contentsOf: bytes) }
            try file?.append(UnsafeRawBufferPointer(bytes))
        }
        if isWritten == nil { for byte in piece { try append(byte) } }
    }

    /// All that was appended.
    mutating func finish() throws -> PayloadBody {
        guard let file else { return .bytes(gathered) }
        try moveToFile()
        return .file(file)
    }

    private var limit: Int { file == nil ? memoryLimit : Self.writeSize }

    private mutating func moveToFile() throws {
        let file = try self.file ?? makeFile()
        self.file = file
        try gathered.withUnsafeBytes { try file.append($0) }
        gathered.removeAll(keepingCapacity: gathered.capacity <= 2 * Self.writeSize)
    }
}

extension PayloadSpool {
    /// Gathers pieces to their end.
    ///
    /// - Throws: What the sequence throws; `CancellationError`; `PayloadError.diskFull`, `.cannotSpool`.
    static func gather<Pieces: AsyncSequence>(
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
    static func gather<Bytes: AsyncSequence>(
        _ bytes: Bytes, into spool: PayloadSpool = PayloadSpool()
    ) async throws -> PayloadBody where Bytes.Element == UInt8 {
        var spool = spool
        for try await byte in bytes { try spool.append(byte) }
        try Task.checkCancellation()
        return try spool.finish()
    }
}
