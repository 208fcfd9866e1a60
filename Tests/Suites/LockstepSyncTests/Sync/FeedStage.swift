import Checklist
import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import TestSupport
import Testing

/// A remote whose feed is a list of pages, each under its cursor. The cursor of the first is `nil`.
final class ScriptedFeed: Remote {
    private let state = Locked((pages: [FeedPage?](), cursors: [String?](), sent: [OutgoingChange](), gate: Gate?.none))
    private let responses: @Sendable (OutgoingChange) -> SendResponse

    private let fetched: FetchResponse

    init(
        fetched: FetchResponse = .absent,
        responses: @escaping @Sendable (OutgoingChange) -> SendResponse = { _ in .unavailable(status: 503) }
    ) {
        (self.fetched, self.responses) = (fetched, responses)
    }

    var traits: RemoteTraits { RemoteTraits(hasFeed: true) }

    /// The cursors that were requested since the last call.
    func asked() -> [String] {
        state.withLock { state in
            defer { state.cursors = [] }
            return state.cursors.map { $0 ?? "start" }
        }
    }

    var sent: [OutgoingChange] { state.withLock { $0.sent } }

    /// Pages that are returned one after the other, whatever is requested. Then there is nothing new.
    func add(_ pages: FeedPage...) { state.withLock { $0.pages += pages } }

    /// After the pages that were added, a request fails.
    func addFailure() { state.withLock { $0.pages.append(nil) } }

    func feed(after cursor: String?) async throws -> FeedPage {
        let page = state.withLock { state -> FeedPage? in
            state.cursors.append(cursor)
            return state.pages.isEmpty ? FeedPage(cursor: cursor ?? "end") : state.pages.removeFirst()
        }
        guard let page else { throw SyncError(.network, reason: "the connection was lost", remedy: "Try again.") }
        return page
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { fetched }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        state.withLock { $0.sent.append(change) }
        return responses(change)
    }
}

extension FeedPage {
    /// A page about tasks.
    static func tasks(
        _ cursor: String, more: Bool = false, _ records: [(json: JSONObject, version: Int)] = [],
        in scope: String = "list:1", deleted: [(id: Int, version: Int, movedTo: String?)] = [],
        lost: [String] = []
    ) -> FeedPage {
        FeedPage(
            cursor: cursor, hasMore: more,
            changes: [
                .feed("Task", records, in: scope, deleted: deleted)
            ], lostScopes: lost)
    }
}

extension FeedPage.Changes {
    static func feed(
        _ entity: String, _ records: [(json: JSONObject, version: Int)] = [], in scope: String,
        deleted: [(id: Int, version: Int, movedTo: String?)] = []
    ) -> FeedPage.Changes {
        let list = (try? JSONValue.array(records.map { .object($0.json) }).json()) ?? Data()
        return FeedPage.Changes(
            of: entity, in: scope, records: list, versions: records.map { Int64($0.version) },
            deletions: deleted.map {
                FeedPage.Deletion(
                    RemoteIdentity([.integer(Int64($0.id))]), version: Int64($0.version), movedTo: $0.movedTo)
            })
    }
}

/// A device with lists of tasks.
struct FeedStage {
    let store: Store
    let sync: Sync
    let clock = ManualClock()

    init(_ remote: any Remote, store: Store? = nil, conflicts: ConflictPolicy = .localChangesWin) throws {
        self.store = try store ?? Store(ChecklistSchema.self, at: .inMemory)
        sync = Sync(
            store: self.store, remote: remote, conflicts: ConflictPolicies(conflicts),
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    /// The tasks: `1 Milk`.
    func tasks() async throws -> [String] {
        try await store.representations(Checklist.Task.order(\.id)).map { "\($0.id) \($0.title)" }
    }

    func lists() async throws -> [Int] { try await store.representations(List.order(\.id)).map(\.id) }

    func edit(_ id: Int, _ title: String) async throws {
        try await store.perform { context in
            try #require(try Checklist.Task.find(id, in: context)).title = title
            try context.save()
        }
    }

    func make(_ id: Int, _ title: String, in list: Int? = nil) async throws {
        try await store.perform { context in
            let task = Checklist.Task(id: id, title: title, context: context)
            if let list { task.list = try List.find(list, in: context) }
            try context.save()
        }
    }

    func delete(_ id: Int) async throws {
        try await store.perform { context in
            context.delete(try #require(try Checklist.Task.find(id, in: context)))
            try context.save()
        }
    }

    /// The pending changes: `update 1`, and `update 1 403` if it is parked.
    func pending() async throws -> [String] {
        try await store.outbox.pending().map { change in
            "\(change.kind) \(change.record)\(change.parked.map { " \($0.status)" } ?? "")"
        }
    }
}
