package import Foundation
package import HTTPTypes
package import LockstepSync

/// Sends requests to a fake server without a connection. The responses are the same as over a socket.
///
/// It follows redirects within the server: 303 as a GET, others for requests without a body. A stopped server cannot be
/// reached.
package struct InProcessClient: HTTPClient {
    let core: ServerCore

    /// The maximum number of redirects; more are a loop.
    private static let redirectLimit = 5

    /// - Throws: A `SyncError` with the code `network` if the server does not respond, and `CancellationError`.
    package func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        try Task.checkCancellation()
        var target = request.path ?? "/"
        var (request, body) = (request, body)
        let asked = target
        for _ in 0..<Self.redirectLimit {
            let received = ServerRequest(request.method, target, headers: request.headerFields, body: body ?? Data())
            let reply = try await core.reply(to: received)
            if case .response(let response) = reply, response.status == 303 { (request.method, body) = (.get, nil) }
            guard let next = redirect(reply, of: request) else {
                let isRedirected = target != asked
                return try response(reply, from: isRedirected ? address(of: request, target: target) : nil)
            }
            target = next
        }
        throw SyncError(.network, reason: "the server redirects endlessly", remedy: "Check the server.")
    }

    /// The target of a redirect within the server.
    private func redirect(_ reply: ServerReply, of request: HTTPRequest) -> String? {
        guard case .response(let response) = reply, [301, 302, 303, 307, 308].contains(response.status),
            request.method == .get
        else { return nil }
        guard let location = response.headers[.location], let url = URLComponents(string: location) else { return nil }
        return url.percentEncodedPath + (url.percentEncodedQuery.map { "?" + $0 } ?? "")
    }

    private func address(of request: HTTPRequest, target: String) -> URL? {
        URL(string: "\(request.scheme ?? "http")://\(request.authority ?? "localhost")\(target)")
    }

    private func response(_ reply: ServerReply, from address: URL?) throws -> HTTPClientResponse {
        switch reply {
        case .none: throw SyncError.lostConnection(reading: "the response")
        case .response(let response):
            return HTTPClientResponse(response.head, body: .data(response.body), address: address)
        case .truncated(let response):
            return HTTPClientResponse(response.head, body: .brokenOff(response.body), address: address)
        case .stream(let response, let events):
            return HTTPClientResponse(
                response.head, body: HTTPBody(events.preceded(by: response.body)), address: address)
        }
    }
}

extension ServerResponse {
    var head: HTTPResponse { HTTPResponse(status: .init(code: status), headerFields: headers) }
}

extension AsyncThrowingStream where Element == Data, Failure == any Error {
    /// The same, after some initial bytes.
    func preceded(by bytes: Data) -> AsyncThrowingStream<Data, any Error> {
        let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        if !bytes.isEmpty { continuation.yield(bytes) }
        let task = Task {
            do {
                for try await piece in self { continuation.yield(piece) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
