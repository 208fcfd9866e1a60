import Checklist
import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing

/// A server used by the stories.
enum Backend: CaseIterable, Sendable {
    case memory, rails, railsOverSocket, firebase, firebaseOverSocket

    /// Runs a story with a remote, and with the view of another device.
    func run(
        _ story: (_ remote: any Remote, _ record: @Sendable (String) -> JSONValue?) async throws -> Void
    ) async throws {
        let path = "/lists"
        switch self {
        case .memory:
            let remote = MemoryRemote()
            try await story(remote) { remote.record($0, of: path) }
        case .rails, .railsOverSocket:
            let server = FakeRails(RailsRules(hasVersions: true))
            try await run(server, story) { RESTRemote(server.url, client: $0, usesVersions: true) }
        case .firebase, .firebaseOverSocket:
            let server = FakeFirebase()
            try await run(server, story) { FirebaseRemote(server.url, client: $0) }
        }
    }

    private func run(
        _ server: some FakeServer,
        _ story: (_ remote: any Remote, _ record: @Sendable (String) -> JSONValue?) async throws -> Void,
        _ remote: (any HTTPClient) -> any Remote
    ) async throws {
        let isOverSocket = self == .railsOverSocket || self == .firebaseOverSocket
        if isOverSocket { try await server.listen() }
        do {
            try await story(remote(isOverSocket ? URLSessionClient(timeouts: .unlimited) : server.client)) {
                server.record($0, of: "/lists")
            }
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}

@Suite("One story, in memory and over every server") struct RemoteStories {
    private let lists = RemoteEntity(Checklist.List.entity.plan)

    private func change(
        _ kind: OutgoingChange.Kind, _ json: JSONValue, version: String? = nil
    ) throws -> OutgoingChange {
        OutgoingChange(
            kind: kind, entity: lists, identity: RemoteIdentity([7]), body: try json.json(),
            changes: try json.json(), idempotencyKey: "\(kind) \(json)", version: version)
    }

    @Test("A list is created, read, changed and deleted", arguments: Backend.allCases)
    func wholeWay(_ backend: Backend) async throws {
        try await backend.run { remote, record in
            let made = try await remote.send(change(.create, ["id": 7, "name": "Shopping"]))
            guard case .accepted = made else { throw SyncError(.malformed, reason: "\(made)", remedy: "") }
            #expect(record("7")?["name"] == "Shopping")
            let fetched = try await remote.fetch(
                RemoteRequest(entity: lists, target: .record(RemoteIdentity([7]))))
            guard case .records(let records) = fetched else {
                throw SyncError(.malformed, reason: "\(fetched)", remedy: "")
            }
            let body = try JSONValue(json: try await records.body.collected(upTo: 10_000))
            #expect(body["name"] == "Shopping" || body["7"]?["name"] == "Shopping")
            let changed = try await remote.send(change(.update, ["name": "Errands"], version: records.version))
            guard case .accepted = changed else { throw SyncError(.malformed, reason: "\(changed)", remedy: "") }
            #expect(record("7")?["name"] == "Errands")
            let outdated = try await remote.send(change(.update, ["name": "Too late"], version: records.version))
            guard case .outdated = outdated else { throw SyncError(.malformed, reason: "\(outdated)", remedy: "") }
            #expect(record("7")?["name"] == "Errands")
            let deleted = try await remote.send(change(.delete, .null))
            guard case .accepted = deleted else { throw SyncError(.malformed, reason: "\(deleted)", remedy: "") }
            #expect(record("7") == nil)
        }
    }
}
