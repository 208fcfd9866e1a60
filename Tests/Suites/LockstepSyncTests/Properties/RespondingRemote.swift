import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem

/// A remote whose response to each change is what a test says, and that notes the changes.
final class RespondingRemote: Remote {
    typealias Respond = @Sendable (OutgoingChange) async throws -> SendResponse

    let traits: RemoteTraits
    private let responses = Locked<[Respond]>([])
    private let log = Locked<[OutgoingChange]>([])

    init(traits: RemoteTraits = RemoteTraits()) { self.traits = traits }

    /// The changes that were sent.
    var sent: [OutgoingChange] { log.withLock { $0 } }

    /// Adds the response to the next change without one. Without any, changes are accepted without a body.
    func respond(_ body: @escaping Respond) { responses.withLock { $0.append(body) } }

    func respond(json: JSONValue) {
        respond { _ in .accepted(body: try json.json()) }
    }

    /// No response arrives.
    func respondNothing() {
        respond { _ in throw SyncError(.network, reason: "the response was lost", remedy: "Try again.") }
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { .absent }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        log.withLock { $0.append(change) }
        let respond = responses.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        return try await respond?(change) ?? .accepted(body: nil)
    }
}
