import Checklist
import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport

/// Some devices of two users, and a server with a feed.
final class FeedWorld {
    static let inbox = "inbox"
    private static let users = ["anna", "ben"]

    let trace = Trace()
    private var random: SeededRandom
    private let server: FakeFeed
    private let clock = WorldClock()
    private var devices: [FeedDevice] = []
    private var lastToken = 0
    private var backup: FeedState?
    private var stepNumber = 0

    init(seed: UInt64, numbersEarly: Bool, in folder: URL) throws {
        random = SeededRandom(seed: seed)
        server = FakeFeed(
            .lists(
                pageSize: Int.random(in: 1...12, using: &random), respondsWithRecord: !random.isOne(in: 3),
                numbersEarly: numbersEarly))
        for user in Self.users {
            server.grant(Self.inbox, to: user)
            for list in 1...3 where !random.isOne(in: 4) { server.grant("list:\(list)", to: user) }
        }
        for list in 1...3 {
            server.set(["id": .integer(Int64(list)), "name": "L"], id: .integer(Int64(list)), of: "List")
        }
        for (index, user) in [Self.users[0], Self.users[1], Self.users[0]].enumerated() {
            devices.append(
                try FeedDevice(
                    user, number: index + 1, server: server, clock: clock, trace: trace, folder: folder, seed: seed))
        }
    }

    func close() { devices.forEach { $0.close() } }

    private func makeText(_ author: String) -> String {
        lastToken += 1
        return "\(author)\(lastToken)"
    }

    // MARK: Steps

