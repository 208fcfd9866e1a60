package import Foundation
package import LockstepSystem

/// Where the bytes of one reference are. Copies of an attachment share it, so that all of them see when they were
/// saved.
package final class AttachmentContent: Sendable {
    package let reference: AttachmentReference
    private let source: Locked<Source>

    package enum Source: Sendable {
        /// Not known yet.
        case unknown
        case memory(Data)
        /// The app's own file, from which the attachment was created.
        case file(URL)
        /// A file that is not to be opened again by its path, where something else may be by then.
        case opened(OpenFile)
        /// A store's files, which may or may not contain the bytes.
        case store(AttachmentFiles)
    }

    package init(_ reference: AttachmentReference, source: Source) {
        self.reference = reference
        self.source = Locked(source)
    }

    package var currentSource: Source { source.withLock { $0 } }

    /// Whether it has bytes that no store has a copy of.
    package var hasOwnBytes: Bool {
        switch currentSource {
        case .memory, .file, .opened: true
        case .unknown, .store: false
        }
    }

    /// Uses these files from now on, and releases bytes in memory.
    package func settle(in files: AttachmentFiles) { source.withLock { $0 = .store(files) } }

    /// Adopts the bytes of another content that has its own.
    func take(bytesOf other: AttachmentContent) {
        guard other.reference == reference, other.hasOwnBytes, !hasOwnBytes else { return }
        let bytes = other.currentSource
        source.withLock { $0 = bytes }
    }

    /// Uses these files if it is not known yet where the bytes are.
    func locate(in files: AttachmentFiles) {
        source.withLock { if case .unknown = $0 { $0 = .store(files) } }
    }

    var state: FileAttachment.State {
        switch currentSource {
        case .memory, .file, .opened: .unsaved
        case .unknown: .missing
        case .store(let files): files.has(reference) ? .here : .missing
        }
    }

    func data() throws -> Data {
        switch currentSource {
        case .memory(let data): return data
        case .file(let url): return try data(url) { try OpenFile(reading: url) }
        case .opened(let file): return try data(URL(fileURLWithPath: file.path)) { file }
        case .store(let files): return try files.data(reference)
        case .unknown: throw AttachmentError.notDownloaded(reference)
        }
    }

    private func data(_ url: URL, open: () throws -> OpenFile) throws -> Data {
        let data = try AttachmentError.wrapping(AttachmentError.operation, at: url) { try open().data() }
        var hasher = ContentHasher()
        hasher.update(data)
        guard hasher.finished() == reference else { throw AttachmentError.changed(url) }
        return data
    }

    /// All bytes. They are not checked against the hash.
    func mappedData() throws -> Data {
        switch currentSource {
        case .memory(let data): return data
        case .file(let url): return try mapped(url) { try OpenFile(reading: url) }
        case .opened(let file): return try mapped(URL(fileURLWithPath: file.path)) { file }
        case .store(let files): return try mapped(files.url(reference)) { try files.openFile(reference) }
        case .unknown: throw AttachmentError.notDownloaded(reference)
        }
    }

    private func mapped(_ url: URL, open: () throws -> OpenFile) throws -> Data {
        try AttachmentError.wrapping(AttachmentError.operation, at: url) { try open().mappedData() }
    }

    func url() throws -> URL {
        switch currentSource {
        case .memory, .opened: throw AttachmentError.notSaved(reference)
        case .file(let url): return url
        case .store(let files) where files.has(reference): return files.url(reference)
        case .store, .unknown: throw AttachmentError.notDownloaded(reference)
        }
    }

    /// Passes all bytes to `body`, in pieces.
    func read(_ body: (Data) throws -> Void) throws {
        switch currentSource {
        case .memory(let data): try body(data)
        case .file(let url): try FilePieces.read(url, body: body)
        case .opened(let file): try FilePieces.read(file, body: body)
        case .store(let files): try FilePieces.read(files.openFile(reference), body: body)
        case .unknown: throw AttachmentError.notDownloaded(reference)
        }
    }
}

/// The errors of attachments.
package enum AttachmentError {
    package static let operation = "reading an attachment"

    static func notDownloaded(_ reference: AttachmentReference) -> StoreError {
        StoreError(
            .notDownloaded, doing: operation, record: reference.text, reason: "its bytes are not on this device yet",
            remedy: "Check `isDownloaded` first, and download it.")
    }

    static func notSaved(_ reference: AttachmentReference) -> StoreError {
        StoreError(
            .notSaved, doing: operation, record: reference.text,
            reason: "its bytes are in memory and not in a file yet",
            remedy: "Save the context first, or use `data()`.")
    }

    static func changed(_ url: URL) -> StoreError {
        StoreError(
            .inputOutput, doing: operation, record: url.path,
            reason: "the file was changed after the attachment was created from it",
            remedy: "Create the attachment again, and do not change the file until it is saved.")
    }

    static func closed(_ folder: URL) -> StoreError {
        StoreError(
            .closed, doing: "writing an attachment", record: folder.path, reason: "the store is closed",
            remedy: "Open it again.")
    }

    static func noFolder(_ folder: URL, error: any Error) -> StoreError {
        StoreError(
            .inputOutput, doing: "opening the folder of attachments", record: folder.path,
            reason: "it is a link, or cannot be opened as a folder: \(error)",
            remedy: "Move what it refers to here, and delete the link.", underlyingError: error)
    }

    static func damaged(_ reference: AttachmentReference, at url: URL) -> StoreError {
        StoreError(
            .damaged, doing: operation, record: url.path, reason: "the bytes of the file do not match its hash",
            remedy: "Download it again, or restore it from a backup.")
    }

    /// Runs `body`, and throws errors of the file system as `StoreError`.
    package static func wrapping<Value>(_ operation: String, at url: URL, body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as StoreError { throw error } catch let error as CancellationError {
            throw error
        } catch {
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace || (error as? POSIXError)?.code == .ENOSPC
            throw StoreError(
                isFull ? .diskFull : .inputOutput, doing: operation, record: url.path,
                reason: isFull ? "the disk is full" : "the file system reports: \(error)",
                remedy: isFull
                    ? "Free some space, and try again." : "Check the file, its folder and their permissions.",
                underlyingError: error)
        }
    }
}
