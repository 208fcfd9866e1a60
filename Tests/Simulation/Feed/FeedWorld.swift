import Checklist
import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport

/// Some devices of two users, and a server with a feed.
final class FeedWorld {
    /// The list of tasks that are in no other, which both users read.
    private static let inbox = 0
    private static let users = ["anna", "ben"]

    let trace = Trace()
    private var random: SeededRandom
    private let server: any FeedServer
    private let clock = WorldClock()
    private var devices: [FeedDevice] = []
    private var lastToken = 0
    private var isSaved = false
    private var stepNumber = 0
    let edits: FeedEdits

    init(seed: UInt64, in folder: URL, server makeServer: (FeedHabits) throws -> any FeedServer) throws {
        random = SeededRandom(seed: seed)
        edits = FeedEdits(seed: seed)
        server = try makeServer(
            FeedHabits(
                pageSize: Int.random(in: 1...12, using: &random), respondsWithRecord: !random.isOne(in: 3)))
        for user in Self.users {
            try server.grant(Self.inbox, to: user)
            for list in 1...3 where !random.isOne(in: 4) { try server.grant(list, to: user) }
        }
        for list in [Self.inbox, 1, 2, 3] { try server.write(.addList(list, name: "L")) }
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
        try await act()
        for device in devices { try device.checkStore() }
    }

    private func act() async throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: try await edit(random.element(of: devices))
        case 6..<12: try await sync(random.element(of: devices))
        case 12..<18: try others()
        case 18: try rights()
        default: try await upheaval()
        }
    }

    private func edit(_ device: FeedDevice) async throws {
        let (text, id) = (makeText(device.user), device.makeID())
        let kind = random.element(of: edits.ofDevices)
        let choice = Int.random(in: 0..<1_000, using: &random)
        trace.step(stepNumber, "\(device.user) \(device.number)", "edits \(kind) \(text)")
        try await device.store.perform { context in
            let all = try context.fetch(List.order(\.id))
            let (inbox, lists) = (all.first { $0.id == Self.inbox }, all.filter { $0.id != Self.inbox })
            let tasks = try context.fetch(Checklist.Task.order(\.id))
            let list = lists.isEmpty ? nil : lists[choice % lists.count]
            let task = tasks.isEmpty ? nil : tasks[choice % tasks.count]
            switch kind {
            case .addTask:
                let task = Checklist.Task(id: id, title: text, context: context)
                task.list = choice % 4 == 0 ? inbox : list ?? inbox
            case .addList: _ = List(id: id, name: text, context: context)
            case .setTitle: task?.title = text
            case .move: task?.list = choice % 5 == 0 ? inbox : list ?? inbox
            case .setName: list?.name = text
            case .delete: if let task { context.delete(task) }
            case .addPart:
                let part = Checklist.Task(id: id, title: text, context: context)
                part.list = list ?? inbox
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

    /// The identities of an entity's records, in an order that is the same each time.
    private func known(_ entity: String) throws -> [Int] {
        try server.identities(of: entity).filter { entity != "List" || $0 != Self.inbox }.sorted { "\($0)" < "\($1)" }
    }

    private func others() throws {
        let (tasks, lists) = (try known("Task"), try known("List"))
        let text = makeText("others")
        lastToken += 1
        let list = lists.isEmpty || random.isOne(in: 4) ? Self.inbox : random.element(of: lists)
        let task = tasks.isEmpty ? nil : random.element(of: tasks)
        let new = FeedWrite.addTask(9_000 + lastToken, title: text, list: list)
        let kind = random.element(of: edits.ofOthers)
        trace.step(stepNumber, "others", "edit \(kind) \(text)")
        switch kind {
        case .addTask: try server.write(new)
        case .beginTask: try server.begin(new)
        case .commit: try server.commitOldest()
        case .setTitle: if let task { try server.write(.setTitle(text, task: task)) }
        case .move: if let task { try server.write(.move(task: task, list: list)) }
        case .delete: if let task { try server.write(.deleteTask(task)) }
        case .beginTitle: if let task { try server.begin(.setTitle(text, task: task)) }
        case .deleteList: if random.isOne(in: 3), list != Self.inbox { try server.write(.deleteList(list)) }
        }
    }

    private func rights() throws {
        guard let list = try known("List").randomElement(using: &random) else { return }
        let user = random.element(of: Self.users)
        let isGranted = Bool.random(using: &random)
        trace.step(stepNumber, "the server", "\(isGranted ? "grants" : "revokes") list \(list) \(user)")
        try isGranted ? server.grant(list, to: user) : server.revoke(list, from: user)
    }

    private func upheaval() async throws {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            trace.step(stepNumber, "the server", "drops its tombstones")
            try server.expireDeletions()
        case 2:
            trace.step(stepNumber, "the server", "is saved")
            try server.save()
            isSaved = true
        case 3:
            guard isSaved else { return }
            trace.step(stepNumber, "the server", "is restored")
            try server.restore()
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
        while try server.commitOldest() {}
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
                try device.checkStore()
            }
        }
        for device in devices { try await compare(device) }
    }

    private func compare(_ device: FeedDevice) async throws {
        let pending = try await device.store.outbox.pending()
        guard pending.isEmpty else {
            throw Violation(description: "\(device.user) \(device.number) still has \(pending.map(\.record)) to send")
        }
        let (own, there) = (try await device.records(), try server.records(for: device.user))
        if own == there { return }
        let missing = there.filter { !own.contains($0) }
        let extra = own.filter { !there.contains($0) }
        throw Violation(description: "\(device.user) \(device.number) lacks \(missing), and has \(extra)")
    }
}
