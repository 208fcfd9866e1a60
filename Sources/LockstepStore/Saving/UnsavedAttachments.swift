import Foundation

/// The attachments of one save. They are written before the transaction begins, and renamed before it commits, so no
/// committed row refers to an incomplete file. A crash leaves at most a file that no row refers to.
final class UnsavedAttachments {
    private let files: AttachmentFiles
    private var staged: [(content: AttachmentContent, url: URL?)] = []
    /// Those with the same bytes as a staged one.
    private var equal: [AttachmentContent] = []

    /// Writes the files.
    init(of context: ManagedObjectContext) throws {
        files = context.base.files
        do {
            for contents in context.unsavedAttachments() {
                let content =
                    contents.first(where: \.hasOwnBytes) ?? contents.first { $0.isIn(otherThan: files) } ?? contents[0]
                // It is in this store, or in none: a missing file does not prevent referring to it.
                let isElsewhere = content.isIn(otherThan: files)
                guard content.hasOwnBytes || isElsewhere else { continue }
                staged.append((content, try files.stage(content)))
                equal += contents
            }
        } catch {
            removeStaged()
            throw error
        }
    }

    /// Renames the files. It runs in the transaction, because removing unused files does too.
    func place() throws {
        guard !staged.isEmpty else { return }
        for index in staged.indices {
            let content = staged[index].content
            if files.has(content.reference) {
                // A server may have deleted it since nothing referred to it.
                files.note(content.reference.hash, isOnServer: false)
                continue
            }
            // The file existed before, and was removed as unused in the meantime.
            guard let url = try staged[index].url ?? files.stage(content) else { continue }
            try files.place(url, reference: content.reference)
            staged[index].url = nil
        }
        FilePieces.synchronize(folder: files.folder)
    }

    /// The save was committed: the bytes are read from the files from now on.
    func release() {
        for content in equal where content.hasOwnBytes { content.settle(in: files) }
    }

    /// Removes the files that were written but not renamed.
    func removeStaged() {
        for case (_, let url?) in staged { try? FileManager.default.removeItem(at: url) }
    }
}

extension AttachmentContent {
    /// Whether another store has the bytes, which must be copied.
    fileprivate func isIn(otherThan files: AttachmentFiles) -> Bool {
        guard case .store(let others) = currentSource, others.folder != files.folder else { return false }
        return others.has(reference)
    }
}

extension ManagedObjectContext {
    /// The attachments of new records, and the changed ones of changed records; those with the same bytes together.
    fileprivate func unsavedAttachments() -> [[AttachmentContent]] {
        var contents: [String: [AttachmentContent]] = [:]
        for object in unsaved.inserted + unsaved.changed where !object.plan.attachmentColumns.isEmpty {
            let isNew = object.state == .inserted
            guard isNew || object.state == .changed else { continue }
            for column in object.plan.attachmentColumns where isNew || object.hasChanged(column) {
                guard let content = object.attachment(column)?.content else { continue }
                contents[content.reference.hash, default: []].append(content)
            }
        }
        return Array(contents.values)
    }
}
