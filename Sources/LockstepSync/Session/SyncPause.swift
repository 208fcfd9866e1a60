import Foundation
import GRDB
import LockstepStore

/// Until when nothing is sent, because the server cannot be reached or has said so; kept over a relaunch (Rules.md,
/// P7).
struct SyncPause: Sendable {
    let until: Date
    /// How often in a row nothing could be sent.
    let attempts: Int
    /// Whether the server itself has said until when: that is waited for also where the app asks to push.
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
                reason: isServers ? "the server has asked to wait" : "the server could not be reached",
                remedy: "It is tried again by itself."))
    }

    func write(_ database: Database) throws {
        let values = [
            (Self.keys.until, String(until.timeIntervalSince1970)), (Self.keys.attempts, String(attempts)),
            (Self.keys.by, isServers ? "server" : "network"),
        ]
        for (key, value) in values { try MetadataTable.set(key, to: value, database) }
    }

    /// The server answers again.
    static func clear(_ database: Database) throws {
        try MetadataTable.delete([keys.until, keys.attempts, keys.by], database)
    }
}
