import Foundation
import GRDB
import LockstepStore

/// The time until which nothing is sent, because the server cannot be reached or has asked the client to wait. It is
/// stored, and so survives a relaunch (Rules.md, P7).
struct SyncPause: Sendable {
    let until: Date
    /// The number of consecutive failed attempts.
    let attempts: Int
    /// Whether the server has set the time, which applies even if the app calls `push`.
    let isServers: Bool
    let error: SyncError

    private static let keys = (until: "sync_paused_until", attempts: "sync_pause_attempts", by: "sync_paused_by")

    static func read(_ database: Database) throws -> SyncPause? {
        func value(_ key: String) throws -> String? {
            try MetadataTable.value(key, database)
        }
        guard let until = try value(keys.until).flatMap(Double.init) else { return nil }
        let isServers = try value(keys.by) == "server"
        return SyncPause(
            until: Date(timeIntervalSince1970: until), attempts: try value(keys.attempts).flatMap { Int($0) } ?? 0,
            isServers: isServers,
            error: SyncError(
                .unavailable(status: isServers ? 429 : 503),
                reason: isServers ? "the server has asked the client to wait" : "the server could not be reached",
                remedy: "It is retried automatically."))
    }

    func write(_ database: Database) throws {
        let values = [
            (Self.keys.until, String(until.timeIntervalSince1970)), (Self.keys.attempts, String(attempts)),
            (Self.keys.by, isServers ? "server" : "network"),
        ]
        for (key, value) in values { try MetadataTable.set(key, to: value, database) }
    }

    /// The server responds again.
    static func clear(_ database: Database) throws {
        try MetadataTable.delete([keys.until, keys.attempts, keys.by], database)
    }
}
