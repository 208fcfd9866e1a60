import Foundation
import HTTPTypes

/// Which addresses requests may be sent to: `https` to any host, `http` to this machine only.
struct AddressRule: Sendable {
    /// Whether `http` is also allowed to other machines.
    var allowsInsecureHosts = false
    /// The other origins that a body may be sent to after a redirect.
    var redirectOrigins: Set<String> = []

    /// Whether a body may be sent again to an address of another origin.
    func mayRepeatBody(at url: URL) -> Bool {
        redirectOrigins.contains {
            URL(string: $0).map {
                Redirect.isSameOrigin($0, url) && $0.scheme?.lowercased() == url.scheme?.lowercased()
            } ?? false
        }
    }

    /// Returns the address of a request that may be sent.
    ///
    /// - Throws: ``SyncError`` (`insecureAddress`).
    func address(of request: HTTPRequest) throws -> URL {
        guard let url = request.url, let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty else {
            throw refusal(
                of: request, reason: "the address has no scheme and host", remedy: "Write it as https://host/path.")
        }
        guard url.user == nil, url.password == nil, request.authority?.contains("@") != true else {
            throw refusal(
                of: request, reason: "the address contains a user name",
                remedy: "Send credentials in a header field instead.")
        }
        switch scheme {
        case "https": return url
        case "http" where allowsInsecureHosts || Self.isLoopback(host): return url
        case "http":
            throw refusal(
                of: request, reason: "http exposes what is sent to \(host) to others on the network",
                remedy: "Use https, or allowsInsecureHosts for a server in a network that you trust.")
        default:
            throw refusal(of: request, reason: "the scheme \(scheme) is not supported", remedy: "Use https.")
        }
    }

    private func refusal(of request: HTTPRequest, reason: String, remedy: String) -> SyncError {
        SyncError(.insecureAddress, request: Redaction.text(of: request), reason: reason, remedy: remedy)
    }

    /// Whether a host is this machine, judged by its text alone: there is no lookup, so no name server decides. Other
    /// notations such as `127.1` or `2130706433`, which programs interpret differently, do not count.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased().trimmingCharacters(in: ["[", "]"])
        if host == "localhost" || host == "::1" || host == "0:0:0:0:0:0:0:1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
                    && (part == "0" || !part.hasPrefix("0"))
            }
    }
}
