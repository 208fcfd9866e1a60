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
    let trace = Trace()
    private(set) var devices: [JournalDevice] = []
    private(set) var stepNumber = 0
    private var random: SeededRandom
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
            devices.append(try JournalDevice(number, scenario, server, scenario.deviceVersions[number], clock, trace, in: folder))
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
            if let next = JournalVersion(rawValue: server.version.rawValue + 1) { release(next) }
        }
        if let violation = server.violations.first { throw Violation(violation) }
    }

    // MARK: Releases

    func release(_ version: JournalVersion) {
        trace.step(stepNumber, "the server becomes version \(version.rawValue)")
        server.release(version)
    }

    func relaunch(_ device: JournalDevice, as version: JournalVersion) async throws {
        let (former, before) = (device.version, try await device.snapshot())
        if random.isOne(in: 3) { try tryOthers(device, than: version) }
        trace.step(stepNumber, "\(device.name) goes from version \(former.rawValue) to \(version.rawValue)")
        try device.relaunch(as: version)
        if let migration = device.store.migration { trace.note("\(migration)".prefix(while: { $0 != ";" }).description) }
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
            throw Violation("\(device.name)'s file was opened by version \(other.rawValue), which may not")
        }
    }

    // MARK: Syncing

    func push(_ device: JournalDevice) async throws {
        trace.step(stepNumber, "\(device.name) pushes")
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
        guard edit.kind != .deletes else { return }
        let last = JournalSteps.record(.object(edit.members), of: edit.collection, to: .last, isWhole: false)
        guard case .object(let members) = last else { return }
        for (member, value) in members { promises[Promise(place: place, member: member)] = value }
    }

    private func makeEdit(_ device: JournalDevice, _ snapshot: DeviceSnapshot) -> JournalEdit? {
        let collection = random.element(of: [JournalCollection.entries, .entries, .entries, .notebooks, .tags])
        let keys = (snapshot.records[collection] ?? [:]).keys.sorted()
        guard !keys.isEmpty, !random.isOne(in: 4) else {
            var edit = JournalEdit(kind: .creates, collection: collection, key: device.makeKey())
            for member in members(of: collection, device.version) where !random.isOne(in: 3) {
                edit.members[member] = value(of: member, edit.key, device, snapshot)
            }
            return edit
        }
        let key = random.element(of: keys)
        // A tag that is deleted changes others' lists, which one device edits only.
        if collection != .tags, random.isOne(in: 8) { return JournalEdit(kind: .deletes, collection: collection, key: key) }
        let own = members(of: collection, device.version).filter { owner(of: $0, key) == device.number }
        guard !own.isEmpty else { return nil }
        let member = random.element(of: own)
        return JournalEdit(
            kind: .changes, collection: collection, key: key,
            members: [member: value(of: member, key, device, snapshot)])
    }

    private func members(of collection: JournalCollection, _ version: JournalVersion) -> [String] {
        switch collection {
        case .entries: version.entryKeys + [JournalSteps.notebookKey, JournalSteps.tagsKey, "pictures"]
        case .notebooks: ["name"]
        case .tags: version < .second ? ["name"] : ["name", "colour"]
        case .pictures: []
        }
    }

    /// The device that edits a member of a record, whatever a version calls it.
    private func owner(of member: String, _ key: String) -> Int {
        let name = member == "bodyText" ? "text" : member
        return (name + key).utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 1_000_003 } % devices.count
    }

    private func value(
        of member: String, _ key: String, _ device: JournalDevice, _ snapshot: DeviceSnapshot
    ) -> JSONValue {
        let text = "\(device.name) \(stepNumber)"
        switch member {
        case "title", "name":
            return .string(scenario.hasRefusals && random.isOne(in: 6) ? text + JournalServer.refusedMark : text)
        case "mood": return .string(random.element(of: ["sad", "neutral", "happy", "curious"]))
        case "rating":
            if device.version >= .third { return .integer(Int64.random(in: 0...9, using: &random)) }
            return .string(random.element(of: ["0", "1", "5", "12", "many", ""]))
        case "pinned": return .bool(random.isOne(in: 2))
        case "place" where device.version >= .third: return .string(text)
        case JournalSteps.notebookKey: return element(of: snapshot.records[.notebooks])
        case JournalSteps.tagsKey:
            let tags = (snapshot.records[.tags] ?? [:]).keys.sorted().filter { _ in random.isOne(in: 2) }
            return .array(tags.map(JSONValue.string))
        case "pictures": return pictures(snapshot.records[.entries]?[key]?["pictures"], text, device)
        default: return random.isOne(in: 5) ? .null : .string(text)
        }
    }

    private func element(of records: [String: JSONValue]?) -> JSONValue {
        let keys = (records ?? [:]).keys.sorted()
        return keys.isEmpty || random.isOne(in: 4) ? .null : .string(random.element(of: keys))
    }

    private func pictures(_ known: JSONValue?, _ text: String, _ device: JournalDevice) -> JSONValue {
        var pictures: [JSONValue] = []
        if case .array(let known)? = known { pictures = known.filter { _ in !random.isOne(in: 4) } }
        for index in pictures.indices where random.isOne(in: 2) { pictures[index]["caption"] = .string(text) }
        if pictures.isEmpty || random.isOne(in: 2) {
            var picture: JSONValue = [JournalSteps.identityKey: .string(device.makeKey()), "caption": .string(text)]
            if device.version >= .second { picture["width"] = .integer(Int64.random(in: 1...9, using: &random)) }
            pictures.append(picture)
        }
        return .array(pictures)
    }
}
