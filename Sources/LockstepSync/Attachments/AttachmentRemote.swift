public import LockstepStore

/// A server that stores the bytes of attachments by their hash.
///
/// Records only contain references; the bytes are transferred separately. A type may conform to this and to ``Remote``,
/// or only to this. It throws a ``/LockstepHTTP/SyncError``: `network`, `timeout` or `unavailable` if trying again may
/// succeed, `notFound` if the server does not have the bytes, `refused`, `unauthorized`. Any other error counts as
/// `network`, and so does a `CancellationError` while the calling task is not cancelled (rule P20).
///
/// ```swift
/// struct Bucket: AttachmentRemote {
///     let name = "photos"
///     func upload(_ attachment: FileAttachment) async throws {
///         try await put(key: attachment.contentHash, bytes: attachment.mappedData())
///     }
///     func download(_ attachment: FileAttachment, from offset: Int) async throws -> AttachmentBody {
///         AttachmentBody(try await get(key: attachment.contentHash))  // from the start: that is allowed
///     }
/// }
/// ```
public protocol AttachmentRemote: Sendable {
    /// The server, by a name that stays the same: the store notes what this server has. It is no secret.
    var name: String { get }

    /// Sends the bytes: `FileAttachment.mappedData()`. It may be called more than once, and must succeed if the server
    /// already has them.
    ///
    /// Do not read the file at `FileAttachment.url` by its path: a link to another file may have taken its place.
    func upload(_ attachment: FileAttachment) async throws

    /// Reads the bytes, from `offset` on where the server can do that, or else from the start.
    ///
    /// The received bytes are compared with the hash: the remote need not check them.
    func download(_ attachment: FileAttachment, from offset: Int) async throws -> AttachmentBody
}

/// The bytes of an attachment on their way, and where they begin.
public struct AttachmentBody: Sendable {
    public let body: HTTPBody
    /// The offset of the first byte: what was asked for, or 0.
    public let offset: Int

    public init(_ body: HTTPBody, offset: Int = 0) {
        self.body = body
        self.offset = offset
    }
}
