public import Foundation
public import HTTPTypes

/// Where tokens come from.
///
/// - Parameter isRefresh: The server has refused the token that was given last: a fresh one is wanted.
/// - Returns: The token, or `nil` where requests go without one.
public typealias TokenProvider = @Sendable (_ isRefresh: Bool) async throws -> String?

/// A client that sends header fields along, and a bearer token that it asks for.
///
/// ```swift
/// let client = AuthorizedClient(URLSessionClient(), headers: ["X-App-Version": "3"]) { isRefresh in
///     isRefresh ? try await account.refreshedToken() : await account.token
/// }
/// ```
///
/// Where the server refuses the token (401), the provider is asked once for a fresh one, and the request is sent once
/// more (rule P9). Requests that are refused at the same time share one refresh. A token goes into the `Authorization`
/// field and nowhere else: no error and no description shows it.
public struct AuthorizedClient: HTTPClient {
    private let client: any HTTPClient
    private let headers: HTTPFields
    private let tokens: TokenSource?

    /// - Parameters:
    ///   - client: What sends the requests.
    ///   - headers: What every request has, unless it has a field of that name itself.
    ///   - token: Where tokens come from; `nil`: no token is sent.
    public init(_ client: any HTTPClient, headers: HTTPFields = [:], token: TokenProvider? = nil) {
        self.client = client
        self.headers = headers
        tokens = token.map(TokenSource.init)
    }

    /// Sends the request with the fields and the token.
    ///
    /// - Throws: What the client throws; what the token provider throws; ``SyncError`` (`unauthorized`) where the
    ///   server refuses the fresh token too, or none is sent.
    public func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPAnswer {
        var request = request
        for name in Set(headers.map(\.name)) where request.headerFields[values: name].isEmpty {
            request.headerFields[values: name] = headers[values: name]
        }
        // A request with credentials of its own keeps them.
        guard let tokens, request.headerFields[.authorization] == nil else {
            return try authorized(try await client.send(request, body: body), request)
        }
        let first = try await tokens.token()
        let answer = try await client.send(request.authorized(first.text), body: body)
        guard answer.response.status == .unauthorized else { return answer }

        let second = try await tokens.token(after: first)
        return try authorized(try await client.send(request.authorized(second.text), body: body), request)
    }

    private func authorized(_ answer: HTTPAnswer, _ request: HTTPRequest) throws -> HTTPAnswer {
        guard answer.response.status == .unauthorized else { return answer }
        throw SyncError(
            .unauthorized, request: Redaction.text(of: request),
            reason: tokens == nil
                ? "the server wants credentials, or others" : "the server refuses the token, also a fresh one",
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

/// Asks the provider, and lets those who ask at the same time share the answer.
private actor TokenSource {
    struct Token: Sendable {
        let text: String?
        /// How many refreshes there were before it.
        let generation: Int
    }

    private let provider: TokenProvider
    private var generation = 0
    private var refreshed: Token?
    private var refresh: Task<Token, any Error>?

    init(_ provider: @escaping TokenProvider) { self.provider = provider }

    /// The token to try first.
    func token() async throws -> Token {
        if let refresh { return try await value(of: refresh) }
        let generation = generation
        return Token(text: try await provider(false), generation: generation)
    }

    /// A token that is fresher than one that was refused.
    func token(after refused: Token) async throws -> Token {
        if let refresh { return try await value(of: refresh) }
        // Somebody else's refresh came in between: its token has not been refused yet.
        if let refreshed, refreshed.generation > refused.generation { return refreshed }
        let next = generation + 1
        let provider = provider
        // A task of its own: whoever asked first may be cancelled while others wait.
        let task = Task { Token(text: try await provider(true), generation: next) }
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
