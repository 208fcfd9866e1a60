import Foundation
public import LockstepStore

/// The result of a round of downloads.
public struct AttachmentDownloads: Sendable {
    /// The attachments that were downloaded.
    public var downloaded: [FileAttachment] = []
    /// The failed downloads and their errors. They are retried later.
    public var failures: [Failure] = []
    /// The number of attachments that are still missing, including failed ones.
    public var missingCount = 0

    public struct Failure: Sendable {
        public let attachment: FileAttachment
        public let error: SyncError
    }
}

extension AttachmentTransfer {
    /// Downloads the missing attachments that records refer to, one after the other.
    ///
    /// A failed download is left for later, and the others continue, also if its file cannot be written (`store`). If
    /// the server cannot be reached at all, rejects the credentials, or asks to wait, the round ends, and its error is
    /// the last failure of the result.
    ///
    /// - Parameter limit: The maximum number of downloads.
    /// - Throws: `StoreError` if the store cannot be read or written, or the disk is full; `CancellationError`.
    ///   Completed downloads are kept.
    public func downloadMissing(limit: Int = .max) async throws -> AttachmentDownloads {
        let missing = try await missingAttachments()
        let (downloaded, failures) = try await transfer(missing, limit: limit, by: download)
        return AttachmentDownloads(
            downloaded: downloaded, failures: failures, missingCount: missing.count - downloaded.count)
    }

    /// Downloads one attachment, unless it is on this device already. An interrupted download is resumed.
    ///
    /// - Throws: ``/LockstepHTTP/SyncError``: errors of the remote, and `malformed` if the bytes do not match the hash,
    ///   in which case they are discarded. `StoreError` if the file cannot be written; `CancellationError`.
    public func download(_ attachment: FileAttachment) async throws {
        let attachment = store.attachment(attachment.contentReference)
        try await locks.locked(attachment.contentHash) {
            let file = AttachmentDownloadFile(attachment.contentReference, in: store.attachmentFiles)
            try await notingFailure(of: attachment) { try await file.complete(attachment, from: remote) }
            try await notes.noteUploaded(attachment.contentHash, at: clock.now)
        }
    }
}
