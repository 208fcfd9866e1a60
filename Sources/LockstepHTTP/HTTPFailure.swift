import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why no answer came, in our words: a `URLError` has the whole address, token and all, in its user info (rule P9).
enum HTTPFailure {
    static func error(for error: any Error, request: String) -> any Error {
        if error is CancellationError { return error }
        let code = (error as? URLError)?.code ?? .unknown
        if code == .cancelled { return CancellationError() }
        return SyncError(
            code == .timedOut ? .timeout : .network, request: request, reason: reason(for: code),
            remedy: remedy(for: code), underlyingError: URLError(code))
    }

    static func noAnswer(to request: String) -> SyncError {
        SyncError(
            .network, request: request, reason: "the connection closed without an answer", remedy: "Try again later.")
    }

    static func truncated(request: String, received: Int64, of expected: Int64) -> SyncError {
        SyncError(
            .network, request: request, reason: "the body broke off after \(received) of \(expected) bytes",
            remedy: "Try again later.")
    }

    static func tooLarge(request: String, limit: Int) -> SyncError {
        SyncError(
            .malformed, request: request, reason: "the body has more than \(limit) bytes",
            remedy: "Let the server answer with less, in pages for example, or raise the client's `limits.bodyBytes`.")
    }

    static func tooFast(request: String, limit: Int) -> SyncError {
        SyncError(
            .network, request: request, reason: "the server sends faster than it is read: \(limit) bytes are waiting",
            remedy: "Connect again later, or raise the client's `limits.unreadBytes`.")
    }

    static func cannotKeep(request: String, _ error: any Error) -> SyncError {
        SyncError(
            .store, request: request, reason: "what has come and was not read yet cannot be put into a temporary file",
            remedy: "Make room on the disk, and try again.", underlyingError: error)
    }

    private static func reason(for code: URLError.Code) -> String {
        switch code {
        case .timedOut: "nothing came from the server in time"
        case .cannotFindHost, .dnsLookupFailed: "the server's name was not found"
        case .cannotConnectToHost: "the server takes no connection"
        case .notConnectedToInternet: "the device is offline"
        case .networkConnectionLost: "the connection broke"
        case .badServerResponse, .cannotParseResponse: "what came from the server is no HTTP"
        case .cannotDecodeContentData, .cannotDecodeRawData: "the body could not be unpacked"
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
            "no secure connection to the server can be made"
        default: "the connection failed or broke off (URLError \(code.rawValue))"
        }
    }

    private static func remedy(for code: URLError.Code) -> String {
        switch code {
        case .cannotFindHost, .dnsLookupFailed: "Check the host's name, and whether the device is online."
        case .cannotConnectToHost: "Check the host and the port, and whether the server runs."
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
            "Check the server's certificate and the device's clock."
        default: "Try again later."
        }
    }
}
