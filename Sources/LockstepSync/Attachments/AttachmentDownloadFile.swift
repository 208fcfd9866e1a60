import Foundation
import LockstepStore
import LockstepSystem

/// The file of a download, which has a temporary name until it is complete and its hash is verified.
struct AttachmentDownloadFile: Sendable {
    private let reference: AttachmentReference
    private let files: AttachmentFiles
    private var url: URL { files.partURL(reference) }

    private static let operation = "downloading an attachment"

    init(_ reference: AttachmentReference, in files: AttachmentFiles) {
        self.reference = reference
        self.files = files
    }

    /// Downloads the missing bytes, and renames the file.
    func complete(_ attachment: FileAttachment, from remote: any AttachmentRemote) async throws {
        if files.has(reference) { return }
        try files.makeFolder()
        var hasher = try hashed()
        let wasBegun = hasher.byteCount > 0
        if hasher.byteCount < reference.byteCount { try await receive(attachment, remote: remote, hasher: &hasher) }
        if hasher.finished() == reference { return try place() }
        try remove()
        // After a loss of power, not all bytes of an earlier download may be on the disk: start again from the
        // beginning.
        guard wasBegun else { throw wrongBytes(hasher.byteCount) }
        hasher = ContentHasher()
        try await receive(attachment, remote: remote, hasher: &hasher)
        guard hasher.finished() == reference else {
            try remove()
            throw wrongBytes(hasher.byteCount)
        }
        try place()
    }

    /// The bytes of an earlier download; empty if there are too many.
    private func hashed() throws -> ContentHasher {
        var hasher = ContentHasher()
        return try AttachmentError.wrapping(Self.operation, at: url) {
            guard let file = try files.openPartToRead(reference) else { return hasher }
            guard try file.byteCount() <= reference.byteCount else {
                try remove()
                return hasher
            }
            try FilePieces.read(file) { hasher.update($0) }
            return hasher
        }
    }

    /// Appends the received pieces. If the download is interrupted, they are kept for the next attempt.
    private func receive(_ attachment: FileAttachment, remote: any AttachmentRemote, hasher: inout ContentHasher)
        async throws
    {
        let response = try await remote.download(attachment, from: hasher.byteCount)
        if response.offset != hasher.byteCount {
            // From the beginning, or from an offset that was not requested.
            try remove()
            guard response.offset == 0 else { throw wrongPart(response.offset, asked: hasher.byteCount) }
            hasher = ContentHasher()
        }
        let file = try opened(at: hasher.byteCount)
        defer { try? file.close() }
        for try await piece in response.body {
            hasher.update(piece)
            guard hasher.byteCount <= reference.byteCount else {
                try remove()
                throw wrongBytes(hasher.byteCount)
            }
            try AttachmentError.wrapping(Self.operation, at: url) { try file.write(contentsOf: piece) }
        }
        // A cancelled task may see the end of a stream that has not ended.
        try Task.checkCancellation()
        guard hasher.byteCount == reference.byteCount else { throw brokenOff(hasher.byteCount) }
        try AttachmentError.wrapping(Self.operation, at: url) { try DiskFlush.ordered(file) }
    }

    private func opened(at offset: Int) throws -> FileHandle {
        try AttachmentError.wrapping(Self.operation, at: url) {
            let file = try files.openPart(reference)
            try file.truncate(atOffset: UInt64(offset))
            try file.seek(toOffset: UInt64(offset))
            return file
        }
    }

    private func place() throws {
        if FilePieces.size(url) == nil { try opened(at: 0).close() }
        try files.place(url, reference: reference)
        FilePieces.synchronize(folder: files.folder)
    }

    private func remove() throws {
        guard FilePieces.size(url) != nil else { return }
        try AttachmentError.wrapping(Self.operation, at: url) { try FileManager.default.removeItem(at: url) }
    }

    // MARK: Errors

    private func wrongBytes(_ count: Int) -> SyncError {
        SyncError(
            .malformed, record: reference.text,
            reason: count == reference.byteCount
                ? "the server's bytes have another hash"
                : "the number of the server's bytes differs from the reference",
            remedy: "Check what the server stores under this hash. Nothing was stored locally.")
    }

    private func wrongPart(_ offset: Int, asked: Int) -> SyncError {
        SyncError(
            .malformed, record: reference.text,
            reason: "the server sent the bytes from \(offset) on, but those from \(asked) on were requested",
            remedy: "Make the server send what `Range` requests, or everything.")
    }

    private func brokenOff(_ count: Int) -> SyncError {
        SyncError(
            .network, record: reference.text,
            reason: "the download ended after \(count) of \(reference.byteCount) bytes",
            remedy: "Try again. The download will be resumed.")
    }
}
