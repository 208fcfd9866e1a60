import Foundation
import LockstepSync
import LockstepSystem
import ServerJournal
import ServerTestSupport
import TestSupport

/// The server of the demo: a PostgreSQL with the tables and the functions that are generated from the schema.
struct DemoServer: Sendable {
    static let schemaPath = "Tests/Samples/ServerJournal/Journal.lockstep.yaml"

    let feed: PostgreSQLFeed
    private let server: PostgreSQLServer
    private let ending: DemoEnding
    private let isRunning = Locked(true)

    init(ending: DemoEnding) throws {
        self.ending = ending
        server = try ending.deferred { try PostgreSQLServer.own() }
        feed = try PostgreSQLFeed(yaml: Documentation.text(of: Self.schemaPath), at: server)
    }

    var folder: String { server.folder }

    /// An app uses `SupabaseRemote` or an address of PostgREST instead. Each request has its own session.
    func client(of user: PostgreSQLFeed.User) -> PostgreSQLGateway {
        PostgreSQLGateway { [feed, isRunning] statement in
            guard isRunning.withLock({ $0 }) else { throw URLError(.cannotConnectToHost) }
            do {
                return try feed.session(of: user).rows(statement)
            } catch let failure as CommandFailure where !failure.output.hasPrefix("ERROR:") {
                throw URLError(.networkConnectionLost)
            }
        }
    }

    /// The rows of a query of the owner, such as an administrator in `psql`.
    @discardableResult
    func rows(_ statement: String) throws -> [String] { try feed.session().rows(statement) }

    /// Kills the server while it executes a push that waits for the row of an entry.
    @MainActor func crash(at title: String, during push: @escaping @Sendable () async throws -> Void) async throws {
        let (writer, observer) = (try feed.session(), try feed.session())
        try writer.rows("BEGIN; SELECT FROM entry WHERE title = '\(title)' FOR UPDATE;")
        let pushing = Task(operation: push)
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0;"
        while try observer.rows(waiting) == ["0"] {}
        isRunning.withLock { $0 = false }
        try ending.deferred { try server.crash() }
        try await pushing.value
    }

    func restart() throws {
        try ending.deferred { try server.restart() }
        isRunning.withLock { $0 = true }
    }

    /// The rows of the table, as values.
    func entries() throws -> [EntryRepresentation] {
        try rows("SELECT row_to_json(e) FROM entry e;").map {
            try JSONDecoder().decode(EntryRepresentation.self, from: Data($0.utf8))
        }
    }

    func titles() throws -> String {
        try entries().map { "“\($0.title)”" }.sorted().joined(separator: ", ")
    }

    /// The number of the last change; it stays the same if a push changes nothing.
    func lastNumber() throws -> String { try rows("SELECT max(n) FROM lockstep_change;").joined() }
}
