import Foundation

/// A call of a token provider, which is code of the app.
package struct TokenCall: Sendable {
    @TaskLocal private static var current: TokenCall?

    /// Identifies the task in which the provider is called. Tasks that it starts itself may wait for anything.
    private let task: Int?

    /// Whether this is code that a token provider calls, and that a request waits for.
    package static var isCurrent: Bool { current.map { $0.task == task() } ?? false }

    private static func task() -> Int? { withUnsafeCurrentTask { $0?.hashValue } }

    /// Asks a provider for a token.
    ///
    /// - Throws: The meaning of its error for the request that needs the token; `CancellationError` if the task is
    ///   cancelled.
    static func token(from provider: TokenProvider, isRefresh: Bool) async throws -> String? {
        do {
            return try await $current.withValue(TokenCall(task: task())) { try await provider(isRefresh) }
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw SyncError.ofTokenProvider(error)
        }
    }
}

extension SyncError {
    /// What an error of a token provider means. It is not the server's response to the request that needs the token, so
    /// it never rejects a change (Rules.md, P9): either it may succeed later, or the user has to sign in again.
    fileprivate static func ofTokenProvider(_ error: any Error) -> SyncError {
        guard let known = error as? SyncError else {
            return SyncError(
                .network, reason: "the token provider has thrown an error of type \(type(of: error))",
                remedy: """
                    It is asked again automatically. If the user must sign in again, throw a `SyncError` with the code \
                    `unauthorized` in it. See `underlyingError`.
                    """,
                underlyingError: error)
        }
        let meaning = SyncError(
            known.code.isOfTokenProvider ? known.code : .unauthorized, request: known.request,
            reason: "the token provider has failed: \(known.reason)", remedy: known.remedy, underlyingError: known,
            retryAfter: known.retryAfter)
        return known.isAboutResponse ? meaning.aboutResponse() : meaning
    }
}

extension SyncError.Code {
    /// Whether the code means the same for the request that needs the token.
    fileprivate var isOfTokenProvider: Bool {
        switch self {
        case .network, .timeout, .unavailable, .unexpectedAnswer, .unauthorized, .updateNeeded, .insecureAddress,
            .signedOut, .store:
            true
        case .refused, .notFound, .malformed, .invalidIdentity, .unsupported, .nothingToSend, .pendingChanges: false
        }
    }
}
