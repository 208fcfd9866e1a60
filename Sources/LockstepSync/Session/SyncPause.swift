import Foundation
import GRDB
import LockstepStore

/// The time until which nothing is sent, because the server cannot be reached or has asked the client to wait. It is
/// stored, and so survives a relaunch (Rules.md, P7).
struct SyncPause: Sendable {
    let wait: StoredWait
    /// The number of consecutive failed attempts.
    let attempts: Int
    /// Whether the server has responded to something else before the last attempt, which failed nevertheless. Then what
    /// it responds to does not show that the next attempt succeeds.
    var isDespiteResponses = false
    /// Whether the server has set the time, which applies even if the app calls `push`, and whatever else the server
    /// responds to meanwhile.
    let isServers: Bool
    let error: SyncError

    private static let keys = (
        until: SyncMetadata.pausedUntil, since: SyncMetadata.pausedSince, attempts: SyncMetadata.pauseAttempts,
        by: SyncMetadata.pausedBy,
        error: SyncMetadata.pauseError, despite: SyncMetadata.pauseDespiteResponses
    )

    static func read(_ database: Database) throws -> SyncPause? {
        func value(_ key: String) throws -> String? {
            try MetadataTable.value(key, in: database)
        }
        guard let wait = try SyncMetadata.pause(value) else { return nil }
        let isServers = try value(keys.by) == "server"
        let error = try value(keys.error).flatMap(StoredError.init)?.error
        return SyncPause(
            wait: wait, attempts: AttemptCount.limited(try value(keys.attempts).flatMap { Int($0) }),
            isDespiteResponses: try value(keys.despite) != nil, isServers: isServers,
            // An earlier version of the library has not stored the error.
            error: error
                ?? SyncError(
                    .network,
                    reason: isServers ? "the server has asked the client to wait" : "the server could not be reached",
                    remedy: StoredError.remedy))
    }

    func write(_ database: Database) throws {
        let values = [
            (Self.keys.until, String(wait.end.timeIntervalSince1970)), (Self.keys.attempts, String(attempts)),
            (Self.keys.by, isServers ? "server" : "network"), (Self.keys.error, StoredError(error).text),
        ]
        for (key, value) in values { try MetadataTable.set(key, to: value, in: database) }
        try MetadataTable.delete([Self.keys.since], in: database)
        if let start = wait.start {
            try MetadataTable.set(Self.keys.since, to: String(start.timeIntervalSince1970), in: database)
        }
        try Self.set(isDespiteResponses: isDespiteResponses, in: database)
    }

    private static func set(isDespiteResponses: Bool, in database: Database) throws {
        guard isDespiteResponses else { return try MetadataTable.delete([keys.despite], in: database) }
        try MetadataTable.set(keys.despite, to: "1", in: database)
    }

    /// The server has accepted or rejected a change, so it accepts requests again.
    static func clear(_ database: Database) throws {
        try MetadataTable.delete(
            [keys.until, keys.since, keys.attempts, keys.by, keys.error, keys.despite], in: database)
    }

    /// The server has responded to a change, so it can be reached. A time that it has set itself still applies.
    static func endUnreachable(_ database: Database) throws {
        guard try MetadataTable.value(keys.by, in: database) == "network" else { return }
        try clear(database)
    }

    // MARK: What other requests show

    /// When it is over; `nil` if it is.
    func end(at now: Date, retries: RetrySchedule) -> Date? { wait.end(at: now, longest: retries.longestSeconds) }

    /// The pause after the server has responded to another request: it can be reached, so what waits is due now. If it
    /// fails again, it waits for its time, whatever the server responds to.
    ///
    /// - Returns: `nil` if the response changes nothing.
    func afterResponse(at now: Date) -> SyncPause? {
        guard !isServers, !isDespiteResponses, wait.end > now else { return nil }
        return SyncPause(
            wait: StoredWait(start: now, end: now), attempts: 0, isDespiteResponses: true, isServers: false,
            error: error)
    }

    /// The pause after the app has asked to retry now. A time that the server has set still applies.
    ///
    /// - Returns: `nil` if that changes nothing.
    func ended(at now: Date) -> SyncPause? {
        guard !isServers, wait.end > now else { return nil }
        return SyncPause(
            wait: StoredWait(start: now, end: now), attempts: attempts, isDespiteResponses: isDespiteResponses,
            isServers: false, error: error)
    }

    /// The pause after another request has had no response either: the next response shows something again.
    ///
    /// - Returns: `nil` if that changes nothing.
    func afterFailure() -> SyncPause? {
        guard isDespiteResponses else { return nil }
        return SyncPause(wait: wait, attempts: attempts, isServers: false, error: error)
    }
}
