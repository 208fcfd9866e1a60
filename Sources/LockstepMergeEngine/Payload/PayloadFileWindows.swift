import LockstepSystem

/// Reads a file in windows. A record that is larger than the window enlarges it.
struct PayloadFileWindows: ~Copyable {
    private let file: OpenFile
    private var memory: UnsafeMutableRawBufferPointer
    /// The number of bytes of the file at the beginning of the window.
    private var count = 0
    /// The offset of the window in the file.
    private var baseOffset = 0
    private var hasReachedEnd = false

    /// About 50,000 records. Staged cells point into the window and are written when it ends, and a batch that covers a
    /// large part of a table is matched by one scan of the table. Together with the staged rows, this stays below the
    /// 64 MB of memory that a merge may use besides its payload.
    static let defaultSize = 16 * 1024 * 1024
    /// The maximum size of a row in SQLite by default (`SQLITE_MAX_LENGTH`). A body with a single endless record must
    /// not use all memory.
    static let sizeLimit = 1024 * 1024 * 1024

    /// - Parameter offset: Where in the file the first window begins.
    init(_ file: OpenFile, size: Int = Self.defaultSize, from offset: Int = 0) throws {
        self.file = file
        baseOffset = offset
        // One byte more than the file has, to detect its end.
        memory = .allocate(byteCount: max(1, min(size, try file.byteCount() - offset + 1)), alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Passes the file to a reader, until the target is full.
    ///
    /// - Throws: Errors of the reader; `FileError.cannotRead`; `PayloadError.recordTooLarge`.
    mutating func feed(_ reader: inout PayloadReader, into target: some PayloadTarget, watch: PayloadWatch) throws {
        while true {
            try watch.checkCancellation()
            try fill()
            let bytes = UnsafeBufferPointer(
                rebasing: UnsafeRawBufferPointer(memory).bindMemory(to: UInt8.self)[..<count])
            let consumed = try reader.feed(
                PayloadWindow(bytes: bytes, baseOffset: baseOffset, isLast: hasReachedEnd), into: target, watch: watch)
            reader.position.offset = baseOffset + consumed
            let isPaused = reader.isPaused(for: target)
            if hasReachedEnd, !isPaused {
                try watch.didReachEnd(offset: baseOffset + count, recordCount: reader.position.recordCount)
            }
            try target.windowEnds()
            if hasReachedEnd || isPaused { return }
            try discard(consumed)
        }
    }

    private mutating func fill() throws {
        let rest = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
        let readCount = try file.read(into: rest, at: baseOffset + count)
        hasReachedEnd = readCount < rest.count
        count += readCount
    }

    /// Moves the remaining bytes to the beginning. If nothing was consumed, enlarges the window.
    private mutating func discard(_ consumed: Int) throws {
        let rest = UnsafeRawBufferPointer(rebasing: memory[consumed..<count])
        count -= consumed
        baseOffset += consumed
        guard consumed == 0 else { return memory.copyMemory(from: rest) }
        guard memory.count < Self.sizeLimit else {
            throw PayloadError.recordTooLarge(limit: Self.sizeLimit, offset: baseOffset)
        }
        // The size is doubled, so that each byte is read again only once or twice.
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: memory.count * 2, alignment: 16)
        larger.copyMemory(from: rest)
        memory.deallocate()
        memory = larger
    }
}
