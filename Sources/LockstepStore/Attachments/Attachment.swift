public import Foundation

/// Bytes of a record that are kept in a file beside the database and travel by themselves: a photo, a recording.
///
/// A value is a reference, the SHA-256 of the bytes and their number, and knows where the bytes are. Two are equal
/// where their bytes are. Fetching records reads no bytes.
///
/// ```swift
/// photo.imageData = try Attachment(contentsOf: url)
/// try context.save()
/// let bytes = try photo.imageData?.data()
/// ```
///
/// A reference that came from a server may be known before its bytes are here: ``isDownloaded`` says so, and
/// ``data()`` throws. A file is never seen before it is whole.
public struct Attachment: Sendable {
    let content: AttachmentContent

    package init(_ content: AttachmentContent) { self.content = content }

    /// Makes an attachment of bytes. They stay in memory until a context with it is saved.
    public init(_ data: Data) {
        var hasher = ContentHasher()
        hasher.update(data)
        content = AttachmentContent(hasher.finished(), .memory(data))
    }

    /// Makes an attachment of a file's bytes, which are read in pieces; saving copies them.
    ///
    /// The file must stay as it is until then: a save that finds other bytes in it fails, and changes nothing.
    ///
    /// - Throws: `StoreError` with the code `inputOutput` where the file cannot be read.
    public init(contentsOf url: URL) throws {
        var hasher = ContentHasher()
        try AttachmentError.wrapping("reading a file for an attachment", url) {
            try FilePieces.read(url) { hasher.update($0) }
        }
        content = AttachmentContent(hasher.finished(), .file(url))
    }

    /// Makes an attachment that is known by its reference only: see ``reference``. A model that gets it looks for the
    /// bytes in its store.
    ///
    /// - Returns: `nil` where the text is no reference.
    public init?(reference: String) {
        guard let reference = AttachmentReference(reference) else { return nil }
        content = AttachmentContent(reference, .unknown)
    }

    /// The SHA-256 of the bytes: 64 hexadecimal digits, lower case.
    public var contentHash: String { content.reference.hash }

    package var contentReference: AttachmentReference { content.reference }

    /// How many bytes there are.
    public var byteCount: Int { content.reference.byteCount }

    /// What the database and the server's JSON have: `sha256-<hash>-<bytes>`.
    public var reference: String { content.reference.text }

    /// Where the bytes are now.
    public var state: State { content.state }

    /// Whether ``data()`` has bytes to give.
    public var isDownloaded: Bool { state != .missing }

    /// Where the bytes of an attachment are.
    public enum State: Sendable, Hashable {
        /// In memory, or in the file that it was made of: no store has them yet.
        case unsaved
        /// In a file of the store.
        case here
        /// Known by the reference only: they were not downloaded yet.
        case missing
    }

    /// The bytes, all of them; they are held against the hash.
    ///
    /// - Throws: `StoreError`: `notDownloaded` where they are not here yet, `damaged` where the file has other bytes
    ///   (it is put aside then, so that it can be downloaded again), `inputOutput` where it cannot be read.
    public func data() throws -> Data { try content.data() }

    /// The file with the bytes, to be read and not to be changed. It is there as long as a record refers to it.
    ///
    /// It is not held against the hash: that would mean to read it.
    ///
    /// - Throws: `StoreError`: `notDownloaded` where it is not here yet, `notSaved` where the bytes are in memory only.
    public var url: URL {
        get throws { try content.url() }
    }
}

extension Attachment: Hashable {
    public static func == (left: Attachment, right: Attachment) -> Bool {
        left.content === right.content || left.content.reference == right.content.reference
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(content.reference) }
}

extension Attachment: CustomStringConvertible {
    /// The reference, shortened, and where the bytes are.
    public var description: String { "attachment \(contentHash.prefix(8)), \(byteCount) bytes, \(state)" }
}
