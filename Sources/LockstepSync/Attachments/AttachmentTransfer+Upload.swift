public import Foundation
public import LockstepStore

extension AttachmentTransfer {
    /// Uploads the attachments that a record's JSON refers to, if they are on this device and not known to be on the
    /// server. Call it before the record is sent, so that no server has a reference to bytes that it never receives.
    ///
    /// - Parameter body: The JSON to be sent, including embedded records.
    /// - Throws: As ``upload(_:)``. Completed uploads are recorded.
    public func upload(referencedIn body: Data) async throws {
        for attachment in try await uploads(referencedIn: body) { try await upload(attachment) }
    }

    /// The attachments that ``upload(referencedIn:)`` would send.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    package func uploads(referencedIn body: Data) async throws -> [FileAttachment] {
        let references = AttachmentReference.all(in: body)
        guard !references.isEmpty else { return [] }
        let uploaded = try await notes.uploaded()
        let wanted = references.filter { !uploaded.contains($0.hash) && store.attachmentFiles.has($0) }
        return wanted.map(store.attachment)
    }

    /// Uploads every pending attachment.
    ///
    /// - Returns: The number of uploaded attachments.
    /// - Throws: As ``upload(_:)``, for the first failure.
    @discardableResult
    public func uploadPending() async throws -> Int {
        let pending = try await pendingUploads()
        for attachment in pending { try await upload(attachment) }
        return pending.count
    }

    /// Uploads bytes again that the server may have deleted although records refer to them (Rules.md, P14).
    ///
    /// - Returns: The attachments that could not be uploaded. They are left for later.
    func uploadLost() async throws -> [AttachmentDownloads.Failure] {
        try await transfer(lostUploads(), by: upload).failures
    }

    /// Uploads one attachment, whether or not the server has it, and records that the server has it.
    ///
    /// The file is checked against its hash first: damaged bytes never leave the device.
    ///
    /// - Throws: ``/LockstepHTTP/SyncError``: `nothingToSend` if the bytes are not on this device, and errors of the
    ///   remote; `StoreError` with the code `damaged`; `CancellationError`.
    public func upload(_ attachment: FileAttachment) async throws {
        let attachment = store.attachment(attachment.contentReference)
        try await locks.locked(attachment.contentHash) {
            guard attachment.state == .here else {
                throw SyncError(
                    .nothingToSend, record: attachment.reference, reason: "its bytes are not in a file of this store",
                    remedy: "Save the record first, or download the attachment.")
            }
            try await notingFailure(of: attachment) {
                try store.attachmentFiles.check(attachment.contentReference)
                try await remote.upload(attachment)
            }
            try await notes.noteUploaded(attachment.contentHash, at: clock.now)
        }
    }
}

extension AttachmentReference {
    /// The distinct references in a JSON text, in order.
    static func all(in json: Data) -> [AttachmentReference] {
        let mark = Data("sha256-".utf8)
        var found: [AttachmentReference] = []
        var rest = json[...]
        while let range = rest.range(of: mark) {
            let end = rest[range.upperBound...].firstIndex(of: UInt8(ascii: "\"")) ?? rest.endIndex
            // 7 + 64 + 1 digits and dashes, and the digits of a number.
            let isShort = end - range.lowerBound <= 100
            if isShort,
                let reference = AttachmentReference(String(decoding: rest[range.lowerBound..<end], as: UTF8.self)),
                !found.contains(reference)
            {
                found.append(reference)
            }
            rest = rest[range.upperBound...]
        }
        return found
    }
}
