public import Foundation

/// Why something that should travel did not: a code to switch on, which request, which record, why, and what to do.
///
/// The texts are for developers. They never show a token, and name records by their identity only.
public struct SyncError: Error, Sendable {
    /// What kind of problem it is.
    public let code: Code
    /// What was asked, such as `GET https://example.com/articles?page=2`, without what is secret.
    public let request: String?
    /// The entity, by its name in the schema.
    public let entity: String?
    /// The record's identity.
    public let record: String?
    /// Why it failed.
    public let reason: String
    /// What to do about it.
    public let remedy: String
    /// What lies under it.
    public let underlyingError: (any Error)?
    /// How many seconds the server asks to wait (`Retry-After`), where it does.
    public let retryAfter: TimeInterval?

    /// The kinds of problems.
    public enum Code: Sendable, Hashable {
        /// The server could not be reached, or the connection broke.
        case network
        /// No answer came in time.
        case timeout
        /// The server cannot answer now: 407, 408, 425, 429 and 5xx.
        case unavailable(status: Int)
        /// An answer came that is not the API's: the page of a network's sign-in, of a proxy or of maintenance, a
        /// redirect that was not followed, or a body that answers no write. It proves nothing (rule P13).
        case unexpectedAnswer(status: Int)
        /// The server wants other credentials (401), also after a fresh token.
        case unauthorized
        /// The server refuses: another 4xx.
        case refused(status: Int)
        /// The server has no such record or collection: 404, 410.
        case notFound
        /// The answer cannot be read; the payload's own problem lies under it.
        case malformed
        /// The address is one that nothing is sent to: `http` beyond this machine, another scheme.
        case insecureAddress
        /// The identity cannot be a part of an address on this server.
        case invalidIdentity
        /// The entity or the remote cannot do this.
        case unsupported
        /// The local record is not there, or has nothing to send.
        case nothingToSend
        /// What the sync keeps on the device could not be read or written.
        case store
    }

    /// An error of a remote, or of what lies under one.
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

    /// Whether trying again later may help, with nothing changed.
    public var isTransient: Bool {
        switch code {
        case .network, .timeout, .unavailable, .unexpectedAnswer: true
        default: false
        }
    }
}

extension SyncError: CustomStringConvertible {
    /// What was asked, of which record, why it failed, and what to do.
    public var description: String {
        let subject = [entity, record].compactMap(\.self).joined(separator: " ")
        let place = [request, subject.isEmpty ? nil : subject].compactMap(\.self).joined(separator: ", ")
        return "\(place.isEmpty ? "syncing" : place): \(reason). \(remedy) [\(code)]"
    }
}

extension SyncError: LocalizedError {
    /// The same as ``description``, so that whoever logs `localizedDescription` sees it. It is for developers.
    public var errorDescription: String? { description }
}
