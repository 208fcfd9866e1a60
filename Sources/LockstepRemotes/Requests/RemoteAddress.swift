import Foundation
import HTTPTypes

/// An address on a server, composed of parts that are each escaped once.
struct RemoteAddress: Sendable, Hashable {
    private(set) var scheme: String
    /// The host, and the port if there is one.
    private(set) var authority: String
    /// Escaped, without a slash at its end.
    private(set) var path: String
    private var items: [Item] = []
    /// The names of parameters whose values do not appear in errors: those of the base address, which may be an API
    /// key.
    private var hiddenNames: Set<String> = []

    private struct Item: Hashable {
        var text: String
        /// Whether it is a token, which must only be part of the request.
        var isToken = false

        var name: Substring { text.prefix { $0 != "=" } }
    }

    /// The base of a remote's addresses. Its parameters are part of each request.
    init(base: URL) throws(SyncError) {
        try self.init(text: base.absoluteString)
        while path.hasSuffix("/") { path.removeLast() }
        hiddenNames = Set(items.map { String($0.name) })
    }

    private init(text: String) throws(SyncError) {
        guard let separator = text.range(of: "://") else {
            throw SyncError(
                .insecureAddress, request: nil, reason: "the address has no scheme and host",
                remedy: "Use an address such as https://example.com.")
        }
        scheme = text[..<separator.lowerBound].lowercased()
        let rest = text[separator.upperBound...].prefix { $0 != "#" }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        // What precedes an @ is a password, which is not used anywhere.
        let host = rest[..<end].lowercased()
        authority = host.lastIndex(of: "@").map { String(host[host.index(after: $0)...]) } ?? host
        let parts = rest[end...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map(String.init) ?? ""
        if parts.count > 1 { items = parts[1].split(separator: "&").map { Item(text: String($0)) } }
    }

    // MARK: Pieces

    /// The address with a path appended. `%41` in it is kept; characters that are not allowed in a path are escaped.
    func appending(path more: String) -> RemoteAddress {
        var address = self
        let more = Self.escaped(more, keeping: Self.pathCharacters)
        let trimmed = more.drop { $0 == "/" }
        if !trimmed.isEmpty { address.path += "/" + trimmed }
        while address.path.hasSuffix("/") { address.path.removeLast() }
        return address
    }

    /// The address with a suffix: `.json`. For the root of a server, the suffix is a name: `/.json`.
    func appending(ending: String) -> RemoteAddress {
        var address = self
        address.path = (path.isEmpty ? "/" : path) + ending
        return address
    }

    func appending(_ name: String, value: String?, isToken: Bool = false) -> RemoteAddress {
        var address = self
        let text = [name, value].compactMap(\.self).map { Self.escaped($0, keeping: Self.unreserved) }
            .joined(separator: "=")
        address.items.append(Item(text: text, isToken: isToken))
        return address
    }

    func appending(_ query: [URLQueryItem]) -> RemoteAddress {
        query.reduce(self) { $0.appending($1.name, value: $1.value) }
    }

    /// The address of a text in a `Link` or `Location`, resolved against this one (RFC 3986, 5.3); `nil` if it is not
    /// an address.
    ///
    /// - Parameter redirected: The address of the response that contains the text, if it is another one.
    func resolving(_ text: String, from redirected: URL? = nil) -> RemoteAddress? {
        guard let base = redirected ?? URL(string: absolute),
            let url = URL(string: text, relativeTo: base)?.absoluteURL,
            var address = try? RemoteAddress(text: url.absoluteString)
        else { return nil }
        address.hiddenNames = hiddenNames
        return address
    }

    func isSameOrigin(as other: RemoteAddress) -> Bool {
        scheme == other.scheme && authorityWithPort == other.authorityWithPort
    }

    private var authorityWithPort: String {
        // The colons of an IPv6 address are in brackets.
        let behindAddress = authority.split(separator: "]", omittingEmptySubsequences: false).last ?? ""
        if behindAddress.contains(":") { return authority }
        return "\(authority):\(scheme == "http" ? 80 : 443)"
    }

    // MARK: Texts

    /// The complete address without tokens, by which validators are stored (rule H1).
    var absolute: String { "\(scheme)://\(authority)\(requestPath { !$0.isToken })" }

    /// The path with its parameters, after that of another address: `/articles/7?lock_version=3`.
    func relativePath(to base: RemoteAddress) -> String {
        let full = requestPath { _ in true }
        let prefix = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
        return full.hasPrefix(prefix + "/") ? String(full.dropFirst(prefix.count)) : full
    }

    /// The address as readable text, without values that may be secret.
    var shown: String {
        let names = items.map { item in
            let isHidden = item.isToken || hiddenNames.contains(String(item.name))
            return isHidden || Redaction.isSecret(parameter: item.name) ? "\(item.name)=…" : item.text
        }
        return "\(scheme)://\(authority)\(path)\(names.isEmpty ? "" : "?" + names.joined(separator: "&"))"
    }

    func request(_ method: HTTPRequest.Method, fields: HTTPFields) -> HTTPRequest {
        HTTPRequest(
            method: method, scheme: scheme, authority: authority, path: requestPath { _ in true }, headerFields: fields)
    }

    private func requestPath(where isWanted: (Item) -> Bool) -> String {
        let query = items.filter(isWanted).map(\.text).joined(separator: "&")
        return (path.isEmpty ? "/" : path) + (query.isEmpty ? "" : "?" + query)
    }

    // MARK: Escaping

    /// Characters that are never escaped (RFC 3986, 2.3).
    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    /// Characters that are allowed in a path (RFC 3986, 3.3), including slashes and percent signs.
    private static let pathCharacters = unreserved.union("!$&'()*+,;=:@/%".utf8)

    /// Escapes a text as one segment of a path, or as one name or value of a query.
    static func segment(_ text: String) -> String { escaped(text, keeping: unreserved) }

    private static func escaped(_ text: String, keeping allowed: Set<UInt8>) -> String {
        var escaped = ""
        for byte in text.utf8 {
            if allowed.contains(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return escaped
    }
}
