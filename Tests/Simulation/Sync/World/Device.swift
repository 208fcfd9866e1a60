import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import TestSupport

/// A device: its file, its store and its sync, which it loses where it is killed, and what stays: its network and
/// clock.
final class Device {
    let number: Int
    let domain: Domain
    let network: FaultyNetwork
    private(set) var store: Store
    private(set) var sync: Sync
    private(set) var killSwitch: KillSwitch
    private var storeWatch: StoreWatch
    let responses = GatedRemote.Responses()
    let crossing: Crossing
    /// What it has heard of the server's changes.
    var heardChanges = 0
    /// The local edits that must reach the server.
    var promises: [Promise] = []
    /// When its clock was last set.
    var clockSetAt: Date?
    var session = Session()

    private let scenario: Scenario
    private let server: SimulatedServer
    private let trace: Trace
    let clock: DeviceClock
    private let folder: URL
    /// How often it was started.
    private(set) var life = 1
    private var madeRecords = 0
    private let identities = Locked(0)

    static let names = ["Anna", "Ben", "Clara", "Dora"]
    var name: String { Self.names[number] }

    init(
        _ number: Int, _ scenario: Scenario, _ server: SimulatedServer, _ world: WorldClock, _ trace: Trace,
        in folder: URL
    )
        throws
    {
        self.number = number
        domain = scenario.domain
        self.scenario = scenario
        self.server = server
        self.trace = trace
        self.folder = folder
        crossing = Crossing(seed: scenario.seed &* 43 &+ UInt64(number))
        clock = DeviceClock(world: world, skew: scenario.skew(ofDevice: number))
        network = FaultyNetwork(
            seed: scenario.seed &* 31 &+ UInt64(number), faults: scenario.faults, clock: world)
        let file = Self.file(folder, number, 1)
        killSwitch = KillSwitch(file, copy: Self.file(folder, number, 2))
        store = try domain.openStore(at: file)
        storeWatch = StoreWatch(store, checking: killSwitch.ignoring)
        sync = try Self.sync(
            store, scenario, server, network, clock, killSwitch, trace, responses, crossing, number)
        watch()
    }

    private static func file(_ folder: URL, _ number: Int, _ life: Int) -> URL {
        folder.appendingPathComponent("\(names[number])-\(life).sqlite")
    }

    private static func sync(
        _ store: Store, _ scenario: Scenario, _ server: SimulatedServer, _ network: FaultyNetwork,
        _ clock: DeviceClock, _ killSwitch: KillSwitch, _ trace: Trace, _ responses: GatedRemote.Responses,
        _ crossing: Crossing, _ number: Int
    ) throws -> Sync {
        let remote = GatedRemote(
            remote: server.remote(through: network), killSwitch: killSwitch, trace: trace, responses: responses,
            server: server, crossing: crossing)
        let numbers = Locked(SeededRandom(seed: scenario.seed &* 17 &+ UInt64(number)))
        return Sync.simulated(
            store: store, remote: remote, policy: scenario.policy,
            maximumConcurrentPushes: scenario.maximumConcurrentPushes, clock: clock
        ) { numbers.withLock { Double.random(in: 0..<1, using: &$0) } }
    }

    private func watch() { store.writer.writeWithoutTransaction { [killSwitch] in killSwitch.watch($0) } }

    var now: Date { clock.now }

    /// Fails if a transaction has broken an invariant of the store.
    func checkStore() throws { try storeWatch.check() }

    // MARK: Killing

    /// Does something, and is killed after so many statements, if it does so many.
    ///
    /// - Returns: Whether it was killed. Then it runs again, with what it had saved.
    func live(killedAfter statements: Int?, _ body: () async throws -> Void) async throws -> Bool {
        if let statements { killSwitch.arm(after: statements) }
        do {
            try await body()
        } catch {
            guard killSwitch.isDead else {
                killSwitch.disarm()
                throw error
            }
        }
        killSwitch.disarm()
        guard killSwitch.isDead else { return false }
        try relaunch()
        return true
    }

    private func relaunch() throws {
        if let problem = killSwitch.problem { throw problem }
        try checkStore()
        trace.note("\(name) is killed before “\(killSwitch.statement ?? "")”, and runs again")
        let old = Self.file(folder, number, life)
        try? store.close()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: old.path + suffix) }
        life += 1
        let file = Self.file(folder, number, life)
        killSwitch = KillSwitch(file, copy: Self.file(folder, number, life + 1))
        store = try domain.openStore(at: file)
        storeWatch = StoreWatch(store, checking: killSwitch.ignoring)
        sync = try Self.sync(
            store, scenario, server, network, clock, killSwitch, trace, responses, crossing, number)
        watch()
    }

    func close() { try? store.close() }

    // MARK: Identities

    /// A new record's key, which no other device makes.
    func makeKey(for entity: DomainEntity) -> DatabaseValue {
        madeRecords += 1
        let number = (number + 1) * 1_000 + madeRecords
        return entity.plan.columns[entity.plan.keyColumns[0]].type == .uuid
            ? DatabaseValue.madeUUID(number) : number.databaseValue
    }

    /// How responses are merged: new local identities come in an order of their own, too.
    func options(deletes: Bool) -> MergeOptions {
        var options = MergeOptions(records: deletes ? .all : [.insert, .update])
        options.newIdentity = { [identities, number] in
            identities.withLock { count in
                count += 1
                return UUID.fromDatabaseValue(.madeUUID(100_000 * (number + 1) + count)) ?? UUID()
            }
        }
        return options
    }

    func snapshot() async throws -> Snapshot { try await Snapshot(of: store, domain) }
}

extension DatabaseValue {
    /// A UUID by its number.
    static func madeUUID(_ number: Int) -> DatabaseValue {
        let digits = String(number)
        return ("00000000-0000-4000-9000-" + String(repeating: "0", count: 12 - digits.count) + digits).databaseValue
    }

    /// The same with letters, in upper case.
    static func uppercaseUUID(_ number: Int) -> DatabaseValue {
        ("ABCDEF" + madeUUID(number).keyText.dropFirst(6)).databaseValue
    }
}
