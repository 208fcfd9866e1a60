import Checklist
import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import TestSupport

/// A device of a user, whose server has a feed. It is killed between two statements, and runs again with what its file
/// has then.
final class FeedDevice {
    let user: String
    let number: Int
    let network: FaultyNetwork
    private(set) var store: Store
    private(set) var sync: Sync
    private var killSwitch: KillSwitch
    private var storeWatch: StoreWatch
    private let server: any FeedServer
    private let clock: WorldClock
    private let trace: Trace
    private let folder: URL
    private let seed: UInt64
    private var life = 1
    private var madeRecords = 0

    init(
        _ user: String, number: Int, server: any FeedServer, clock: WorldClock, trace: Trace, folder: URL, seed: UInt64
    ) throws {
        (self.user, self.number, self.server, self.clock) = (user, number, server, clock)
        (self.trace, self.folder, self.seed) = (trace, folder, seed)
        network = FaultyNetwork(seed: seed &* 31 &+ UInt64(number), faults: .train, clock: clock)
        let file = folder.appendingPathComponent("\(user)-\(number)-1.sqlite")
        let copy = folder.appendingPathComponent("\(user)-\(number)-2.sqlite")
        killSwitch = KillSwitch(file, copy: copy)
        store = try Self.openStore(file)
        storeWatch = StoreWatch(store, checking: killSwitch.ignoring)
        sync = Self.sync(
            store, remote: try MortalRemote(network.remote(server.remote(for: user)), killSwitch, trace), clock: clock)
        watch()
    }

    private static func openStore(_ file: URL) throws -> Store {
        var configuration = Configuration()
        // What a killed process has written stays, synced or not; a simulation loses no power.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        return try Store(ChecklistSchema.self, at: .file(file), configuration: configuration)
    }

    private static func sync(_ store: Store, remote: any Remote, clock: WorldClock) -> Sync {
        Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 2), maximumConcurrentPushes: 1,
            clock: clock, random: { 0.5 })
    }

    private func watch() { store.writer.writeWithoutTransaction { [killSwitch] in killSwitch.watch($0) } }

    func close() { try? store.close() }

    /// A number that no other device gives to a record.
    func makeID() -> Int {
        madeRecords += 1
        return number * 1_000 + madeRecords
    }

    /// Does something, and is killed after so many statements, if it does so many. A server that cannot be reached, or
    /// refuses something, is no problem.
    func live(killedAfter statements: Int?, _ body: (FeedDevice) async throws -> Void) async throws {
        if let statements { killSwitch.arm(after: statements) }
        do { try await body(self) } catch let error as SyncError {
            guard killSwitch.isDead || error.isTransient else { throw error }
        } catch {
            guard killSwitch.isDead else { throw error }
        }
        killSwitch.disarm()
        if killSwitch.isDead { try relaunch() }
    }

    private func relaunch() throws {
        if let problem = killSwitch.problem { throw problem }
        try checkStore()
        trace.note("\(user) \(number) is killed before “\(killSwitch.statement ?? "")”, and runs again")
        try? store.close()
        life += 1
        let file = folder.appendingPathComponent("\(user)-\(number)-\(life).sqlite")
        killSwitch = KillSwitch(file, copy: folder.appendingPathComponent("\(user)-\(number)-\(life + 1).sqlite"))
        store = try Self.openStore(file)
        storeWatch = StoreWatch(store, checking: killSwitch.ignoring)
        sync = Self.sync(
            store, remote: try MortalRemote(network.remote(server.remote(for: user)), killSwitch, trace), clock: clock)
        watch()
    }

    /// Fails if a transaction has broken an invariant of the store.
    func checkStore() throws { try storeWatch.check() }

    /// Its records, as the server would list them.
    func records() async throws -> [String] {
        try await store.reading("comparing") { database in
            let lists = try database.valueRows("SELECT id, name FROM list ORDER BY id")
            let tasks = try database.valueRows("SELECT id, title, list_id, parent_task_id FROM task ORDER BY id")
            return lists.map { "List \($0[0]) \($0[1])" }
                + tasks.map { "Task \($0[0]) \($0[1]) in \($0[2]) of \($0[3])" }
        }
    }
}

/// A remote that tells the trace what passes, and through which nothing passes once its device was killed.
private struct MortalRemote: Remote {
    let remote: any Remote
    let killSwitch: KillSwitch
    let trace: Trace

    init(_ remote: any Remote, _ killSwitch: KillSwitch, _ trace: Trace) {
        (self.remote, self.killSwitch, self.trace) = (remote, killSwitch, trace)
    }

    var traits: RemoteTraits { remote.traits }

    private func passing<Value>(
        _ what: String, _ body: () async throws -> Value, outcome: (Value) -> String
    ) async throws -> Value {
        if killSwitch.isDead { throw CancellationError() }
        let value: Value
        do { value = try await body() } catch {
            trace.note("\(what) → \((error as? SyncError).map { "\($0.code)" } ?? "cancelled")")
            throw error
        }
        trace.note("\(what) → \(outcome(value))")
        if killSwitch.isDead { throw CancellationError() }
        return value
    }

    func feed(after cursor: String?) async throws -> FeedPage {
        try await passing("feed after \(cursor ?? "nothing")") {
            try await remote.feed(after: cursor)
        } outcome: { page in
            page.isExpired ? "expired" : page.text
        }
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        try await passing("fetch \(request.entity.name)") {
            try await remote.fetch(request)
        } outcome: {
            if case .records(let records) = $0 { "v\(records.version ?? "?")" } else { "absent" }
        }
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        try await passing(change.text) {
            try await remote.send(change)
        } outcome: {
            $0.text
        }
    }

    func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] {
        try await passing(changes.map(\.text).joined(separator: ", ")) {
            try await remote.send(batch: changes)
        } outcome: { results in
            results.map { result in
                switch result {
                case .response(let response): response.text
                case .failure(let error): "\(error)"
                case .unsent: "unsent"
                }
            }.joined(separator: ", ")
        }
    }
}

extension OutgoingChange {
    /// What it changes, in a line.
    fileprivate var text: String {
        let body = String(decoding: kind == .update ? changes : body, as: UTF8.self)
        return "\(kind) \(entity.name) \(identity?.text ?? "new") \(body)\(version.map { " if \($0)" } ?? "")"
    }
}

extension SendResponse {
    /// What the server did, in a line.
    fileprivate var text: String {
        switch self {
        case .accepted(let body, let version, _):
            "accepted v\(version ?? "?")\(body == nil ? "" : " with the record")"
        case .outdated(_, let version): "outdated, v\(version ?? "?")"
        case .absent: "absent"
        case .refused(let status, _): "refused \(status)"
        case .unavailable(let status, _): "unavailable \(status)"
        }
    }
}

extension FeedPage {
    /// What it has, in a line.
    fileprivate var text: String {
        let parts = changes.map { changes in
            let deletions = changes.deletions.map { deletion in
                "-\(deletion.identity.text) v\(deletion.version)\(deletion.movedTo.map { " to \($0)" } ?? "")"
            }
            return
                "\(changes.scope): \(String(decoding: changes.records, as: UTF8.self)) v\(changes.versions) \(deletions)"
        }
        return "\(cursor)\(hasMore ? " …" : "") \(parts.joined(separator: "; "))"
            + (lostScopes.isEmpty ? "" : ", lost \(lostScopes)")
    }
}
