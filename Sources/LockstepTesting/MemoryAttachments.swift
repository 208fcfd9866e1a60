public import Foundation
public import LockstepStore
public import LockstepSync

/// A server of attachments in memory, which tests can look into and let fail.
///
/// ```swift
/// let server = MemoryAttachments()
/// server.breakOff(after: 1000)  // the next download
/// let transfer = AttachmentTransfer(store: store, remote: server)
/// ```
public final class MemoryAttachments: AttachmentRemote {
    public let name: String
    /// How many bytes come at once.
    public let pieceSize: Int
    private let state = Locked(State())

    private struct State {
        var stored: [String: Data] = [:]
        var log: [Request] = []
        var errors: [SyncError] = []
        var breakOffs: [Int] = []
        var knowsRanges = true
    }

    /// What was asked of the server.
    public enum Request: Sendable, Hashable {
        case upload(hash: String)
        case download(hash: String, offset: Int)
    }

    public init(name: String = "memory", pieceSize: Int = 64 * 1024) {
        self.name = name
        self.pieceSize = pieceSize
    }

    /// What it has, by hash. Tests may put anything there, wrong bytes too.
    public var stored: [String: Data] {
        get { state.withLock { $0.stored } }
        set { state.withLock { $0.stored = newValue } }
    }

    /// What was asked, in order.
    public var log: [Request] { state.withLock { $0.log } }

    /// Whether it can send from the middle on.
    public var knowsRanges: Bool {
        get { state.withLock { $0.knowsRanges } }
        set { state.withLock { $0.knowsRanges = newValue } }
    }

    /// Lets the next request fail; called more than once, the next ones.
    public func fail(_ error: SyncError) { state.withLock { $0.errors.append(error) } }

    /// Lets the next download break off after so many bytes; called more than once, the next ones.
    public func breakOff(after bytes: Int) { state.withLock { $0.breakOffs.append(bytes) } }

    public func upload(_ attachment: Attachment) async throws {
        let bytes = try attachment.data()
        try state.withLock { state in
            state.log.append(.upload(hash: attachment.contentHash))
            if !state.errors.isEmpty { throw state.errors.removeFirst() }
            state.stored[attachment.contentHash] = bytes
        }
    }

    public func download(_ attachment: Attachment, from offset: Int) async throws -> AttachmentBody {
        let hash = attachment.contentHash
        let (bytes, start, end) = try state.withLock { state in
            state.log.append(.download(hash: hash, offset: offset))
            if !state.errors.isEmpty { throw state.errors.removeFirst() }
            guard let bytes = state.stored[hash] else {
                throw SyncError(.notFound, record: hash, reason: "it has no such bytes", remedy: "Upload them first.")
            }
            let start = state.knowsRanges ? min(offset, bytes.count) : 0
            let end = state.breakOffs.isEmpty ? nil : start + state.breakOffs.removeFirst()
            return (bytes, start, end)
        }
        return AttachmentBody(body(bytes, start, end), offset: start)
    }

    private func body(_ bytes: Data, _ start: Int, _ end: Int?) -> HTTPBody {
        let last = min(end ?? bytes.count, bytes.count)
        return HTTPBody(
            AsyncThrowingStream { continuation in
                var place = start
                while place < last {
                    let next = min(place + pieceSize, last)
                    continuation.yield(bytes.subdata(in: place..<next))
                    place = next
                }
                let error = SyncError(.network, reason: "the connection broke", remedy: "Try again.")
                if end == nil { continuation.finish() } else { continuation.finish(throwing: error) }
            })
    }
}
