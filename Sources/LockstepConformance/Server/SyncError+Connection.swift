import Foundation
import LockstepHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension SyncError {
    /// Whether the server does not respond, so that another request is useless.
    var endsConnection: Bool {
        switch code {
        case .network, .timeout, .insecureAddress: true
        default: false
        }
    }

    /// Whether the server has not applied the change: it was never sent, or it was refused.
    var provesNothingWritten: Bool {
        switch code {
        case .unauthorized, .refused, .notFound, .invalidIdentity, .unsupported, .updateNeeded: true
        // Otherwise, the server has received the change, and responds with a redirect.
        case .insecureAddress: !isAboutResponse
        case .network: (underlyingError as? URLError).map { Self.unconnected.contains($0.code) } ?? false
        default: false
        }
    }

    /// The errors before a request is sent.
    private static let unconnected: Set<URLError.Code> = [
        .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .notConnectedToInternet, .secureConnectionFailed,
        .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
        .serverCertificateHasUnknownRoot,
    ]
}
