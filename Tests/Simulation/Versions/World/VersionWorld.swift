import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport

/// Devices and a server, each of its own version.
final class VersionWorld {
    let scenario: VersionScenario
    let server: JournalServer
    let clock = VersionClock()
    let trace = VersionTrace()
    private(set) var devices: [JournalDevice] = []
    private(set) var stepNumber = 0
    var random: SeededRandom
    private(set) var tally = MigrationTally()
    /// What devices made and deleted.
    private(set) var made: Set<DeviceSnapshot.Place> = []
    private(set) var deleted: Set<DeviceSnapshot.Place> = []
    /// The last value of each member that somebody edited, in the form of the last version.
    private(set) var promises: [Promise: JSONValue] = [:]

    /// A member of a record. One device edits it only, so that the last edit must arrive.
    struct Promise: Hashable {
        let place: DeviceSnapshot.Place
        let member: String
    }

    init(_ scenario: VersionScenario, in folder: URL) throws {
        self.scenario = scenario
        random = SeededRandom(seed: scenario.seed)
        server = JournalServer(scenario, clock: clock)
        for number in 0..<scenario.deviceCount {
            let version = scenario.deviceVersions[number]
            devices.append(try JournalDevice(number, scenario, server, version, clock, trace, in: folder))
        }
    }

    func close() { for device in devices { device.close() } }

