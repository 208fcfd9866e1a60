import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import TestSupport

/// A device: its file, the version of its app, and what it has made.
final class JournalDevice {
    static let names = ["Anna", "Ben", "Clara"]

    let number: Int
    let network: FaultyNetwork
    private(set) var version: JournalVersion
    private(set) var store: Store
    private(set) var sync: Sync
    private var storeWatch: StoreWatch
    private let file: URL
    private let remote: any Remote
    private let clock: any SyncClock
    private let numbers: Locked<SeededRandom>
    private var madeCount = 0

    var name: String { Self.names[number] }

    init(
        _ number: Int, _ scenario: VersionScenario, _ server: JournalServer, _ version: JournalVersion,
        _ clock: any SyncClock, _ trace: VersionTrace, in folder: URL
    ) throws {
        self.number = number
        self.version = version
        self.clock = clock
        network = FaultyNetwork(seed: scenario.seed &* 31 &+ UInt64(number), faults: scenario.faults, clock: clock)
        let door = JournalDoor(server: server, device: Self.names[number], trace: trace)
        remote = JournalExit(network: network.remote(door), server: server, device: Self.names[number])
        numbers = Locked(SeededRandom(seed: scenario.seed &* 17 &+ UInt64(number)))
        file = folder.appendingPathComponent("\(Self.names[number]).sqlite")
        store = try version.open(file)
        storeWatch = StoreWatch(store)
        sync = Self.sync(store, remote, clock, numbers)
    }

    private static func sync(
        _ store: Store, _ remote: any Remote, _ clock: any SyncClock, _ numbers: Locked<SeededRandom>
    ) -> Sync {
        Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 2), maximumConcurrentPushes: 1,
            clock: clock
        ) {
            numbers.withLock { Double.random(in: 0..<1, using: &$0) }
        }
    }

    /// Ends the app, and starts the one of a version with the same file.
    func relaunch(as version: JournalVersion) throws {
        try checkStore()
        try store.close()
        store = try version.open(file)
        storeWatch = StoreWatch(store)
        sync = Self.sync(store, remote, clock, numbers)
        self.version = version
    }

    /// Opens the file, which must not be migrated, as another version, and closes it.
    func tryOpening(as version: JournalVersion) throws { try version.open(file, migration: .never).close() }

    func close() { try? store.close() }

    /// Fails if a transaction, or a migration, has broken an invariant of the store.
    func checkStore() throws { try storeWatch.check() }

    func snapshot() async throws -> DeviceSnapshot { try await DeviceSnapshot(of: store, version) }

    /// Whether it knows that pictures have members that its version does not know.
    func expectsMore() async throws -> Bool {
        try await store.writer.read { try UnknownMemberTable.has("Picture", in: $0) }
    }

    /// A key that no other device makes.
    func makeKey() -> String {
        madeCount += 1
        let digits = String((number + 1) * 1_000 + madeCount)
        return "00000000-0000-4000-9000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// Saves an edit by the models of its version.
    func perform(_ edit: JournalEdit) async throws {
        let type = version.type(of: edit.collection)
        try await store.perform { context in
            try edit.make(type, context)
            try context.save()
        }
    }
}

/// An edit of a person, by the keys of the version of the app that makes it.
struct JournalEdit: Sendable, CustomStringConvertible {
    enum Kind: String, Sendable { case creates, changes, deletes }

    let kind: Kind
    let collection: JournalCollection
    let key: String
    var members: JSONObject = [:]

    var description: String {
        let values = kind == .deletes ? "" : " " + JournalSteps.text(.object(members))
        return "\(kind.rawValue) \(collection.rawValue)/\(key)\(values)"
    }

    func make<Object: Model>(_ type: Object.Type, _ context: ManagedObjectContext) throws {
        var json = members
        json[JournalSteps.identityKey] = .string(key)
        let representation = try JSONDecoder().decode(Object.Representation.self, from: JSONValue.object(json).json())
        guard kind != .creates else {
            guard Object(representation: representation, context: context) != nil else {
                throw VersionViolation("\(self) is not valid")
            }
            return
        }
        guard let object = try context.fetch(Object.all()).first(where: { $0.recordKey.text == key }) else {
            throw VersionViolation("\(self), which is not there")
        }
        if kind == .deletes { context.delete(object) } else { object.update(from: representation) }
    }
}
