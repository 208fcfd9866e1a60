import Contests
import Foundation
import HTTPTypes
import LockstepSync
import Synchronization

/// Responds with what was sent, at once: what is left is the push itself.
struct CannedClient: HTTPClient {
    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        let response = HTTPResponse(
            status: request.method == .post ? .created : .ok, headerFields: [.contentType: "application/json"])
        return HTTPClientResponse(response, body: .data(body ?? Data()))
    }
}

/// Ends the push when the first request is to leave.
final class FirstRequest: HTTPClient {
    private let start = Contests.Clock()
    private let seen = Mutex<Time?>(nil)

    /// What was taken until then.
    var time: Time? { seen.withLock { $0 } }

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        let time = start.time()
        seen.withLock { $0 = $0 ?? time }
        throw CancellationError()
    }
}
