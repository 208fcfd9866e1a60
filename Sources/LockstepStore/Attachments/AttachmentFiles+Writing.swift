package import Foundation

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
    /// - Throws: `StoreError`, where the bytes cannot be read or are not those that the hash is of, or the file cannot be
    ///   written. Nothing is left then.
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

/// The attachments of one save: written before the transaction begins, named before it commits. So no row that was
/// committed refers to a file that is not whole, and what a crash leaves is at most a file that no row refers to.
final class UnsavedAttachments {
    private let files: AttachmentFiles
    private var staged: [(content: AttachmentContent, url: URL?)] = []

    /// Writes the files.
    init(of context: Context) throws {
        files = context.base.files
        do {
            for content in context.unsavedAttachments() {
                // Known in this store, or in none: that it is not here yet is no reason not to refer to it.
                let isElsewhere = content.isIn(otherThan: files)
                guard content.hasOwnBytes || isElsewhere else { continue }
                staged.append((content, try files.stage(content)))
            }
        } catch {
            removeStaged()
            throw error
        }
    }

    /// Gives the files their names. Within the transaction, since unused files are removed in one too.
    func place() throws {
        guard !staged.isEmpty else { return }
        for index in staged.indices {
            let content = staged[index].content
            if files.has(content.reference) { continue }
            // It was here a moment ago: somebody has removed it as unused.
            guard let url = try staged[index].url ?? files.stage(content) else { continue }
            try files.place(url, content.reference)
            staged[index].url = nil
        }
        FilePieces.synchronize(folder: files.folder)
    }

    /// The save was committed: the bytes are read from the files from now on.
    func letGo() {
        for (content, _) in staged where content.hasOwnBytes { content.settle(in: files) }
    }

    /// Removes what was written and got no name.
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

extension Context {
    /// The attachments of new records, and those of changed ones that were changed.
    fileprivate func unsavedAttachments() -> [AttachmentContent] {
        var contents: [String: AttachmentContent] = [:]
        for object in inserted + changed where !object.plan.attachmentColumns.isEmpty {
            let isNew = object.recordState == .inserted
            guard isNew || object.recordState == .changed else { continue }
            for column in object.plan.attachmentColumns where isNew || object.changedColumns.contains(column) {
                guard let content = object.attachment(column)?.content else { continue }
                if contents[content.reference.hash]?.hasOwnBytes != true { contents[content.reference.hash] = content }
            }
        }
        return Array(contents.values)
    }

    /// Lets a new object's attachments be found by their references.
    func adoptAttachments(of object: ManagedObject, _ plan: EntityPlan) {
        for column in plan.attachmentColumns {
            if let attachment = object.attachment(column) { base.files.adopt(attachment) }
        }
    }

    /// An object gets another attachment: the old one's bytes are kept for as long as that can be undone.
    func willReplace(_ old: Attachment?, by new: Attachment?) {
        if let new { base.files.adopt(new) }
        if let old, old.content.hasOwnBytes { replacedAttachments.append(old) }
    }
}
