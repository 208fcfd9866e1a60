import Foundation
public import LockstepStore

/// What a round of downloads has done.
public struct AttachmentDownloads: Sendable {
    /// What is here now.
    public var downloaded: [Attachment] = []
    /// What failed, and why. It is tried again later.
    public var failures: [Failure] = []
    /// How many are still missing, those that failed included.
    public var missingCount = 0

    public struct Failure: Sendable {
        public let attachment: Attachment
        public let error: SyncError
    }
}

extension AttachmentTransfer {
    /// Downloads attachments that records refer to and that are not here, one after the other.
    ///
    /// One that fails is left for later, and the others go on; where the server cannot be reached at all, takes the
    /// credentials no more, or asks to wait, the round ends. It is in the report then, as the last failure.
    ///
    /// - Parameter limit: How many to download at most.
    /// - Throws: `StoreError` where the store or a file cannot be written, `CancellationError`. What came before stays.
    public func downloadMissing(limit: Int = .max) async throws -> AttachmentDownloads {
        var report = AttachmentDownloads()
        let delays = try await notes.delays()
        let missing = try await missingAttachments()
        for attachment in missing {
            guard report.downloaded.count < limit else { break }
            if let retryAt = delays[attachment.contentHash]?.retryAt, retryAt > clock.now { continue }
            do {
                try await download(attachment)
                report.downloaded.append(attachment)
            } catch let error as SyncError {
                report.failures.append(AttachmentDownloads.Failure(attachment: attachment, error: error))
                if error.endsRound { break }
            }
        }
        report.missingCount = missing.count - report.downloaded.count
        return report
    }

    /// Downloads one attachment; does nothing where it is here. What an earlier download has left is used.
    ///
    /// - Throws: ``/LockstepHTTP/SyncError``: what the remote throws, and `malformed` where the bytes are not those
    ///   that the hash is of: they are thrown away. `StoreError` where the file cannot be written; `CancellationError`.
    public func download(_ attachment: Attachment) async throws {
        let attachment = store.attachment(attachment.contentReference)
        try await locks.locked(attachment.contentHash) {
            let file = AttachmentDownloadFile(attachment.contentReference, in: store.attachmentFiles)
            do { try await file.complete(attachment, from: remote) } catch {
                let error = try syncError(error)
                try await noteFailure(attachment, error)
                throw error
            }
            try await notes.noteUploaded(attachment.contentHash, at: clock.now)
        }
    }
}

extension SyncError {
    /// Whether other downloads would fail the same way.
    fileprivate var endsRound: Bool {
        switch code {
        case .network, .timeout, .unauthorized, .insecureAddress: true
        case .unavailable(let status): status == 429 || status == 503
        default: false
        }
    }
}
