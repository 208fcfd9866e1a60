public import Foundation

/// An error of a sync: a code to switch on, the request, the record, why it failed, and what to do.
///
/// The texts are for developers. They never contain a token, and name records by identity only.
public struct SyncError: Error, Sendable {
    /// The kind of error.
    public let code: Code
    /// The request, such as `GET https://example.com/articles?page=2`, without secrets.
    public let request: String?
    /// The name of the entity in the schema.
    public let entity: String?
    /// The record's identity.
    public let record: String?
    /// Why it failed.
    public private(set) var reason: String
    /// An instruction that solves the problem.
    public let remedy: String
    /// The underlying error.
    public let underlyingError: (any Error)?
    /// How many seconds the server asks to wait (`Retry-After`), if it does.
    public let retryAfter: TimeInterval?
    /// Whether it is about an address in a response: a redirect, or the next page. Another response may be different.
    package private(set) var isAboutResponse = false

    /// The kinds of errors.
    public enum Code: Sendable, Hashable {
        /// The server could not be reached, or the connection was lost.
        case network
        /// There was no response in time.
        case timeout
        /// The server cannot process the request now: 407, 408, 425, 429 and 5xx.
        case unavailable(status: Int)
        /// The response is not the API's: a page of a network's sign-in, a proxy or maintenance, a redirect that was
        /// not followed, or a body that is not a response to a write. It proves nothing (rule P13).
        case unexpectedResponse(status: Int)
        /// The server requires other credentials (401), even after a token refresh.
        case unauthorized
        /// The server requires a newer version of the app (426). The message is the server's text for the user, if it
        /// sends one. Nothing is lost: local changes stay pending, and are sent by a version that the server accepts.
        case updateNeeded(message: String?)
        /// The server rejects the request: another 4xx.
        case refused(status: Int)
        /// The server has no such record or collection: 404, 410.
        case notFound
        /// The response cannot be read; the problem of the payload is the underlying error.
        case malformed
        /// Requests are not sent to this address: `http` to another machine, or another scheme.
        case insecureAddress
        /// The identity cannot be part of an address on this server.
        case invalidIdentity
        /// The entity or the remote cannot do this.
        case unsupported
        /// The local record does not exist, or has nothing to send.
        case nothingToSend
        /// Signing out would lose local changes that the server does not have.
        case pendingChanges(count: Int)
        /// The account was signed out: the store is closed.
        case signedOut
        /// The sync's data on the device could not be read or written.
        case store

        @available(*, deprecated, renamed: "unexpectedResponse(status:)")
        public static func unexpectedAnswer(status: Int) -> Code { .unexpectedResponse(status: status) }
    }

    /// Creates an error of a remote, or of what it uses.
    public init(
        _ code: Code, request: String? = nil, entity: String? = nil, record: String? = nil, reason: String,
        remedy: String, underlyingError: (any Error)? = nil, retryAfter: TimeInterval? = nil
    ) {
        self.code = code
        self.request = request
        self.entity = entity
        self.record = record
        self.reason = reason
        self.remedy = remedy
        self.underlyingError = underlyingError
        self.retryAfter = retryAfter
    }

    /// Whether a later attempt may succeed without any change. An `insecureAddress` is transient if the address was in
    /// a response, because a network's sign-in page may have redirected the request.
    public var isTransient: Bool {
        switch code {
        case .network, .timeout, .unavailable, .unexpectedResponse: true
        case .insecureAddress: isAboutResponse
        default: false
        }
    }

    /// The same error, about an address in a response.
    package func aboutResponse() -> SyncError {
        var error = self
        error.isAboutResponse = true
        return error
    }

    /// The same error, with another reason beside its own.
    package func adding(_ reason: String) -> SyncError {
        var error = self
        error.reason += "; " + reason
        return error
    }
}

extension SyncError: CustomStringConvertible {
    /// The request, the record, why it failed, and what to do.
    public var description: String {
        let subject = [entity, record].compactMap(\.self).joined(separator: " ")
        let location = [request, subject.isEmpty ? nil : subject].compactMap(\.self).joined(separator: ", ")
        return "\(location.isEmpty ? "syncing" : location): \(reason). \(remedy) [\(code)]"
    }
}

extension SyncError: LocalizedError {
    /// The same as ``description``, so that it appears if `localizedDescription` is logged. It is for developers.
    @_spi(Requirements) public var errorDescription: String? { description }
}
