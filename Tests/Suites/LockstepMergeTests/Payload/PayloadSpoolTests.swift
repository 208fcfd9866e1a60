import Foundation
import LockstepSystem
import TestSupport
import Testing

@testable import LockstepHTTP
@testable import LockstepMerge

@Suite("Spooling a body in pieces")
struct PayloadSpoolTests {
    @Test("Pieces of any size are joined, in memory or in a file", arguments: 0..<10 as Range<UInt64>)
    func gathering(seed: UInt64) async throws {
        try await withTemporaryFolder { folder in
            var random = SeededRandom(seed: seed)
            let bytes = (0..<Int.random(in: 0...1_000_000, using: &random)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let pieces = split(bytes, &random)
            for memoryLimit in [0, 1, 1_000, 2_000_000] {
                let spool = spool(in: folder, memoryLimit: memoryLimit)
                let body = try await PayloadSpool.gather(stream(pieces), into: spool)
                #expect(try content(of: body) == bytes)
                let isInMemory = if case .bytes = body { true } else { false }
                #expect(isInMemory == (bytes.count < max(1, memoryLimit)))
                let left = try files(in: folder)
                #expect(left.isEmpty)
            }
        }
    }

    @Test("Single bytes, and noncontiguous pieces, are joined too")
    func singleBytes() async throws {
        try await withTemporaryFolder { folder in
            let bytes = Array("[1, 2, 3]".utf8)
            for memoryLimit in [2, 100] {
                let single = try await PayloadSpool.gather(
                    stream(bytes), into: spool(in: folder, memoryLimit: memoryLimit))
                #expect(try content(of: single) == bytes)
                let scattered = stream([bytes[0..<4], bytes[4...]].map { ScatteredBytes(bytes: Array($0)) })
                let gathered = try await PayloadSpool.gather(
                    scattered, into: spool(in: folder, memoryLimit: memoryLimit))
                #expect(try content(of: gathered) == bytes)
            }
        }
    }

    @Test("The temporary file has no name while it is used, and no other user can read it")
    func nameless() async throws {
        try await withTemporaryFolder { folder in
            let file = try OpenFile(temporaryIn: folder)
            let left = try files(in: folder)
            #expect(left.isEmpty)
            var status = stat()
            #expect(fstat(file.descriptor, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            #expect(status.st_nlink == 0)
        }
    }

    @Test("An error of the sequence is rethrown, and leaves no file")
    func sequenceFails() async throws {
        try await withTemporaryFolder { folder in
            let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
                continuation.yield([UInt8](repeating: 0x20, count: 100))
                continuation.finish(throwing: ConnectionLost())
            }
            await #expect(throws: ConnectionLost.self) {
                try await PayloadSpool.gather(pieces, into: spool(in: folder, memoryLimit: 10))
            }
            let left = try files(in: folder)
            #expect(left.isEmpty)
        }
    }

    @Test("Cancelling while pieces arrive is an error, although the stream just ends, and leaves no file")
    func cancelled() async throws {
        try await withTemporaryFolder { folder in
            let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
            let spool = spool(in: folder, memoryLimit: 10)
            let task = Task { try await PayloadSpool.gather(pieces, into: spool) }
            continuation.yield(Array("[1, 2, 3, 4, 5, 6]".utf8))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let left = try files(in: folder)
            #expect(left.isEmpty)
        }
    }

    @Test("A missing folder is reported by name")
    func noFolder() async throws {
        let folder = URL(fileURLWithPath: "/nowhere/at/all")
        #expect(throws: FileError.cannotWrite(reason: "No such file or directory")) {
            try OpenFile(temporaryIn: folder)
        }
    }

    #if os(Linux)
        @Test("A full disk is reported")
        func fullDisk() async throws {
            let spool = PayloadSpool(memoryLimit: 10) {
                OpenFile(descriptor: open("/dev/full", O_RDWR | O_CLOEXEC), path: "/dev/full")
            }
            await #expect(throws: FileError.diskFull) {
                try await PayloadSpool.gather(stream([[UInt8](repeating: 0x20, count: 100)]), into: spool)
            }
        }
    #endif

    // MARK: Helpers

    /// A collection without contiguous storage.
    private struct ScatteredBytes: Collection, Sendable {
        let bytes: [UInt8]
        var startIndex: Int { 0 }
        var endIndex: Int { bytes.count }
        func index(after index: Int) -> Int { index + 1 }
        subscript(index: Int) -> UInt8 { bytes[index] }
    }

    private struct ConnectionLost: Error {}

    private func spool(in folder: URL, memoryLimit: Int) -> PayloadSpool {
        PayloadSpool(memoryLimit: memoryLimit) { try OpenFile(temporaryIn: folder) }
    }

    private func stream<Element: Sendable>(_ elements: [Element]) -> AsyncStream<Element> {
        AsyncStream { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish()
        }
    }

    private func split(_ bytes: [UInt8], _ random: inout SeededRandom) -> [Data] {
        var pieces: [Data] = []
        var first = 0
        while first < bytes.count {
            let count = Int.random(in: 0...random.element(of: [10, 10_000, 600_000]), using: &random)
            let end = min(bytes.count, first + count)
            pieces.append(Data(bytes[first..<end]))
            first = end
        }
        return pieces
    }

    private func content(of body: PayloadBody) throws -> [UInt8] {
        switch body {
        case .bytes(let bytes): return bytes
        case .data(let data): return Array(data)
        case .text(let text): return Array(text.utf8)
        case .file(let file):
            var bytes = [UInt8](repeating: 0, count: try file.byteCount() + 1)
            let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
            return Array(bytes[..<count])
        }
    }

    private func files(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }
}
