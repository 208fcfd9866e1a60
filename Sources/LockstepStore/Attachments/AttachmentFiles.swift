package import Foundation
import LockstepSystem

/// The files with the bytes of a store's attachments, each named by the hash of what is in it.
///
/// | name | what it is |
/// | --- | --- |
/// | `<hash>` | whole: it was written under another name, flushed to the disk, and renamed |
/// | `incoming/<hash>.part` | a download that goes on where it broke off |
/// | `incoming/<UUID>.new` | a file that a save is writing, or a killed process has left |
/// | `incoming/<hash>.damaged` | a file whose bytes were found to be others |
package final class AttachmentFiles: Sendable {
    package let folder: URL
    /// Whether the folder goes with the store: that is in memory.
    private let isTemporary: Bool
    /// Every content that looks here, so that one hash has one, and what is in use is not removed.
    private let contents = Locked(KnownContents())

    static let newSuffix = ".new"

    init(of location: StoreLocation) {
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

    /// Where the attachments of a store's file are: beside the file itself, where the location is a link to it.
    static func folder(of store: URL) -> URL {
        URL(fileURLWithPath: store.resolvingSymlinksInPath().path + "-attachments", isDirectory: true)
    }

    /// Where files are that are not whole: on the same disk, so that they can be renamed.
    package var incomingFolder: URL { folder.appendingPathComponent("incoming", isDirectory: true) }

    package func url(_ reference: AttachmentReference) -> URL { folder.appendingPathComponent(reference.hash) }

    package func partURL(_ reference: AttachmentReference) -> URL {
        incomingFolder.appendingPathComponent(reference.hash + ".part")
    }

    /// Whether the whole file is here, as far as its length tells.
    package func has(_ reference: AttachmentReference) -> Bool {
        FilePieces.size(url(reference)) == reference.byteCount
    }

    func data(_ reference: AttachmentReference) throws -> Data {
        let url = url(reference)
        guard let size = FilePieces.size(url) else { throw AttachmentError.notDownloaded(reference) }
        let data = try AttachmentError.wrapping(AttachmentError.operation, url) { try Data(contentsOf: url) }
        var hasher = ContentHasher()
        hasher.update(data)
        guard size == reference.byteCount, hasher.finished() == reference else {
            putAside(reference.hash)
            throw AttachmentError.damaged(reference, url)
        }
        return data
    }

    /// What has other bytes than its name says is not seen again, and can be downloaded anew.
    private func putAside(_ hash: String) {
        let url = folder.appendingPathComponent(hash)
        try? PrivateFile.makeFolder(incomingFolder)
        try? FilePieces.rename(url, to: incomingFolder.appendingPathComponent(hash + ".damaged"))
    }

    // MARK: Contents

    /// The attachment with the bytes that are known of it in this store, saved or not.
    func known(_ attachment: Attachment) -> Attachment {
        let content = attachment.content
        let known = contents.withLock { contents -> AttachmentContent in
            if let known = contents[content.reference] { return known }
            contents[content.reference] = content
            return content
        }
        known.locate(in: self)
        return Attachment(known)
    }

    /// Takes notice of an attachment that a model has got, whose bytes others may be asked for by its reference.
    func adopt(_ attachment: Attachment) {
        let content = attachment.content
        let known = contents.withLock { contents -> AttachmentContent? in
            let known = contents[content.reference]
            if known == nil || content.hasOwnBytes { contents[content.reference] = content }
            return known
        }
        // An equal value that came as a reference takes the place of one with bytes: they must not get lost.
        if let known, known !== content { content.take(bytesOf: known) }
        content.locate(in: self)
    }

    /// The hashes that something in this process refers to.
    func hashesInUse() -> Set<String> { contents.withLock { $0.hashes() } }
}

/// The contents that are held somewhere, by reference.
private struct KnownContents: Sendable {
    private var contents: [AttachmentReference: WeakContent] = [:]
    /// As many are looked through for those that nobody holds any more.
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
