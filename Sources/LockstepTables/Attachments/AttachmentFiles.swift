package import Foundation
package import LockstepSystem

/// The files with the bytes of a store's attachments. The name of each is the hash of its contents.
///
/// | name | what it is |
/// | --- | --- |
/// | `<hash>` | complete: it was written under another name, flushed to the disk, and renamed |
/// | `incoming/<hash>.part` | an interrupted download, which can be resumed |
/// | `incoming/<UUID>.new` | a file that a save is writing, or that a killed process left behind |
/// | `incoming/<hash>.damaged` | a file whose bytes did not match its hash |
package final class AttachmentFiles: Sendable {
    package let folder: URL
    /// Whether the folder is deleted with the store, because the store is in memory.
    private let isTemporary: Bool
    /// Every content that uses these files, so that there is one for each hash, and files in use are not removed.
    private let contents = Locked(KnownContents())
    /// Whether the store was closed, so that its files may be deleted.
    let isClosed = Locked(false)

    /// Which files a backup of the device leaves out.
    package let backup = Locked(AttachmentBackup())

    static let newSuffix = ".new"

    package init(of location: StoreLocation) {
        switch location {
        case .file(let url):
            folder = Self.folder(of: url)
            isTemporary = false
        case .inMemory:
            folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("lockstep-attachments-\(UUID().uuidString)", isDirectory: true)
            isTemporary = true
        }
    }

    deinit {
        if isTemporary { try? FileManager.default.removeItem(at: folder) }
    }

    /// The folder with the attachments of a store's file. If the location is a link, it is next to the file that it
    /// points at.
    package static func folder(of store: URL) -> URL {
        URL(fileURLWithPath: store.resolvingSymlinksInPath().path + "-attachments", isDirectory: true)
    }

    /// The folder; `nil` if there is none.
    ///
    /// - Throws: `StoreError` if it is a link: what is behind it is not ours to delete, and what is written there is
    ///   not deleted with the store (Rules.md, F2).
    package func opened() throws -> OwnFolder? {
        do { return try OwnFolder(at: folder.path) } catch { throw AttachmentError.noFolder(folder, error: error) }
    }

    /// The folder of incomplete files in it; `nil` if there is none.
    package func openedIncoming(_ folder: OwnFolder) throws -> OwnFolder? {
        do { return try folder.folder(incomingFolder.lastPathComponent) } catch {
            throw AttachmentError.noFolder(incomingFolder, error: error)
        }
    }

    /// The folder of incomplete files, on the same disk, so that they can be renamed.
    package var incomingFolder: URL { folder.appendingPathComponent("incoming", isDirectory: true) }

    package func url(_ reference: AttachmentReference) -> URL { folder.appendingPathComponent(reference.hash) }

    package func partURL(_ reference: AttachmentReference) -> URL {
        incomingFolder.appendingPathComponent(reference.hash + ".part")
    }

    /// Whether the complete file exists, judged by its length.
    package func has(_ reference: AttachmentReference) -> Bool {
        (try? opened())?.byteCount(of: reference.hash) == reference.byteCount
    }

    /// Those of the hashes that have a complete file. They may come from a file, so only a hash is part of a path.
    package func present(_ hashes: Set<String>) -> Set<String> {
        guard !hashes.isEmpty, let folder = try? opened() else { return [] }
        return hashes.filter { AttachmentReference.hash($0) != nil && folder.byteCount(of: $0) != nil }
    }

    func data(_ reference: AttachmentReference) throws -> Data {
        let url = url(reference)
        let data = try AttachmentError.wrapping(AttachmentError.operation, at: url) { try openFile(reference).data() }
        var hasher = ContentHasher()
        hasher.update(data)
        guard hasher.finished() == reference else {
            putAside(reference.hash)
            throw AttachmentError.damaged(reference, at: url)
        }
        return data
    }

    /// Opens a complete file. It is read by this, and not by its path: a link may take its place at any time.
    ///
    /// - Throws: `StoreError` with the code `notDownloaded` if there is none.
    func openFile(_ reference: AttachmentReference) throws -> OpenFile {
        guard let file = try opened()?.openFile(reference.hash, in: folder.path) else {
            throw AttachmentError.notDownloaded(reference)
        }
        return file
    }

    /// Opens the file of an interrupted download to be read; `nil` if there is none.
    package func openPartToRead(_ reference: AttachmentReference) throws -> OpenFile? {
        let incoming = try opened().flatMap(openedIncoming)
        return try incoming?.openFile(partURL(reference).lastPathComponent, in: incomingFolder.path)
    }

    /// Moves a file whose bytes do not match its name aside, so that it can be downloaded again.
    private func putAside(_ hash: String) {
        let url = folder.appendingPathComponent(hash)
        guard (try? makeFolder()) != nil else { return }
        try? FilePieces.rename(url, to: incomingFolder.appendingPathComponent(hash + ".damaged"))
    }

    /// No file is created any more.
    package func close() { isClosed.withLock { $0 = true } }

    // MARK: Contents

    /// Returns the attachment with the bytes that this store knows for it, saved or not.
    package func known(_ attachment: FileAttachment) -> FileAttachment {
        let content = attachment.content
        let known = contents.withLock { contents -> AttachmentContent in
            if let known = contents[content.reference] { return known }
            contents[content.reference] = content
            return content
        }
        known.locate(in: self)
        return FileAttachment(known)
    }

    /// Registers an attachment that was assigned to a model, so that its bytes are found by its reference.
    package func adopt(_ attachment: FileAttachment) {
        let content = attachment.content
        let known = contents.withLock { contents -> AttachmentContent? in
            let known = contents[content.reference]
            if known == nil || content.hasOwnBytes { contents[content.reference] = content }
            return known
        }
        // An equal value that came as a reference replaces one with bytes. The bytes must not get lost.
        if let known, known !== content { content.take(bytesOf: known) }
        content.locate(in: self)
    }

    /// The hashes that something in this process refers to.
    package func hashesInUse() -> Set<String> { contents.withLock { $0.hashes() } }
}

/// The contents in use, by reference.
private struct KnownContents: Sendable {
    private var contents: [AttachmentReference: WeakContent] = [:]
    /// The number of contents from which released ones are removed.
    private var limit = 1024

    private struct WeakContent: Sendable {
        weak var content: AttachmentContent?
    }

    subscript(reference: AttachmentReference) -> AttachmentContent? {
        get { contents[reference]?.content }
        set {
            contents[reference] = newValue.map(WeakContent.init)
            guard contents.count >= limit else { return }
            removeUnused()
            limit = max(1024, contents.count * 2)
        }
    }

    mutating func hashes() -> Set<String> {
        removeUnused()
        return Set(contents.keys.map(\.hash))
    }

    private mutating func removeUnused() { contents = contents.filter { $0.value.content != nil } }
}
