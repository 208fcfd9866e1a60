package import Foundation
import LockstepSystem

extension AttachmentFiles {
    /// Makes the folders where they are not there.
    package func makeFolder() throws {
        try AttachmentError.wrapping("making the folder of attachments", folder) {
            try PrivateFile.makeFolder(incomingFolder)
        }
    }

    /// Writes the bytes of an attachment to a file of another name, and flushes that to the disk.
    ///
    /// - Returns: The file; `nil` where the whole one is here.
    /// - Throws: `StoreError`, where the bytes cannot be read or are not those that the hash is of, or the file cannot
    ///   be written. Nothing is left then.
    func stage(_ content: AttachmentContent) throws -> URL? {
        if has(content.reference) { return nil }
        try makeFolder()
        let url = incomingFolder.appendingPathComponent(UUID().uuidString + Self.newSuffix)
        do {
            try AttachmentError.wrapping("writing an attachment", url) { try write(content, url) }
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
        return url
    }

    private func write(_ content: AttachmentContent, _ url: URL) throws {
        try PrivateFile.make(at: url.path)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        var hasher = ContentHasher()
        try content.read { piece in
            hasher.update(piece)
            try file.write(contentsOf: piece)
        }
        guard hasher.finished() == content.reference else {
            if case .file(let source) = content.currentSource { throw AttachmentError.changed(source) }
            throw AttachmentError.damaged(content.reference, url)
        }
        try file.synchronize()
    }

    /// Gives a file that is whole and flushed its name.
    package func place(_ url: URL, _ reference: AttachmentReference) throws {
        let target = self.url(reference)
        try AttachmentError.wrapping("writing an attachment", target) { try FilePieces.rename(url, to: target) }
    }
}
