extension SyncError {
    /// Returns the meaning of an error that code of the app has thrown where a request is sent: a remote, a client, a
    /// token provider, a file server.
    ///
    /// An error of another type says nothing about the server, so it counts as no response (rule P20). So does a
    /// cancellation, unless the calling task is cancelled: it is that of another task or request.
    ///
    /// - Returns: A `SyncError`, or a `CancellationError` if the calling task is cancelled.
    package static func meaning(
        of error: any Error, entity: String? = nil, record: String? = nil
    ) -> any Error {
        if error is SyncError { return error }
        if Task.isCancelled { return CancellationError() }
        return SyncError(
            .network, entity: entity, record: record,
            reason: error is CancellationError
                ? "the request was cancelled, although the sync was not"
                : "the request failed with an error of another type: \(type(of: error))",
            remedy: """
                It is retried automatically. If that cannot help, throw a `SyncError` with another code in the remote, \
                or in what it uses. See `underlyingError`.
                """,
            underlyingError: error)
    }
}
