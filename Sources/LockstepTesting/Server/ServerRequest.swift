public import Foundation
public import HTTPTypes
import LockstepSync

/// A request as it reached a fake server.
public struct ServerRequest: Sendable {
    public var method: HTTPRequest.Method
    /// The path, its parts not escaped: `/entries/a b`.
    public var path: String
    public var query: [URLQueryItem]
    /// The header fields, tokens included: it is a test that reads them.
    public var headers: HTTPFields
    public var body: Data
    /// What the server answered, as soon as it has.
    public internal(set) var status: Int?

    public init(
        _ method: HTTPRequest.Method, _ path: String, query: [URLQueryItem] = [], headers: HTTPFields = [:],
        body: Data = Data()
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The value of a query parameter.
    public func parameter(_ name: String) -> String? { query.last { $0.name == name }?.value }
}

extension ServerRequest: CustomStringConvertible {
    /// `POST /entries 201`
    public var description: String {
        let items = query.map { $0.name + "=" + ($0.value ?? "") }.joined(separator: "&")
        let target = items.isEmpty ? path : path + "?" + items
        return "\(method.rawValue) \(target)\(status.map { " \($0)" } ?? "")"
    }
}

/// What a fake server answers.
public struct ServerAnswer: Sendable, Hashable {
    public var status: Int
    public var headers: HTTPFields
    public var body: Data
    /// Whether the body goes on with events until the connection ends.
    public var isStream: Bool

    public init(_ status: Int, headers: HTTPFields = [:], body: Data = Data(), isStream: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isStream = isStream
    }
}
