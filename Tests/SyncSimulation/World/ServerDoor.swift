import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync

/// A server in memory that can be down, and that refuses what ``SimulatedServer`` says.
struct ServerDoor: Remote {
    let remote: any Remote
    let server: SimulatedServer

    var traits: RemoteTraits { remote.traits }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        guard server.door.withLock({ $0 }) else { throw SyncError.unreachable }
        return try await remote.fetch(request)
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        guard server.door.withLock({ $0 }) else { throw SyncError.unreachable }
        guard !server.refuses(change) else {
            return .refused(status: 422, body: Data(#"{"errors": "is not taken"}"#.utf8))
        }
        defer { if change.kind == .delete { server.tidyLists() } }
        return try await remote.send(change)
    }
}

/// The connection to a server that can be down.
struct DoorClient: HTTPClient {
    let client: any HTTPClient
    let server: SimulatedServer

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPAnswer {
        guard server.door.withLock({ $0 }) else { throw SyncError.unreachable }
        defer { if request.method == .delete { server.tidyLists() } }
        return try await client.send(request, body: body)
    }
}
