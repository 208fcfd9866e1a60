import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting

/// A server in memory that can be down, and that refuses what ``SimulatedServer`` says.
struct ServerDoor: Remote {
    let remote: any Remote
    let server: SimulatedServer

    var traits: RemoteTraits { remote.traits }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        guard server.door.withLock({ $0 }) else { throw SyncError.unreachable }
        guard !server.isSignedOut.withLock({ $0 }) else {
            return .records(FetchResponse.Records(body: .data(ServerResponse.page.body)))
        }
        return try await remote.fetch(request)
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        guard server.door.withLock({ $0 }) else { throw SyncError.unreachable }
        // As a remote does that hands back whatever came.
        guard !server.isSignedOut.withLock({ $0 }) else { return .accepted(body: ServerResponse.page.body) }
        guard !server.breaks(on: change.kind == .update ? change.changes : change.body) else {
            return .unavailable(status: 500)
        }
        guard !server.refuses(change) else {
            return .refused(status: 422, body: Data(#"{"errors": "is not taken"}"#.utf8))
        }
        defer { if change.kind == .delete { server.tidyLists() } }
        return try await server.mirroring { try await remote.send(change) }
    }
}

/// The connection to a server that can be down.
struct DoorClient: HTTPClient {
    let client: any HTTPClient
    let server: SimulatedServer

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        guard server.door.withLock({ $0 }) else { throw SyncError.unreachable }
        guard !server.isSignedOut.withLock({ $0 }) else {
            let page = ServerResponse.page
            return HTTPClientResponse(
                HTTPResponse(status: .ok, headerFields: page.headers), body: .data(page.body),
                address: URL(string: "http://localhost/sign_in"))
        }
        guard !server.breaks(on: body) else {
            return HTTPClientResponse(
                HTTPResponse(status: .internalServerError), body: .data(Data("undefined method".utf8)))
        }
        let mayDelete = request.method == .delete || request.path?.hasSuffix(SimulatedServer.batchPath) == true
        defer { if mayDelete { server.tidyLists() } }
        return try await server.mirroring { try await client.send(request, body: body) }
    }
}
