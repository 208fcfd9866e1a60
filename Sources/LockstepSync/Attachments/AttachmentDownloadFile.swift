import Foundation
import LockstepStore
import LockstepSystem

/// The file of a download, which grows under another name until it is whole and its hash is right.
struct AttachmentDownloadFile: Sendable {
    private let reference: AttachmentReference
    private let files: AttachmentFiles
    private var url: URL { files.partURL(reference) }

    private static let operation = "downloading an attachment"

    init(_ reference: AttachmentReference, in files: AttachmentFiles) {
        self.reference = reference
        self.files = files
    }

    /// Brings the bytes that are not here yet, and makes the file seen.
    func complete(_ attachment: Attachment, from remote: any AttachmentRemote) async throws {
        if files.has(reference) { return }
        try files.makeFolder()
        var hasher = try hashed()
        let wasBegun = hasher.byteCount > 0
        if hasher.byteCount < reference.byteCount { try await receive(attachment, remote, &hasher) }
        if hasher.finished() == reference { return try place() }
        try remove()
        // Power may have been lost before all of an earlier download was on the disk: once more, from the start.
        guard wasBegun else { throw wrongBytes(hasher.byteCount) }
        hasher = ContentHasher()
        try await receive(attachment, remote, &hasher)
        guard hasher.finished() == reference else {
            try remove()
            throw wrongBytes(hasher.byteCount)
        }
        try place()
    }

    /// What an earlier download has left; nothing where that is too much.
    private func hashed() throws -> ContentHasher {
        var hasher = ContentHasher()
        guard let size = FilePieces.size(url) else { return hasher }
        guard size <= reference.byteCount else {
            try remove()
            return hasher
        }
        try AttachmentError.wrapping(Self.operation, url) { try FilePieces.read(url) { hasher.update($0) } }
        return hasher
    }

    /// Appends what comes, piece by piece. Where it breaks off, what came stays for the next time.
    private func receive(_ attachment: Attachment, _ remote: any AttachmentRemote, _ hasher: inout ContentHasher)
        async throws
    {
        let answer = try await remote.download(attachment, from: hasher.byteCount)
        if answer.offset != hasher.byteCount {
            // From the start, or from a place that nobody asked for.
            try remove()
            guard answer.offset == 0 else { throw wrongPart(answer.offset, hasher.byteCount) }
            hasher = ContentHasher()
        }
        let file = try opened(at: hasher.byteCount)
        defer { try? file.close() }
        for try await piece in answer.body {
            hasher.update(piece)
            guard hasher.byteCount <= reference.byteCount else {
                try remove()
                throw wrongBytes(hasher.byteCount)
            }
            try AttachmentError.wrapping(Self.operation, url) { try file.write(contentsOf: piece) }
        }
        // A task that is cancelled may see the end of a stream that has not ended.
        try Task.checkCancellation()
        guard hasher.byteCount == reference.byteCount else { throw brokenOff(hasher.byteCount) }
        try AttachmentError.wrapping(Self.operation, url) { try file.synchronize() }
    }

    private func opened(at offset: Int) throws -> FileHandle {
        try AttachmentError.wrapping(Self.operation, url) {
            if FilePieces.size(url) == nil { try PrivateFile.make(at: url.path) }
            let file = try FileHandle(forWritingTo: url)
            try file.truncate(atOffset: UInt64(offset))
            try file.seek(toOffset: UInt64(offset))
            return file
        }
    }

    private func place() throws {
        if FilePieces.size(url) == nil { try opened(at: 0).close() }
        try files.place(url, reference)
        FilePieces.synchronize(folder: files.folder)
    }

    private func remove() throws {
        guard FilePieces.size(url) != nil else { return }
        try AttachmentError.wrapping(Self.operation, url) { try FileManager.default.removeItem(at: url) }
    }

    // MARK: Errors

    private func wrongBytes(_ count: Int) -> SyncError {
        SyncError(
            .malformed, record: reference.text,
            reason: count == reference.byteCount
                ? "the server's bytes have another hash" : "the server's bytes are not as many as the reference says",
            remedy: "See what the server keeps under this hash; nothing of it was kept here.")
    }

    private func wrongPart(_ offset: Int, _ asked: Int) -> SyncError {
        SyncError(
            .malformed, record: reference.text,
            reason: "the server sent the bytes from \(offset) on, though those from \(asked) on were asked for",
            remedy: "Let it answer what `Range` asks for, or send everything.")
    }

    private func brokenOff(_ count: Int) -> SyncError {
        SyncError(
            .network, record: reference.text, reason: "it broke off after \(count) of \(reference.byteCount) bytes",
            remedy: "Try again: it goes on from there.")
    }
}
