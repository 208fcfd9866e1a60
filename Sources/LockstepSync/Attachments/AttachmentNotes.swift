import Foundation
import GRDB
import LockstepStore

/// The records of a store about transfers of its attachments to and from one server.
struct AttachmentNotes: Sendable {
    let store: Store
    let server: String

    /// The hashes of bytes that the server is known to have.
    func uploaded() async throws -> Set<String> {
        try await read { [server] in try AttachmentTable.uploaded(to: server, in: $0) } ?? []
    }

    /// The hashes of bytes that some server is known to have, because they were sent or received.
    static func onAnyServer(_ store: Store) async throws -> Set<String> {
        try await AttachmentNotes(store: store, server: "").read { try AttachmentTable.uploaded(to: nil, in: $0) } ?? []
    }

    /// The hashes of bytes that the server may have deleted, or that a transfer has failed for.
    func notUploaded() async throws -> Set<String> {
        try await read { [server] in try AttachmentTable.notUploaded(to: server, in: $0) } ?? []
    }

    /// Forgets bytes that the server is not known to have.
    func forget(_ hashes: Set<String>) async throws {
        if hashes.isEmpty { return }
        try await write { [server] in try AttachmentTable.forget(hashes, on: server, in: $0) }
    }

    /// The failed transfers that must not be tried before a given time, by hash.
    func delays() async throws -> [String: AttachmentTable.Delay] {
        try await read { [server] in try AttachmentTable.delays(of: server, in: $0) } ?? [:]
    }

    /// Records that the server has the bytes.
    func noteUploaded(_ hash: String, at date: Date) async throws {
        try await write { [server] in try AttachmentTable.recordUpload(hash, to: server, at: date, in: $0) }
        store.attachmentFiles.note(hash, isOnServer: true)
    }

    /// Records that a transfer failed again.
    ///
    /// - Parameter delay: How long to wait then, in seconds, by how often it has failed.
    func noteFailure(
        _ hash: String, error: SyncError, at date: Date, delay: @escaping @Sendable (_ attempts: Int) -> TimeInterval
    ) async throws {
        try await write { [server] database in
            try AttachmentTable.recordFailure(
                hash, of: server, error: error.description, at: date, in: database, delay: delay)
        }
    }

    /// - Returns: `nil` if nothing was recorded yet.
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value? {
        try await Self.wrapping {
            try await store.writer.read { database in
                try AttachmentTable.exists(database) ? try body(database) : nil
            }
        }
    }

    private func write(_ body: @escaping @Sendable (Database) throws -> Void) async throws {
        try await Self.wrapping {
            try await store.writer.write(body)
        }
    }

    /// Runs `body`, and throws SQLite's errors as `StoreError`.
    static func wrapping<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch let error as DatabaseError {
            throw StoreError(error, doing: "recording transfers of attachments")
        }
    }
}
