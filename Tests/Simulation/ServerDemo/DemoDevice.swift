import Foundation
import LockstepStore
import LockstepSync
import ServerJournal
import ServerTestSupport

/// A device of the demo: a journal in its own file, and its sync.
struct DemoDevice {
    let store: Store
    let sync: Sync
    private let user: PostgreSQLFeed.User

    init(_ name: String, of user: PostgreSQLFeed.User, in folder: String, client: any HTTPClient) throws {
        self.user = user
        store = try Store(JournalSchema.self, at: .file(URL(fileURLWithPath: "\(folder)/\(name).sqlite")))
        sync = Sync(
            store: store, remote: PostgRESTRemote(URL(string: "https://example.com/api")!, client: client),
            retries: RetrySchedule(attemptsPerPush: 1))
    }

    /// Sends the changes of the phone, and ends its process as the system does: the server has applied the changes, but
    /// the response does not arrive.
    static func pushAndDie(in folder: String, namespace: String) async throws {
        let feed = try PostgreSQLFeed(namespace: namespace, at: PostgreSQLServer(startedIn: folder))
        let session = try feed.session(of: .ann)
        let client = PostgreSQLGateway { statement in
            _ = try session.rows(statement)
            kill(getpid(), SIGKILL)
            return []
        }
        _ = try await DemoDevice("phone", of: .ann, in: folder, client: client).sync.push()
    }

    func write(_ title: String, _ mood: Mood) async throws {
        let author = UUID(uuidString: user.rawValue)!
        try await change { _ = Entry(author: author, title: title, mood: mood, context: $0) }
    }

    func edit(_ title: String, _ body: @escaping @Sendable (Entry) -> Void) async throws {
        try await change { body(try entry(title, in: $0)) }
    }

    func delete(_ title: String) async throws {
        try await change { $0.delete(try entry(title, in: $0)) }
    }

    private func change(_ body: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
        try await store.perform { context in
            try body(context)
            try context.save()
        }
    }

    private func entry(_ title: String, in context: ManagedObjectContext) throws -> Entry {
        let entries = try context.fetch(Entry.filter { $0.title == title })
        guard let entry = entries.first else { throw DemoFailure.noEntry(title) }
        return entry
    }

    /// All entries, as values.
    func entries() async throws -> [EntryRepresentation] { try await store.representations(Entry.order(\.id)) }

    func pendingCount() async throws -> Int { try await store.outbox.count() }
}

/// Why the demo ends with an error.
enum DemoFailure: Error, CustomStringConvertible {
    case noEntry(String)
    case unexpected(String)
    case differences([String])

    var description: String {
        switch self {
        case .noEntry(let title): "there is no entry “\(title)”"
        case .unexpected(let text): text
        case .differences(let lines): "the journals differ:\n" + lines.joined(separator: "\n")
        }
    }
}
