import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync

/// An HTTP client behind an unreliable network.
struct FaultyClient: HTTPClient {
    let client: any HTTPClient
    let network: FaultyNetwork

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        let plan = try await network.plan(label(of: request))
        switch plan.fault {
        case .requestLost: throw SyncError.gaveUp
        case .late:
            network.addLate(plan) { await deliver(request, body: body) }
            throw SyncError.gaveUp
        case .unavailable: return intermediaryResponse(plan)
        case .portal: return HTTPClientResponse(ServerResponse.page.head, body: .data(ServerResponse.page.body))
        case .badGateway:
            await deliver(request, body: body)
            return intermediaryResponse(plan)
        case .responseLost:
            await deliver(request, body: body)
            throw SyncError.lostConnection(reading: "the response")
        case .duplicated: await deliver(request, body: body)
        case .duplicatedLate: network.addLate(plan) { await deliver(request, body: body) }
        case .truncated, .delayed, nil: break
        }
        let response = try await client.send(request, body: body)
        try network.checkOnline()
        let isCut = plan.fault == .truncated
        if response.head.headerFields[.contentType]?.hasPrefix("text/event-stream") == true {
            let pieces = network.passing(response.body.pieces, breakingAfter: isCut ? plan.piecesBefore : nil)
            return HTTPClientResponse(response.head, body: HTTPBody(pieces), address: response.address)
        }
        guard isCut else { return response }
        let body = HTTPBody.brokenOff(try await response.body.collected(upTo: .max))
        return HTTPClientResponse(response.head, body: body, address: response.address)
    }

    /// Lets the server handle the request, and discards the response without waiting for the body, since a stream has
    /// no end.
    private func deliver(_ request: HTTPRequest, body: Data?) async {
        _ = try? await client.send(request, body: body)
    }

    /// The response of an intermediary.
    private func intermediaryResponse(_ plan: FaultPlan) -> HTTPClientResponse {
        var headers: HTTPFields = [.contentType: "text/html"]
        headers[.retryAfter] = plan.retryAfterSeconds.map(String.init)
        return HTTPClientResponse(
            HTTPResponse(status: .init(code: plan.status), headerFields: headers),
            body: .data(Data("<html><body>\(plan.status)</body></html>".utf8)))
    }

    private func label(of request: HTTPRequest) -> String {
        ServerRequest(request.method, request.path ?? "/").description
    }
}

extension HTTPBody {
    var pieces: AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream<Data, any Error> { continuation in
            let task = Task {
                do {
                    for try await piece in self { continuation.yield(piece) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
