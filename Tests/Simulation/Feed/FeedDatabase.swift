import Foundation
import LockstepSync
package import ServerTestSupport

/// A real PostgreSQL with the server of a schema of lists and tasks. One simulation uses it at a time.
package final class FeedDatabase: FeedServer, @unchecked Sendable {
    private let feed: PostgreSQLFeed
    private(set) var owner: PostgreSQLSession
    /// Looks at what the others wait for.
    private var observer: PostgreSQLSession
    /// The sessions of users, by name.
    private var sessions: [String: PostgreSQLSession] = [:]
    /// The sessions with an open transaction, the oldest first, and those without one.
    private var (open, idle): ([PostgreSQLSession], [PostgreSQLSession]) = ([], [])
    private var maximumPageSize = 1_000
    /// How the process that executes the next push is killed.
    var kill: Kill?
    /// The process that was killed.
    private var killed: String?

    /// What is saved and restored.
    private static let tables = ["list", "task", "granted", "lockstep_scope", "lockstep_change", "lockstep_request"]

    /// - Parameters:
    ///   - server: Where it is; `nil` for the one that all tests share.
    ///   - mutate: Changes the SQL of the server, to see what fails without a part of it.
    package init(at server: PostgreSQLServer? = nil, mutate: (String) -> String = { $0 }) throws {
        feed = try PostgreSQLFeed(yaml: Self.schema, at: server, mutate: mutate)
        (owner, observer) = (try feed.session(), try feed.session())
        try owner.rows(Self.rights)
    }

    /// The entities of the devices, with their scopes.
    private static let schema = """
        lockstep: 1
        schema: Checklist
        server: { access: custom }
        enums:
          TaskStatus: { type: int, cases: { open: 0, closed: 1, invalidated: 2 } }
        entities:
          List:
            scope: self
            attributes: { id: int, name: string }
            relationships:
              tasks: { to: [Task], inverse: list, onDelete: cascade, wire: none }
          Task:
            scope: list
            attributes: { id: int, title: string, status: { type: TaskStatus, default: open } }
            relationships:
              list: { to: List, inverse: tasks, key: checklistID }
              parentTask: { to: Task?, inverse: subTasks }
              subTasks: { to: [Task], inverse: parentTask, onDelete: cascade, sortedBy: id }
        """

    /// Lists are granted to users, and a new one to who creates it.
    private static let rights = """
        CREATE TABLE granted (list bigint NOT NULL, reader text NOT NULL, PRIMARY KEY (list, reader));
        CREATE OR REPLACE FUNCTION lockstep_readable() RETURNS SETOF text
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS
            $$ SELECT 'list/' || g.list FROM granted g WHERE g.reader = lockstep_user() $$;
        CREATE OR REPLACE FUNCTION lockstep_writable() RETURNS SETOF text
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$ SELECT lockstep_readable() $$;
        CREATE OR REPLACE FUNCTION lockstep_creates(entity text) RETURNS boolean
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$ SELECT TRUE $$;
        CREATE FUNCTION grant_created() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$ BEGIN
            INSERT INTO granted SELECT NEW.id, lockstep_user() WHERE lockstep_user() IS NOT NULL ON CONFLICT DO NOTHING;
            RETURN NULL;
        END $$;
        CREATE TRIGGER grant_created AFTER INSERT ON list FOR EACH ROW EXECUTE FUNCTION grant_created();
        """

    /// The server without anything in it, of another epoch.
    func emptied(_ habits: FeedHabits) throws -> any FeedServer {
        maximumPageSize = habits.pageSize
        try replaceRows { "DELETE FROM \($0);" }
        return self
    }

    // MARK: Devices

    func remote(for user: String) -> any Remote {
        let gateway = PostgreSQLGateway(maximumPageSize: maximumPageSize) { [self] in try run($0, for: user) }
        return PostgRESTRemote(URL(string: "https://example.com")!, client: gateway)
    }

    private func run(_ statement: String, for user: String) throws -> [String] {
        do {
            let session = try sessions[user] ?? feed.session(subject: user)
            sessions[user] = session
            guard let kill, statement.contains("lockstep_push(") else { return try run(statement, in: session) }
            self.kill = nil
            sessions[user] = nil
            killed = try session.rows("SELECT pg_backend_pid();")[0]
            // If the process lives longer than the statement, the session ends before the response arrives.
            _ = try session.rows(kill.setting + statement)
            throw URLError(.networkConnectionLost)
        } catch is PostgreSQLSession.Ended {
            sessions[user] = nil
            throw URLError(.networkConnectionLost)
        }
    }

    /// Waits until nothing is left of the process that was killed.
    func recover() throws {
        kill = nil
        guard let process = killed else { return }
        killed = nil
        // A server of which a process was killed by the system ends all sessions, and accepts none while it recovers.
        let query = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process);"
        while true {
            do {
                if try owner.rows(query) == ["0"] { return }
            } catch is PostgreSQLSession.Ended {
                guard let owner = try? feed.session(), let observer = try? feed.session() else { continue }
                (self.owner, self.observer, sessions) = (owner, observer, [:])
            }
        }
    }

    /// Executes a statement. If it waits for an open transaction, that is committed, as its owner would in the end.
    @discardableResult
    private func run(_ statement: String, in session: PostgreSQLSession) throws -> [String] {
        if open.isEmpty { return try session.rows(statement) }
        return try session.rows(statement, observer: observer) { try commitOldest() }
    }

    func identities(of entity: String) throws -> [Int] {
        try owner.rows("SELECT id FROM \(entity.lowercased());").compactMap { Int($0) }
    }

    func records(for user: String) throws -> [String] {
        let lists = #"SELECT format('List %s "%s"', id, name) FROM list ORDER BY id;"#
        let place = "list_id, coalesce(parent_task_id::text, 'NULL')"
        let tasks = #"SELECT format('Task %s "%s" in %s of %s', id, title, \#(place)) FROM task ORDER BY id;"#
        return try run(lists, for: user) + run(tasks, for: user)
    }

    // MARK: What others do

    func write(_ write: FeedWrite) throws { try givingUp { try run(write.statement, in: owner) } }

    func begin(_ write: FeedWrite) throws {
        let session = try idle.popLast() ?? feed.session()
        try session.rows("BEGIN;")
        try givingUp { try run(write.statement, in: session) }
        open.append(session)
    }

    /// Gives up a transaction that PostgreSQL has ended, because two waited for each other.
    private func givingUp(_ body: () throws -> Void) throws {
        do { try body() } catch let error as CommandFailure where error.output.contains("deadlock detected") {}
    }

    @discardableResult
    func commitOldest() throws -> Bool {
        guard !open.isEmpty else { return false }
        let session = open.removeFirst()
        idle.append(session)
        try givingUp { try session.rows("COMMIT;") }
        return true
    }

    func grant(_ list: Int, to user: String) throws {
        try run("INSERT INTO granted VALUES (\(list), '\(user)') ON CONFLICT DO NOTHING;", in: owner)
    }

    func revoke(_ list: Int, from user: String) throws {
        try run("DELETE FROM granted WHERE list = \(list) AND reader = '\(user)';", in: owner)
    }

    func expireDeletions() throws {
        try owner.rows("UPDATE lockstep_change SET gone = gone - interval '2 days' WHERE gone IS NOT NULL;")
        try run("SELECT lockstep_expire(1);", in: owner)
    }

    func save() throws {
        for table in Self.tables {
            try owner.rows("DROP TABLE IF EXISTS saved_\(table); CREATE TABLE saved_\(table) AS TABLE \(table);")
        }
    }

    func restore() throws { try replaceRows { "DELETE FROM \($0); INSERT INTO \($0) SELECT * FROM saved_\($0);" } }

    /// Replaces the rows of all tables without their triggers, as whoever restores a backup does.
    private func replaceRows(_ statements: (_ table: String) -> String) throws {
        for session in open { try session.rows("ROLLBACK;") }
        (idle, open) = (idle + open, [])
        try owner.rows(
            """
            BEGIN; SET LOCAL session_replication_role = replica; \(Self.tables.map(statements).joined())
            SELECT lockstep_restored() \\g /dev/null
            COMMIT;
            """)
    }
}

extension FeedWrite {
    fileprivate var statement: String {
        switch self {
        case .addList(let id, let name): "INSERT INTO list (id, name) VALUES (\(id), '\(name)');"
        case .addTask(let id, let title, let list):
            "INSERT INTO task (id, title, list_id) VALUES (\(id), '\(title)', \(list));"
        case .setTitle(let title, let task): "UPDATE task SET title = '\(title)' WHERE id = \(task);"
        case .move(let task, let list): "UPDATE task SET list_id = \(list) WHERE id = \(task);"
        case .deleteTask(let task): "DELETE FROM task WHERE id = \(task);"
        case .deleteList(let list): "DELETE FROM list WHERE id = \(list);"
        }
    }
}
