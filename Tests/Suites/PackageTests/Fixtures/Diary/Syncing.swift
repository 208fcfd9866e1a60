import Foundation
import HTTPTypes
import LockstepSync

/// What an app tells a sync, and what it conforms to.
@MainActor
final class DiarySync {
    let sync: Sync
    private(set) var status = ""
    private var task: Task<Void, any Error>?

    init(store: Store, client: any HTTPClient) throws {
        let url = URL(string: "https://example.com/api")!
        store.customizeMerge(
            of: Entry.self,
            MergeCustomization(
                willInsert: { json, _ in
                    var json = json
                    if json["title"] == nil { json["title"] = "Untitled" }
                    return json
                },
                didMerge: { summary, _ in print(summary.identities(.inserted, of: Entry.self).count) }))
        let remote = ChangesRemote(server: JSONServer(url, client: client))
        sync = Sync(store: store, remote: remote, conflicts: policies, clock: Noon())
    }

    func start() {
        task = Task { try await sync.run(RunOptions(network: AlwaysOnline())) }
        Task {
            for await status in sync.status { show(status) }
        }
    }

    func refresh() async {
        do {
            try await sync.pull(Entry.self)
            let summary = try await sync.push()
            for change in summary.parked { print(change.record, change.parked?.status ?? 0) }
        } catch {
            status = "\(error)"
        }
    }

    private func show(_ status: SyncStatus) { self.status = "\(status)" }
}

let policies = ConflictPolicies(.localChangesWin).using(.newestWins(by: "timestamp"), for: Entry.self).using(
    .custom(Note.self) { base, local, remote in
        guard var note = remote else { return local }
        if local.text != base?.text { note.text = local.text }
        return note
    }, for: Note.self)

/// A server with two endpoints.
struct ChangesRemote: Remote {
    let server: JSONServer

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        try await server.get(path(of: request.entity), for: request).fetchResponse()
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let message: JSONValue = ["key": .string(change.idempotencyKey), "type": .string(change.entity.name)]
        return try await server.send(.post, "/changes", body: message.json(), for: change).sendResponse()
    }

    private func path(of entity: RemoteEntity) -> String { "/export" + entity.path }
}

struct CannedClient: HTTPClient {
    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        HTTPClientResponse(HTTPResponse(status: .ok), body: .data(Data("[]".utf8)))
    }
}

struct Noon: SyncClock {
    var now: Date { Date(timeIntervalSince1970: 43_200) }

    func sleep(until deadline: Date) async throws { try Task.checkCancellation() }
}

struct AlwaysOnline: NetworkPath {
    var availability: AsyncStream<Bool> { AsyncStream { $0.yield(true) } }
}

struct NoPhotos: AttachmentRemote {
    let name = "none"

    func upload(_ attachment: FileAttachment) async throws {}

    func download(_ attachment: FileAttachment, from offset: Int) async throws -> AttachmentBody {
        AttachmentBody(.empty)
    }
}
