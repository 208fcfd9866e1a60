import Foundation
import GRDB
public import LockstepStore
import LockstepSystem

/// Uploads and downloads the bytes of a store's attachments.
///
/// Each step can be interrupted at any point, by an error, a cancellation or the end of the process, and repeated:
/// uploads are idempotent, downloads are resumed. The store records what the server is known to have. A file is visible
/// only when it is complete and its hash is verified.
///
/// ```swift
/// let transfer = AttachmentTransfer(store: store, remote: HTTPAttachments(files, client: client))
/// try await transfer.uploadPending()
/// let report = try await transfer.downloadMissing(limit: 20)
/// ```
public struct AttachmentTransfer: Sendable {
    let store: Store
    let remote: AttachmentBoundary
    let clock: any SyncClock
    let schedule: RetrySchedule
    let random: @Sendable () -> Double
    let notes: AttachmentNotes
    let locks: AttachmentLocks

    /// - Parameters:
    ///   - store: The store whose attachments are transferred.
    ///   - remote: The server.
    ///   - clock: The clock.
    ///   - schedule: When a failed download is retried.
    ///   - random: Returns numbers from 0 up to 1, for the schedule.
    public init(
        store: Store, remote: any AttachmentRemote, clock: any SyncClock = SystemClock(),
        schedule: RetrySchedule = RetrySchedule(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.init(
            store: store, remote: AttachmentBoundary(remote), clock: clock, schedule: schedule, random: random)
    }

    init(
        store: Store, remote: AttachmentBoundary, clock: any SyncClock, schedule: RetrySchedule,
        random: @escaping @Sendable () -> Double
    ) {
        self.store = store
        self.remote = remote
        self.clock = clock
        self.schedule = schedule
        self.random = random
        notes = AttachmentNotes(store: store, server: remote.name)
        locks = AttachmentLocks.of(store)
    }

    /// The attachments of records that are on this device and that the server is not known to have.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public func pendingUploads() async throws -> [FileAttachment] {
        let uploaded = try await notes.uploaded()
        return try await attachments { !uploaded.contains($0.hash) && store.attachmentFiles.has($0) }
    }

    /// The attachments that records refer to and that are not on this device.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public func missingAttachments() async throws -> [FileAttachment] {
        try await attachments { !store.attachmentFiles.has($0) }
    }

    /// Returns the attachments of records whose bytes the server may have deleted, or that could not be uploaded
    /// (Rules.md, P14). The records are read only if there are bytes that can be uploaded now. Usually there are none.
    func lostUploads() async throws -> [FileAttachment] {
        let known = try await notes.notUploaded()
        if known.isEmpty { return [] }
        let hashes = store.attachmentFiles.present(known.subtracting(try await waiting()))
        if hashes.isEmpty { return [] }
        for hash in hashes { store.attachmentFiles.note(hash, isOnServer: false) }
        let references = try await attachments { hashes.contains($0.hash) }
        // What nothing refers to is no longer looked for.
        try await notes.forget(hashes.subtracting(references.map(\.contentHash)))
        return references.filter { $0.state == .here }
    }

    /// Transfers attachments, one after the other, except for those that wait for their next attempt.
    ///
    /// A failed transfer is left for later, and the others continue, also if a file cannot be read or written. If the
    /// server cannot be reached at all, rejects the credentials, or asks to wait, the round ends, and its error is the
    /// last failure.
    ///
    /// - Parameter limit: The maximum number of attachments.
    func transfer(
        _ attachments: [FileAttachment], limit: Int = .max, by transfer: (FileAttachment) async throws -> Void
    ) async throws -> (done: [FileAttachment], failures: [AttachmentDownloads.Failure]) {
        var (done, failures): ([FileAttachment], [AttachmentDownloads.Failure]) = ([], [])
        if attachments.isEmpty { return (done, failures) }
        let waiting = try await waiting()
        for attachment in attachments where !waiting.contains(attachment.contentHash) {
            guard done.count < limit else { break }
            do {
                try await transfer(attachment)
                done.append(attachment)
            } catch {
                guard let failure = SyncError(of: attachment, error: error) else { throw error }
                failures.append(AttachmentDownloads.Failure(attachment: attachment, error: failure))
                if failure.endsRound { break }
            }
        }
        return (done, failures)
    }

    /// The hashes of the bytes that wait for their next attempt.
    private func waiting() async throws -> Set<String> {
        let now = clock.now
        let delays = try await notes.delays().filter { _, delay in
            delay.wait?.end(at: now, longest: schedule.longestSeconds) != nil
        }
        return Set(delays.keys)
    }

    /// The distinct attachments of records that are sent, filtered.
    private func attachments(where isWanted: (AttachmentReference) -> Bool) async throws -> [FileAttachment] {
        let references = try await AttachmentNotes.wrapping {
            try await store.writer.read { [schema = store.schema] database in
                try AttachmentColumns(travellingOf: schema).references(database)
            }
        }
        return references.filter(isWanted).map(store.attachment)
    }

    /// Runs the transfer of an attachment, and records if it fails.
    func notingFailure(of attachment: FileAttachment, _ body: () async throws -> Void) async throws {
        do { try await body() } catch {
            guard let failure = SyncError(of: attachment, error: error) else { throw error }
            try await notes.noteFailure(attachment.contentHash, error: failure, at: clock.now) {
                [schedule, random] attempts in
                schedule.delaySeconds(after: attempts, random: random())
            }
            throw error
        }
    }
}

extension SyncError {
    /// The failure to transfer one attachment: of the server, or of its file, which cannot be read or written.
    ///
    /// - Returns: `nil` if the error concerns more than this attachment: the store, a full disk, a cancellation.
    init?(of attachment: FileAttachment, error: any Error) {
        if let error = error as? SyncError {
            self = error
            return
        }
        guard let error = error as? StoreError, [.damaged, .inputOutput, .notDownloaded].contains(error.code) else {
            return nil
        }
        self.init(
            .store, record: attachment.reference, reason: "the file of an attachment cannot be used: \(error.reason)",
            remedy: error.remedy, underlyingError: error)
    }

    /// Whether it is about the bytes of an attachment.
    var isAboutAttachment: Bool { record.flatMap(AttachmentReference.init) != nil }

    /// Whether other transfers would fail in the same way.
    fileprivate var endsRound: Bool {
        switch code {
        case .network, .timeout, .unauthorized, .updateNeeded, .insecureAddress: true
        case .unavailable(let status): status == 429 || status == 503
        default: false
        }
    }
}

/// Lets one task at a time transfer the bytes of one hash.
final class AttachmentLocks: Sendable {
    private let locks = Locked<[String: (lock: AsyncLock, users: Int)]>([:])

    /// The locks of a store, which its transfers share.
    static func of(_ store: Store) -> AttachmentLocks { store.storeExtension { AttachmentLocks() } }

    func locked<Value: Sendable>(_ hash: String, body: @Sendable () async throws -> Value) async throws -> Value {
        let lock = locks.withLock { locks in
            let entry = locks[hash] ?? (AsyncLock(), 0)
            locks[hash] = (entry.lock, entry.users + 1)
            return entry.lock
        }
        defer {
            locks.withLock { locks in
                guard let entry = locks[hash] else { return }
                locks[hash] = entry.users > 1 ? (entry.lock, entry.users - 1) : nil
            }
        }
        return try await lock.with { try await body() }
    }
}
