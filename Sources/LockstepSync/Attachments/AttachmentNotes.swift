import Foundation
import GRDB
import LockstepStore

/// What a store notes of the travels of its attachments to and from one server.
struct AttachmentNotes: Sendable {
    let store: Store
    let server: String

    /// The hashes of bytes that the server is known to have.
    func uploaded() async throws -> Set<String> {
        try await read { [server] in try AttachmentTable.uploaded(to: server, $0) } ?? []
    }

    /// The hashes of bytes that some server is known to have: they were sent there, or came from there.
    static func onAnyServer(_ store: Store) async throws -> Set<String> {
        try await AttachmentNotes(store: store, server: "").read { try AttachmentTable.uploaded(to: nil, $0) } ?? []
    }

    /// What failed and is not to be tried before a time, by hash.
    func delays() async throws -> [String: AttachmentTable.Delay] {
        try await read { [server] in try AttachmentTable.delays(of: server, $0) } ?? [:]
    }

    /// Records that the server has the bytes.
    func noteUploaded(_ hash: String, at date: Date) async throws {
        try await write { [server] in try AttachmentTable.recordUpload(hash, to: server, at: date, $0) }
    }

    /// Records that it failed once more.
    ///
    /// - Parameter delay: How long to wait then, in seconds, by how often it has failed.
    func noteFailure(
        _ hash: String, _ error: SyncError, at date: Date, delay: @escaping @Sendable (_ attempts: Int) -> TimeInterval
    ) async throws {
        try await write { [server] database in
            try AttachmentTable.recordFailure(
                hash, of: server, error.description, at: date, database, delay: delay)
        }
    }

    /// - Returns: `nil` where nothing was noted yet.
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

    /// Runs `body`; an error of SQLite becomes a store's.
    static func wrapping<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch let error as DatabaseError {
            throw StoreError(error, doing: "noting what travels of attachments")
        }
    }
}
