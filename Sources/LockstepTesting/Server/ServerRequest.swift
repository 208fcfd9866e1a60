public import Foundation
public import HTTPTypes

/// A request to a fake server.
public struct ServerRequest: Sendable {
    public var method: HTTPRequest.Method
    /// The components of the path, unescaped: `["entries", "a b"]`.
    package var parts: [String]
    public var query: [URLQueryItem]
    /// The header fields, including tokens, for tests.
    public var headers: HTTPFields
    public var body: Data
    /// The status of the response, as soon as there is one; 0 if the connection broke instead.
    public internal(set) var status: Int?

    /// Creates a request for the escaped part of an address after the host: `/entries?page=2`.
    package init(_ method: HTTPRequest.Method, _ target: String, headers: HTTPFields = [:], body: Data = Data()) {
        self.method = method
        self.headers = headers
        self.body = body
        let (path, query) = Self.split(target, at: "?")
        parts = path.split(separator: "/").map { Self.unescaped(String($0)) }
        self.query = (query ?? "").split(separator: "&").map { item in
            let (name, value) = Self.split(String(item), at: "=")
            return URLQueryItem(name: Self.formUnescaped(name), value: value.map(Self.formUnescaped))
        }
    }

    /// The path, unescaped: `/entries/a b`.
    public var path: String { "/" + parts.joined(separator: "/") }

    /// The value of a query parameter; the last one if there are several.
    public func parameter(_ name: String) -> String? { query.last { $0.name == name }?.value }

    /// The key of a repeatable request: a structured string, or the whole field.
    var idempotencyKey: String? {
        guard let field = headers[.idempotencyKey] else { return nil }
        guard field.count >= 2, field.hasPrefix("\""), field.hasSuffix("\"") else { return field }
        return field.dropFirst().dropLast().replacingOccurrences(of: "\\\"", with: "\"")
            .replacingOccurrences(of: "\\\\", with: "\\")
    }

    private static func split(_ text: String, at separator: Character) -> (String, String?) {
        guard let index = text.firstIndex(of: separator) else { return (text, nil) }
        return (String(text[..<index]), String(text[text.index(after: index)...]))
    }

    private static func unescaped(_ text: String) -> String { text.removingPercentEncoding ?? text }

    /// Servers decode a plus in a query as a space.
    private static func formUnescaped(_ text: String) -> String {
        unescaped(text.replacingOccurrences(of: "+", with: " "))
    }
}

extension ServerRequest: CustomStringConvertible {
    /// `GET /entries?page=2`, without the query parameters that are credentials.
    @_spi(Requirements) public var description: String {
        let items = query.filter { $0.name != "auth" && $0.name != "access_token" }
            .map { $0.name + "=" + ($0.value ?? "") }
            .joined(separator: "&")
        return "\(method.rawValue) \(path)\(items.isEmpty ? "" : "?" + items)"
    }
}

/// The requests that a script is for.
public struct ServerRequestFilter: Sendable {
    let includes: @Sendable (ServerRequest) -> Bool

    public init(_ includes: @escaping @Sendable (ServerRequest) -> Bool) { self.includes = includes }

    public static let all = ServerRequestFilter { _ in true }
    /// All requests except `GET`.
    public static let changes = ServerRequestFilter { $0.method != .get }

    public static func method(_ method: HTTPRequest.Method) -> ServerRequestFilter {
        ServerRequestFilter { $0.method == method }
    }

    /// Requests whose path begins with these components: `/entries`.
    public static func path(_ path: String) -> ServerRequestFilter {
        let parts = path.split(separator: "/").map(String.init)
        return ServerRequestFilter { $0.parts.starts(with: parts) }
    }
}
