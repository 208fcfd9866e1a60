public import Foundation
public import HTTPTypes

/// Provides tokens.
///
/// - Parameter isRefresh: The server has rejected the last token, so a new one is needed.
/// - Returns: The token, or `nil` to send requests without one.
/// - Throws: Any error. It is reported as an error of the token provider (rule P9). A provider must not wait for the
///   sync or the client that waits for its token: both throw an error.
public typealias TokenProvider = @Sendable (_ isRefresh: Bool) async throws -> String?

/// A client that adds header fields and a bearer token to requests.
///
/// ```swift
/// let client = AuthorizedClient(URLSessionClient(), headers: ["X-App-Version": "3"]) { isRefresh in
///     isRefresh ? try await account.refreshedToken() : await account.token
/// }
/// ```
///
/// If the server rejects the token (401), the provider is called once for a new one, and the request is sent once more
/// (rule P9). Requests that are rejected at the same time share one refresh. A token is only put into the
/// `Authorization` field: no error or description contains it.
public struct AuthorizedClient: HTTPClient {
    private let client: any HTTPClient
    private let headers: HTTPFields
    private let tokens: TokenSource?

    /// - Parameters:
    ///   - client: The client that sends the requests.
    ///   - headers: The fields of every request, unless it has a field of that name itself.
    ///   - token: Provides tokens; `nil` to send none.
    public init(_ client: any HTTPClient, headers: HTTPFields = [:], token: TokenProvider? = nil) {
        self.client = client
        self.headers = headers
        tokens = token.map(TokenSource.init)
    }

    /// Sends the request with the fields and the token.
    ///
    /// - Throws: Errors of the client; ``SyncError`` (`unauthorized`) if the server rejects the new token too, or none
    ///   is sent, and if the token provider fails: with its code if it may succeed later, otherwise `unauthorized`.
    @_spi(Requirements) public func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        var request = request
        for name in Set(headers.map(\.name)) where request.headerFields[values: name].isEmpty {
            request.headerFields[values: name] = headers[values: name]
        }
        // A request with its own credentials keeps them.
        guard let tokens, request.headerFields[.authorization] == nil else {
            return try authorized(try await client.send(request, body: body), for: request)
        }
        let first = try await tokens.token()
        let response = try await client.send(request.authorized(first.text), body: body)
        guard response.head.status == .unauthorized else { return response }

        let second = try await tokens.token(after: first)
        return try authorized(try await client.send(request.authorized(second.text), body: body), for: request)
    }

    private func authorized(_ response: HTTPClientResponse, for request: HTTPRequest) throws -> HTTPClientResponse {
        guard response.head.status == .unauthorized else { return response }
        throw SyncError(
            .unauthorized, request: Redaction.text(of: request),
            reason: tokens == nil
                ? "the server requires credentials, or rejects those that were sent"
                : "the server rejects the token, even after a refresh",
            remedy: "Sign in again.")
    }
}

extension HTTPRequest {
    fileprivate func authorized(_ token: String?) -> HTTPRequest {
        guard let token else { return self }
        var request = self
        request.headerFields[.authorization] = "Bearer \(token)"
        return request
    }
}

/// Calls the provider, and shares its result between simultaneous callers.
private actor TokenSource {
    struct Token: Sendable {
        let text: String?
        /// The number of refreshes before it.
        let generation: Int
    }

    private let provider: TokenProvider
    private var generation = 0
    private var refreshed: Token?
    private var refresh: Task<Token, any Error>?

    init(_ provider: @escaping TokenProvider) { self.provider = provider }

    /// The token to try first.
    func token() async throws -> Token {
        try TokenCall.checkIsElsewhere(self)
        if let refresh { return try await value(of: refresh) }
        let generation = generation
        let text = try await TokenCall.token(from: provider, isRefresh: false, for: self)
        return Token(text: text, generation: generation)
    }

    /// Returns a newer token than one that was rejected.
    func token(after refused: Token) async throws -> Token {
        if let refresh { return try await value(of: refresh) }
        // Another request's refresh has finished in between, and its token was not rejected yet.
        if let refreshed, refreshed.generation > refused.generation { return refreshed }
        let next = generation + 1
        let provider = provider
        // An unstructured task, because the first caller may be cancelled while others wait.
        let task = Task {
            Token(text: try await TokenCall.token(from: provider, isRefresh: true, for: self), generation: next)
        }
        refresh = task
        defer { refresh = nil }
        let token = try await value(of: task)
        generation = next
        refreshed = token
        return token
    }

    private func value(of task: Task<Token, any Error>) async throws -> Token {
        let token = try await task.value
        try Task.checkCancellation()
        return token
    }
}
