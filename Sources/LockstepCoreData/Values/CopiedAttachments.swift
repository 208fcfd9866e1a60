import Foundation
import LockstepStore

/// The files of attachments that a copy has written. They get their names before the transaction commits, so that no
/// record refers to an incomplete file.
final class CopiedAttachments {
    private let files: AttachmentFiles
    private var staged: [(url: URL, reference: AttachmentReference)] = []

    init(_ files: AttachmentFiles) { self.files = files }

    /// Writes the bytes of an attachment.
    ///
    /// - Throws: `StoreError` if they cannot be written.
    func add(_ attachment: FileAttachment) throws {
        guard let url = try files.stage(attachment) else { return }
        staged.append((url, attachment.contentReference))
    }

    /// Gives the files their names.
    func place() throws {
        while let (url, reference) = staged.last {
            if !files.has(reference) {
                try files.place(url, reference: reference)
            } else {
                try? FileManager.default.removeItem(at: url)
            }
            staged.removeLast()
        }
        FilePieces.synchronize(folder: files.folder)
    }

    /// Removes the files that have no name yet.
    func removeStaged() {
        for (url, _) in staged { try? FileManager.default.removeItem(at: url) }
        staged = []
    }
}
