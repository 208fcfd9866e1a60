public import Foundation
package import LockstepSystem

/// Bytes of a record that are stored in a file next to the database and synchronized separately: a photo, a recording.
///
/// A value is a reference, which consists of the SHA-256 of the bytes and their number, and knows where the bytes are.
/// Two attachments are equal if their bytes are. Fetching records reads no bytes.
///
/// ```swift
/// photo.imageData = try FileAttachment(contentsOf: url)
/// try context.save()
/// let bytes = try photo.imageData?.data()
/// ```
///
/// A reference that came from a server may be known before its bytes were downloaded: ``isDownloaded`` is `false` then,
/// and ``data()`` throws. An incomplete file is never visible.
public struct FileAttachment: Sendable {
    package let content: AttachmentContent

    package init(_ content: AttachmentContent) { self.content = content }

    /// Creates an attachment from bytes. They stay in memory until a context that contains it is saved.
    public init(_ data: Data) {
        var hasher = ContentHasher()
        hasher.update(data)
        content = AttachmentContent(hasher.finished(), source: .memory(data))
    }

    /// Creates an attachment from a file's bytes, which are read in pieces. Saving copies them.
    ///
    /// The file must not change until then: a save that finds other bytes in it fails without saving anything.
    ///
    /// - Throws: `StoreError` with the code `inputOutput` if the file cannot be read.
    public init(contentsOf url: URL) throws {
        var hasher = ContentHasher()
        try AttachmentError.wrapping("reading a file for an attachment", at: url) {
            try FilePieces.read(url) { hasher.update($0) }
        }
        content = AttachmentContent(hasher.finished(), source: .file(url))
    }

    /// Creates an attachment from the bytes of an open file, which stays open until a store has a copy.
    package init(contentsOf file: OpenFile) throws {
        var hasher = ContentHasher()
        try AttachmentError.wrapping("reading a file for an attachment", at: URL(fileURLWithPath: file.path)) {
            try FilePieces.read(file) { hasher.update($0) }
        }
        content = AttachmentContent(hasher.finished(), source: .opened(file))
    }

    /// Creates an attachment from a ``reference`` only. A model that it is assigned to looks for the bytes in its
    /// store.
    ///
    /// - Returns: `nil` if the text is not a reference.
    public init?(reference: String) {
        guard let reference = AttachmentReference(reference) else { return nil }
        content = AttachmentContent(reference, source: .unknown)
    }

    /// The SHA-256 of the bytes: 64 lowercase hexadecimal digits.
    public var contentHash: String { content.reference.hash }

    package var contentReference: AttachmentReference { content.reference }

    /// The number of bytes.
    public var byteCount: Int { content.reference.byteCount }

    /// The text that is stored in the database and in the server's JSON: `sha256-<hash>-<bytes>`.
    public var reference: String { content.reference.text }

    /// Where the bytes currently are.
    public var state: State { content.state }

    /// Whether ``data()`` can return bytes.
    public var isDownloaded: Bool { state != .missing }

    /// Where the bytes of an attachment are.
    public enum State: Sendable, Hashable {
        /// In memory, or in the file that it was created from. No store has a copy yet.
        case unsaved
        /// In a file of the store.
        case here
        /// Known by the reference only. The bytes were not downloaded yet.
        case missing
    }

    /// Returns all bytes, after checking them against the hash.
    ///
    /// - Throws: `StoreError`: `notDownloaded` if the bytes are not on this device yet, `damaged` if the file has other
    ///   bytes (it is moved aside then, so that it can be downloaded again), `inputOutput` if it cannot be read.
    public func data() throws -> Data { try content.data() }

    /// Returns all bytes for a file server. They are not checked against the hash.
    ///
    /// A file of more than 4 MiB is mapped: the system reads it into memory as needed, and can discard it again. Do not
    /// shorten the file in the meantime: that would end the process.
    ///
    /// - Throws: As ``data()``, without `damaged`.
    public func mappedData() throws -> Data { try content.mappedData() }

    /// The file with the bytes. It is read-only, and exists as long as a record refers to it.
    ///
    /// The file is not checked against the hash, since that would require reading it.
    ///
    /// - Throws: `StoreError`: `notDownloaded` if the file is not on this device yet, `notSaved` if the bytes are in
    ///   memory only.
    public var url: URL {
        get throws { try content.url() }
    }
}

extension FileAttachment: Hashable {
    @_spi(Requirements) public static func == (left: FileAttachment, right: FileAttachment) -> Bool {
        left.content === right.content || left.content.reference == right.content.reference
    }

    @_spi(Requirements) public func hash(into hasher: inout Hasher) { hasher.combine(content.reference) }
}

extension FileAttachment: CustomStringConvertible {
    /// The shortened reference, and where the bytes are.
    @_spi(Requirements) public var description: String {
        "attachment \(contentHash.prefix(8)), \(byteCount) bytes, \(state)"
    }
}

/// The former name. A deprecated alias would be ambiguous in a file that imports Swift Testing: only a name that is
/// unavailable gives way to another module's.
@available(*, unavailable, renamed: "FileAttachment")
public typealias Attachment = FileAttachment
