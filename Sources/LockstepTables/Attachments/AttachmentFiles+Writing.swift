package import Foundation
import LockstepSystem

extension AttachmentFiles {
    /// Creates the folders if needed.
    ///
    /// - Throws: `StoreError`, with the code `.closed` if the store was closed: its folder may have been deleted.
    package func makeFolder() throws {
        try isClosed.withLock { isClosed in
            if isClosed { throw AttachmentError.closed(folder) }
            try AttachmentError.wrapping("creating the folder of attachments", at: folder) {
                // Nothing is created behind a link.
                if try opened().flatMap(openedIncoming) != nil { return }
                try PrivateFile.makeFolder(incomingFolder)
                // What is incomplete is of no use in a backup. A file that gets its name leaves this folder.
                backup.withLock(\.self).exclude(incomingFolder, true)
            }
        }
    }

    /// Opens the file of an interrupted download for writing; it is created if there is none.
    package func openPart(_ reference: AttachmentReference) throws -> FileHandle {
        try makeFolder()
        guard let incoming = try opened().flatMap(openedIncoming) else { throw POSIXError(.ENOENT) }
        return try incoming.file(partURL(reference).lastPathComponent)
    }

    /// Writes the bytes of an attachment to a temporary file, and flushes it to the disk.
    ///
    /// - Returns: The file; `nil` if the complete file exists already.
    /// - Throws: `StoreError` if the bytes cannot be read or do not match the hash, or if the file cannot be written.
    ///   Nothing is left behind then.
    package func stage(_ content: AttachmentContent) throws -> URL? {
        if has(content.reference) { return nil }
        try makeFolder()
        let url = incomingFolder.appendingPathComponent(UUID().uuidString + Self.newSuffix)
        do {
            try AttachmentError.wrapping("writing an attachment", at: url) { try write(content, at: url) }
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
        return url
    }

    /// Writes the bytes of an attachment that no store has to a temporary file, as `stage(_:)` for its content does.
    package func stage(_ attachment: FileAttachment) throws -> URL? { try stage(attachment.content) }

    private func write(_ content: AttachmentContent, at url: URL) throws {
        try PrivateFile.make(at: url.path)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        var hasher = ContentHasher()
        try content.read { piece in
            hasher.update(piece)
            try file.write(contentsOf: piece)
        }
        guard hasher.finished() == content.reference else {
            switch content.currentSource {
            case .file(let source): throw AttachmentError.changed(source)
            case .opened(let source): throw AttachmentError.changed(URL(fileURLWithPath: source.path))
            case .memory, .store, .unknown: throw AttachmentError.damaged(content.reference, at: url)
            }
        }
        // The folder is flushed when the file has its name.
        try DiskFlush.ordered(file)
    }

    /// Gives a file that is complete and flushed its final name.
    package func place(_ url: URL, reference: AttachmentReference) throws {
        let target = self.url(reference)
        try AttachmentError.wrapping("writing an attachment", at: target) { try FilePieces.rename(url, to: target) }
    }
}