    func step(_ number: Int) async throws {
        stepNumber = number
        clock.advance(by: 7)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: try await edit(random.element(of: devices))
        case 6..<12: try await sync(random.element(of: devices))
        case 12..<18: others()
        case 18: rights()
        default: try await upheaval()
        }
    }

    private func edit(_ device: FeedDevice) async throws {
        let (text, id) = (makeText(device.user), device.makeID())
        let kind = Int.random(in: 0..<9, using: &random)
        let choice = Int.random(in: 0..<1_000, using: &random)
        trace.step(stepNumber, "\(device.user) \(device.number)", "edits \(kind) \(text)")
        try await device.store.perform { context in
            let lists = try context.fetch(List.order(\.id))
            let tasks = try context.fetch(Checklist.Task.order(\.id))
            let list = lists.isEmpty ? nil : lists[choice % lists.count]
            let task = tasks.isEmpty ? nil : tasks[choice % tasks.count]
            switch kind {
            case 0, 1:
                let task = Checklist.Task(id: id, title: text, context: context)
                task.list = choice % 4 == 0 ? nil : list
            case 2: _ = List(id: id, name: text, context: context)
            case 3, 4: task?.title = text
            case 5: task?.list = choice % 5 == 0 ? nil : list
            case 6: list?.name = text
            case 7: if let task { context.delete(task) }
            default:
                let part = Checklist.Task(id: id, title: text, context: context)
                part.list = list
                part.parentTask = task
            }
            try context.save()
        }
    }

    private func sync(_ device: FeedDevice) async throws {
        let kind = Int.random(in: 0..<4, using: &random)
        let isKilled = random.isOne(in: 3)
        let statements = Int.random(in: 1...120, using: &random)
        trace.step(stepNumber, "\(device.user) \(device.number)", kind == 0 ? "pushes" : kind == 1 ? "pulls" : "syncs")
        try await device.live(killedAfter: isKilled ? statements : nil) { device in
            if kind != 1 { try await device.sync.push() }
            if kind != 0 { try await device.sync.pull() }
        }
    }

    private func others() {
        let state = server.snapshot
        let tasks = state.records.keys.filter { $0.entity == "Task" }.map(\.values[0]).sorted { "\($0)" < "\($1)" }
        let lists = state.records.keys.filter { $0.entity == "List" }.map(\.values[0]).sorted { "\($0)" < "\($1)" }
        let text = makeText("others")
        lastToken += 1
        let id = JSONValue.integer(Int64(9_000 + lastToken))
        let list = lists.isEmpty || random.isOne(in: 4) ? .null : random.element(of: lists)
        let task = tasks.isEmpty ? nil : random.element(of: tasks)
        let new: JSONValue = [
            "id": id, "title": .string(text), "status": 0, "checklistID": list, "parentTaskID": .null,
        ]
        let kind = Int.random(in: 0..<9, using: &random)
        trace.step(stepNumber, "others", "edit \(kind) \(text)")
        switch kind {
        case 0, 1: server.set(new, id: id, of: "Task")
        case 2: server.hold(new, id: id, of: "Task")
        case 3: server.commitHeld()
        case 4: if let task { server.edit(task, of: "Task", members: ["title": .string(text)]) }
        case 5: if let task { server.edit(task, of: "Task", members: ["checklistID": list]) }
        case 6: if let task { server.remove(task, of: "Task") }
        case 7:
            guard let task, let record = state.records[FeedState.Key("Task", values: [task])] else { return }
            var json = record.json
            json["title"] = .string(text)
            server.hold(json, id: task, of: "Task")
        default: if random.isOne(in: 3), list != .null { server.remove(list, of: "List") }
        }
    }

    private func rights() {
        let scopes = server.snapshot.records.values.map(\.scope).filter { $0 != Self.inbox }
        guard let scope = Set(scopes).sorted().randomElement(using: &random) else { return }
        let user = random.element(of: Self.users)
        let isGranted = Bool.random(using: &random)
        trace.step(stepNumber, "the server", "\(isGranted ? "grants" : "revokes") \(scope) \(user)")
        isGranted ? server.grant(scope, to: user) : server.revoke(scope, from: user)
    }

    private func upheaval() async throws {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            trace.step(stepNumber, "the server", "drops its tombstones")
            server.expireTombstones()
        case 2:
            trace.step(stepNumber, "the server", "is saved")
            backup = server.snapshot
        case 3:
            guard let backup else { return }
            trace.step(stepNumber, "the server", "is restored")
            server.restore(backup)
        default:
            let device = random.element(of: devices)
            let isRetried = Bool.random(using: &random)
            trace.step(
                stepNumber, "\(device.user) \(device.number)", "\(isRetried ? "retries" : "discards") what is parked")
            for change in try await device.store.outbox.pending() where change.parked != nil {
                try await isRetried ? device.store.outbox.retry(change) : device.store.outbox.discard(change)
            }
        }
    }

    // MARK: In the end

    struct Violation: Error, CustomStringConvertible { let description: String }

    /// Ends all faults, lets every device sync, and compares it with the server.
    func becomeQuiet() async throws {
        trace.step(stepNumber + 1, "all", "become quiet")
        for _ in 0..<server.snapshot.heldCount { server.commitHeld() }
        for device in devices {
            device.network.faults = .none
            await device.network.deliverLate()
        }
        for round in 0..<6 {
            for device in devices {
                clock.advance(by: 1_000)
                for change in try await device.store.outbox.pending() where round > 1 && change.parked != nil {
                    try await device.store.outbox.discard(change)
                }
                try await device.sync.push()
                try await device.sync.pull()
            }
        }
        for device in devices { try await compare(device) }
    }

    private func compare(_ device: FeedDevice) async throws {
        let pending = try await device.store.outbox.pending()
        guard pending.isEmpty else {
            throw Violation(description: "\(device.user) \(device.number) still has \(pending.map(\.record)) to send")
        }
        let (own, there) = (try await device.records(), server.listed(for: device.user))
        if own == there { return }
        let missing = there.filter { !own.contains($0) }
        let extra = own.filter { !there.contains($0) }
        throw Violation(description: "\(device.user) \(device.number) lacks \(missing), and has \(extra)")
    }
}

extension FakeFeed {
    /// The records that a user may read, as a device lists them.
    fileprivate func listed(for user: String) -> [String] {
        func text(_ value: JSONValue?) -> String {
            guard let value, value != .null else { return "NULL" }
            if case .string(let text) = value { return "\"\(text)\"" }
            return RemoteIdentity([value]).text
        }
        func sorted(_ records: [JSONValue]) -> [JSONValue] {
            records.sorted { (Int(text($0["id"])) ?? 0) < (Int(text($1["id"])) ?? 0) }
        }
        return sorted(records(of: "List", for: user)).map { "List \(text($0["id"])) \(text($0["name"]))" }
            + sorted(records(of: "Task", for: user)).map {
                "Task \(text($0["id"])) \(text($0["title"])) in \(text($0["checklistID"])) of \(text($0["parentTaskID"]))"
            }
    }
}
