import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Errors without a response, with our own texts: a `URLError` has the complete address, including tokens, in its user
/// info (rule P9).
enum HTTPFailure {
    static func error(for error: any Error, request: String) -> any Error {
        if error is CancellationError { return error }
        let code = (error as? URLError)?.code ?? .unknown
        if code == .cancelled { return CancellationError() }
        return SyncError(
            code == .timedOut ? .timeout : .network, request: request, reason: reason(for: code),
            remedy: remedy(for: code), underlyingError: URLError(code))
    }

    static func noResponse(to request: String) -> SyncError {
        SyncError(
            .network, request: request, reason: "the connection was closed without a response",
            remedy: "Try again later.")
    }

    static func truncated(request: String, received: Int64, of expected: Int64) -> SyncError {
        SyncError(
            .network, request: request, reason: "the body ended after \(received) of \(expected) bytes",
            remedy: "Try again later.")
    }

    static func tooLarge(request: String, limit: Int) -> SyncError {
        SyncError(
            .malformed, request: request, reason: "the body has more than \(limit) bytes",
            remedy: "Make the server send less, for example in pages, or raise the client's `limits.bodyBytes`.")
    }

    static func tooFast(request: String, limit: Int) -> SyncError {
        SyncError(
            .network, request: request,
            reason: "the server sends faster than the body is read: \(limit) bytes are unread",
            remedy: "Connect again later, or raise the client's `limits.unreadBytes`.")
    }

    static func cannotKeep(request: String, error: any Error) -> SyncError {
        SyncError(
            .store, request: request, reason: "the unread bytes cannot be written to a temporary file",
            remedy: "Free some space on the disk and try again.", underlyingError: error)
    }

    private static func reason(for code: URLError.Code) -> String {
        switch code {
        case .timedOut: "nothing came from the server in time"
        case .cannotFindHost, .dnsLookupFailed: "the server's name was not found"
        case .cannotConnectToHost: "the server does not accept connections"
        case .notConnectedToInternet: "the device is offline"
        case .networkConnectionLost: "the connection was lost"
        case .badServerResponse, .cannotParseResponse: "the response is not valid HTTP"
        case .cannotDecodeContentData, .cannotDecodeRawData: "the body could not be decompressed"
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
            "no secure connection to the server is possible"
        default: "the connection failed or was lost (URLError \(code.rawValue))"
        }
    }

    private static func remedy(for code: URLError.Code) -> String {
        switch code {
        case .cannotFindHost, .dnsLookupFailed: "Check the host's name, and whether the device is online."
        case .cannotConnectToHost: "Check the host and the port, and whether the server is running."
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
            "Check the server's certificate and the device's clock."
        default: "Try again later."
        }
    }
}
