public import Foundation
public import LockstepStore
public import LockstepSync
import LockstepSystem

/// An in-memory file server for attachments, which tests can inspect and make fail.
///
/// ```swift
/// let server = MemoryAttachments()
/// server.breakOff(after: 1000)  // the next download
/// let transfer = AttachmentTransfer(store: store, remote: server)
/// ```
public final class MemoryAttachments: AttachmentRemote {
    @_spi(Requirements) public let name: String
    /// The number of bytes in a piece.
    package let pieceSize: Int
    private let state = Locked(State())

    private struct State {
        var stored: [String: Data] = [:]
        var log: [Request] = []
        var errors: [SyncError] = []
        var breakOffs: [Int] = []
        var knowsRanges = true
    }

    /// A request to the server.
    public enum Request: Sendable, Hashable {
        case upload(hash: String)
        case download(hash: String, offset: Int)
    }

    public init(name: String = "memory", pieceSize: Int = 64 * 1024) {
        self.name = name
        self.pieceSize = pieceSize
    }

    /// The stored bytes, by hash. Tests can store anything, including wrong bytes.
    public var stored: [String: Data] {
        get { state.withLock { $0.stored } }
        set { state.withLock { $0.stored = newValue } }
    }

    /// The requests, in order.
    public var log: [Request] { state.withLock { $0.log } }

    /// Whether the server supports range requests.
    package var knowsRanges: Bool {
        get { state.withLock { $0.knowsRanges } }
        set { state.withLock { $0.knowsRanges = newValue } }
    }

    /// Makes the next request fail. If called several times, as many of the next requests fail.
    public func fail(_ error: SyncError) { state.withLock { $0.errors.append(error) } }

    /// Makes the next download break after a number of bytes. If called several times, as many of the next downloads
    /// break.
    package func breakOff(after bytes: Int) { state.withLock { $0.breakOffs.append(bytes) } }

    @_spi(Requirements) public func upload(_ attachment: FileAttachment) async throws {
        let bytes = try attachment.data()
        try state.withLock { state in
            state.log.append(.upload(hash: attachment.contentHash))
            if !state.errors.isEmpty { throw state.errors.removeFirst() }
            state.stored[attachment.contentHash] = bytes
        }
    }

    @_spi(Requirements) public func download(_ attachment: FileAttachment, from offset: Int) async throws
        -> AttachmentBody
    {
        let hash = attachment.contentHash
        let (bytes, start, end) = try state.withLock { state in
            state.log.append(.download(hash: hash, offset: offset))
            if !state.errors.isEmpty { throw state.errors.removeFirst() }
            guard let bytes = state.stored[hash] else {
                throw SyncError(.notFound, record: hash, reason: "the bytes do not exist", remedy: "Upload them first.")
            }
            let start = state.knowsRanges ? min(offset, bytes.count) : 0
            let end = state.breakOffs.isEmpty ? nil : start + state.breakOffs.removeFirst()
            return (bytes, start, end)
        }
        return AttachmentBody(body(bytes, from: start, end: end), offset: start)
    }

    private func body(_ bytes: Data, from start: Int, end: Int?) -> HTTPBody {
        let last = min(end ?? bytes.count, bytes.count)
        return HTTPBody(
            AsyncThrowingStream { continuation in
                var offset = start
                while offset < last {
                    let next = min(offset + pieceSize, last)
                    continuation.yield(bytes.subdata(in: offset..<next))
                    offset = next
                }
                let error = SyncError(.network, reason: "the connection broke", remedy: "Try again.")
                if end == nil { continuation.finish() } else { continuation.finish(throwing: error) }
            })
    }
}
