import Foundation
import LockstepSystem

/// A call of a token provider, which is code of the app, and which a request waits for.
///
/// Code that the provider calls must not wait for that request. A provider may call it in another task, such as one of
/// a task group that limits the time: it is not known whether the provider waits for a task that it has started, so it
/// counts as if it did. A detached task is not known to belong to the provider.
package final class TokenCall: Sendable {
    @TaskLocal private static var current: TokenCall?

    private let source: ObjectIdentifier
    /// The call whose provider has sent the request that waits for this one.
    private let outer: TokenCall?
    private let isRunning = Locked(true)

    private init(_ source: AnyObject) {
        self.source = ObjectIdentifier(source)
        outer = Self.running.first
    }

    /// The calls that this code belongs to, and that have not returned yet.
    private static var running: [TokenCall] {
        guard let current else { return [] }
        return sequence(first: current, next: \.outer).filter { $0.isRunning.withLock(\.self) }
    }

    /// Whether a request waits for a token provider that this code belongs to.
    package static var isCurrent: Bool { !running.isEmpty }

    /// Asks a provider for a token.
    ///
    /// - Parameter source: Whoever asks it. It is not asked by a request that its provider sends.
    /// - Throws: The meaning of its error for the request that needs the token; `CancellationError` if the task is
    ///   cancelled.
    static func token(from provider: TokenProvider, isRefresh: Bool, for source: AnyObject) async throws -> String? {
        let call = TokenCall(source)
        defer { call.isRunning.withLock { $0 = false } }
        do {
            return try await $current.withValue(call) { try await provider(isRefresh) }
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw SyncError.ofTokenProvider(error)
        }
    }

    /// - Throws: ``SyncError`` if the provider of this source waits for this code, which would wait for the provider.
    static func checkIsElsewhere(_ source: AnyObject) throws {
        guard running.contains(where: { $0.source == ObjectIdentifier(source) }) else { return }
        throw SyncError(
            .unsupported, reason: "it sends a request with the client that waits for its token",
            remedy: "Get the token with a client of its own.")
    }
}

extension SyncError {
    /// Returns the meaning of an error of a token provider. It is not the server's response to the request that needs
    /// the token, so it never rejects a change (Rules.md, P9): either it may succeed later, or the user has to sign in
    /// again.
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
        case .network, .timeout, .unavailable, .unexpectedResponse, .unauthorized, .updateNeeded, .insecureAddress,
            .signedOut, .store:
            true
        case .refused, .notFound, .malformed, .invalidIdentity, .unsupported, .nothingToSend, .pendingChanges: false
        }
    }
}
