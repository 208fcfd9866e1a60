import Foundation
import HTTPTypes

/// What is sent to an address at all: `https` to anybody, `http` to this machine.
struct AddressRule: Sendable {
    /// Whether `http` may go to other machines too.
    var allowsInsecureHosts = false
    /// The origins that a body may be repeated to.
    var redirectOrigins: Set<String> = []

    /// Whether a body may be repeated to an address of another origin.
    func mayRepeatBody(at url: URL) -> Bool {
        redirectOrigins.contains {
            URL(string: $0).map { Redirect.isSameOrigin($0, url) && $0.scheme == url.scheme } ?? false
        }
    }

    /// The address of a request that may be sent.
    ///
    /// - Throws: ``SyncError`` (`insecureAddress`).
    func address(of request: HTTPRequest) throws -> URL {
        guard let url = request.url, let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty else {
            throw refusal(of: request, "this is no address with a scheme and a host", "Write it as https://host/path.")
        }
        guard url.user == nil, url.password == nil, request.authority?.contains("@") != true else {
            throw refusal(
                of: request, "the address has a user name in it", "Send credentials in a header field instead.")
        }
        switch scheme {
        case "https": return url
        case "http" where allowsInsecureHosts || Self.isLoopback(host): return url
        case "http":
            throw refusal(
                of: request, "http shows everybody on the way what is sent to \(host)",
                "Use https, or allowsInsecureHosts for a server in a network that you trust.")
        default:
            throw refusal(of: request, "nothing is sent by the scheme \(scheme)", "Use https.")
        }
    }

    private func refusal(of request: HTTPRequest, _ reason: String, _ remedy: String) -> SyncError {
        SyncError(.insecureAddress, request: Redaction.text(of: request), reason: reason, remedy: remedy)
    }

    /// Whether a host is this machine, by its spelling alone: nothing is looked up, so that no name server decides.
    /// Spellings such as `127.1` or `2130706433`, which programs read differently, are not.
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
