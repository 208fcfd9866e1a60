import LockstepSystem

/// Reads a file in windows. A record that is longer than the window makes it larger.
struct PayloadFileWindows: ~Copyable {
    private let file: OpenFile
    private var memory: UnsafeMutableRawBufferPointer
    /// How many bytes at the window's beginning are the file's.
    private var count = 0
    /// Where the window is in the file.
    private var baseOffset = 0
    private var hasReachedEnd = false

    /// 50,000 records or so. What is staged points into the window and is written where it ends, and a batch that is a
    /// good part of a table is matched by one look at the table. It and the staged rows stay below the 64 MB of memory
    /// that a merge may take beside its payload.
    static let defaultSize = 16 * 1024 * 1024
    /// As much as SQLite takes for one row by default (SQLITE_MAX_LENGTH). A body that is one endless record must not
    /// take all memory.
    static let sizeLimit = 1024 * 1024 * 1024

    init(_ file: OpenFile, size: Int = Self.defaultSize) throws {
        self.file = file
        // One more than there are, to see the end.
        memory = .allocate(byteCount: max(1, min(size, try file.byteCount() + 1)), alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Gives a reader all of the file.
    ///
    /// - Throws: What the reader throws; `FileError.cannotRead`; `PayloadError.recordTooLarge`.
    mutating func feed(_ reader: inout PayloadReader, into target: some PayloadTarget, _ watch: PayloadWatch) throws {
        while true {
            try watch.checkCancellation()
            try fill()
            let bytes = UnsafeBufferPointer(
                rebasing: UnsafeRawBufferPointer(memory).bindMemory(to: UInt8.self)[..<count])
            let consumed = try reader.feed(
                PayloadWindow(bytes: bytes, baseOffset: baseOffset, isLast: hasReachedEnd), into: target, watch)
            if hasReachedEnd { try watch.noteEnd(offset: baseOffset + count, recordCount: reader.recordCount) }
            try target.windowEnds()
            if hasReachedEnd { return }
            try drop(consumed)
        }
    }

    private mutating func fill() throws {
        let rest = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
        let readCount = try file.read(into: rest, at: baseOffset + count)
        hasReachedEnd = readCount < rest.count
        count += readCount
    }

    /// Moves what is left to the beginning; where that is all, makes room for more.
    private mutating func drop(_ consumed: Int) throws {
        let rest = UnsafeRawBufferPointer(rebasing: memory[consumed..<count])
        count -= consumed
        baseOffset += consumed
        guard consumed == 0 else { return memory.copyMemory(from: rest) }
        guard memory.count < Self.sizeLimit else {
            throw PayloadError.recordTooLarge(limit: Self.sizeLimit, offset: baseOffset)
        }
        // Twice as large, so that no byte is read again more than once or twice.
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: memory.count * 2, alignment: 16)
        larger.copyMemory(from: rest)
        memory.deallocate()
        memory = larger
    }
}