    func step() async throws {
        stepNumber += 1
        clock.advance(by: Double.random(in: 0...60, using: &random))
        let device = random.element(of: devices)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<50: try await edit(device)
        case 50..<70: try await push(device)
        case 70..<83: try await pull(device)
        case 83..<87: try await relaunch(device, as: device.version)
        case 87..<95:
            let later = JournalVersion.allCases.filter { $0 > device.version && $0 <= server.version }
            if !later.isEmpty { try await relaunch(device, as: random.element(of: later)) }
        default:
            if let next = nextVersion { release(next) }
        }
        if let violation = server.violations.first { throw VersionViolation(violation) }
        for device in devices { try device.checkStore() }
    }

    // MARK: Releases

    /// The next version of the server.
    var nextVersion: JournalVersion? {
        server.version < scenario.lastVersion ? JournalVersion(rawValue: server.version.rawValue + 1) : nil
    }

    func release(_ version: JournalVersion) {
        trace.step(stepNumber, "the server becomes version \(version.rawValue)")
        server.release(version)
    }

    func relaunch(_ device: JournalDevice, as version: JournalVersion) async throws {
        let (former, before) = (device.version, try await device.snapshot())
        if random.isOne(in: 3) { try tryOthers(device, than: version) }
        trace.step(stepNumber, "\(device.name) goes from version \(former.rawValue) to \(version.rawValue)")
        try device.relaunch(as: version)
        if let migration = device.store.migration { trace.note(String("\(migration)".prefix { $0 != ";" })) }
        let check = MigrationCheck(
            device: device.name, former: former, version: version, before: before, after: try await device.snapshot())
        try check.run()
        tally.count(check)
    }

    /// An app that may not migrate the file, or is older than it, is refused, and changes nothing.
    private func tryOthers(_ device: JournalDevice, than version: JournalVersion) throws {
        for other in JournalVersion.allCases where other != device.version {
            let isOlder = other < device.version
            do {
                try device.tryOpening(as: other)
            } catch let error as StoreError where error.code == (isOlder ? .newerVersion : .migrationNeeded) {
                tally.refused += 1
                continue
            }
            throw VersionViolation("\(device.name)'s file was opened by version \(other.rawValue), which may not")
        }
    }

    // MARK: Syncing

    func push(_ device: JournalDevice) async throws {
        trace.step(stepNumber, "\(device.name) pushes")
        server.begin(device.name, expectsMore: try await device.expectsMore())
        try await syncing { try await device.sync.push().description }
    }

    func pull(_ device: JournalDevice) async throws {
        trace.step(stepNumber, "\(device.name) pulls")
        let options = MergeOptions(records: .all)
        try await syncing { try await device.sync.pull(options: options).description }
    }

    private func syncing(_ body: () async throws -> String) async throws {
        do {
            trace.note(try await body())
        } catch let error as SyncError {
            trace.note("\(error.code)")
        } catch let error as MergeError {
            // A page of a network, or half of a body.
            trace.note("\(error)")
        }
    }

    // MARK: Editing

    func edit(_ device: JournalDevice) async throws {
        let snapshot = try await device.snapshot()
        guard let edit = makeEdit(device, snapshot) else { return }
        trace.step(stepNumber, "\(device.name) \(edit)")
        try await device.perform(edit)
        let place = DeviceSnapshot.Place(collection: edit.collection, key: edit.key)
        switch edit.kind {
        case .creates: made.insert(place)
        case .deletes: deleted.insert(place)
        case .changes: break
        }
        if edit.kind != .deletes { promise(edit, place, snapshot) }
    }

    /// The edits of a record are given up.
    func forgetPromises(of key: String) { promises = promises.filter { $0.key.place.key != key } }

    private func promise(_ edit: JournalEdit, _ place: DeviceSnapshot.Place, _ snapshot: DeviceSnapshot) {
        let known = snapshot.records[place.collection]?[place.key]
        // An app does not know what a later one has added, or calls otherwise: it changes nothing if it has the value.
        let members = edit.members.filter { edit.kind == .creates || $0.value != known?[$0.key] ?? .null }
        let last = JournalSteps.record(.object(members), of: edit.collection, to: scenario.lastVersion, isWhole: false)
        guard case .object(let members) = last else { return }
        for (member, value) in members {
            guard member == JournalSteps.tagsKey else {
                let promise = Promise(place: place, member: member)
                if member == JournalSteps.picturesKey {
                    promises[promise] = changed(edit.members[member], since: known?[member], before: promises[promise])
                } else {
                    promises[promise] = isTakenBack(edit, place, snapshot) ? nil : value
                }
                continue
            }
            // A list is edited link by link: a tag that the device has not received yet stays in it.
            let tags = snapshot.records[.tags] ?? [:]
            let seen = JournalSteps.texts(known?[member]).filter { tags[$0] != nil }
            let given = JournalSteps.texts(value)
            for tag in seen.union(given) {
                promises[Promise(place: place, member: "\(member)/\(tag)")] = .bool(given.contains(tag))
            }
        }
    }

    /// Whether a value is as it was before the first edit, and the device has not received the server's: what it shows
    /// instead, since its app was updated, nobody has given.
    private func isTakenBack(_ edit: JournalEdit, _ place: DeviceSnapshot.Place, _ snapshot: DeviceSnapshot) -> Bool {
        guard edit.kind == .changes, let pending = snapshot.pending[place], pending.change == .update else {
            return false
        }
        let there = server.records(of: place.collection)[place.key] ?? [:]
        return edit.members.allSatisfy { member, value in
            (pending.base?[member] ?? .null) == value && (there[member] ?? .null) != value
                && pending.unconfirmed.allSatisfy { $0[member] == nil }
        }
    }

    /// What the pictures of a list were given, now or before, without what the app or the server has added.
    private func changed(_ pictures: JSONValue?, since known: JSONValue?, before: JSONValue?) -> JSONValue? {
        guard case .array(let list)? = pictures else { return pictures }
        return .array(
            list.map { picture in
                guard case .object(let members) = picture else { return picture }
                let (shown, earlier) = (self.picture(like: picture, in: known), self.picture(like: picture, in: before))
                var given: JSONObject = [:]
                for (key, value) in members {
                    let isChanged = key == JournalSteps.identityKey || shown?[key] != value
                    given[key] = isChanged ? value : earlier?[key]
                }
                return .object(given)
            })
    }

    private func picture(like picture: JSONValue, in list: JSONValue?) -> JSONValue? {
        guard case .array(let pictures)? = list else { return nil }
        return pictures.first { $0[JournalSteps.identityKey] == picture[JournalSteps.identityKey] }
    }
}
