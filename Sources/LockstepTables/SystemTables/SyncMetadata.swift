/// The keys under which a sync stores its state in a store's metadata.
package enum SyncMetadata {
    /// A random text that distinguishes the store from others of its app.
    package static let storeIdentity = "store_identity"
    /// The time until which nothing is sent, and that of the attempt that has failed, in seconds since 1970.
    package static let pausedUntil = "sync_paused_until"
    package static let pausedSince = "sync_paused_since"
    /// The number of consecutive failed attempts.
    package static let pauseAttempts = "sync_pause_attempts"
    /// `server` or `network`.
    package static let pausedBy = "sync_paused_by"
    /// The last error, as JSON with its `code`, its `status` and texts.
    package static let pauseError = "sync_pause_error"
    package static let pauseDespiteResponses = "sync_pause_despite_answers"
    /// Why changes are retried, as JSON: a list of `change` and `error`.
    package static let failures = "sync_failures"

    /// The wait that is stored; `nil` if there is none.
    ///
    /// - Parameter value: Returns the value of a key.
    package static func pause(_ value: (String) throws -> String?) rethrows -> StoredWait? {
        StoredWait(start: try value(pausedSince).flatMap(Double.init), end: try value(pausedUntil).flatMap(Double.init))
    }
}
