import Checklist
import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport

/// A device pushes, and either it or the server's process is killed meanwhile, by seed. In the end, each change was
/// applied once, and the device has what the server has.
package final class FeedKills {
    private static let user = "anna"

    private let server: FeedDatabase
    private let folder: URL
    private let device: FeedDevice
    private let clock = WorldClock()
    private let trace = Trace()
    private var random: SeededRandom
    private var lastToken = 0

    /// Who is killed.
    package enum Victim: Sendable {
        case device
        /// The process of the server that executes the push, by the server or by the system.
        case backend(FeedDatabase.Kill.Method)
    }

    /// - Parameter database: One that is ``FeedDatabase/prepareKills()``.
    /// - Returns: What is wrong; `nil` if nothing is.
    package static func run(
        seed: UInt64, kills count: Int, of victim: Victim, on database: FeedDatabase
    ) async throws -> String? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kills-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = try FeedKills(seed: seed, on: database, in: folder)
        defer { run.device.close() }
        try await run.device.sync.pull()
        for _ in 0..<count {
            try await run.edit()
            if try await !run.push(killing: victim) { return "it still has changes to send" + run.story }
            if let problem = try await run.problem() { return problem + run.story }
        }
        return nil
    }

    private init(seed: UInt64, on database: FeedDatabase, in folder: URL) throws {
        (server, self.folder, random) = (database, folder, SeededRandom(seed: seed))
        try server.emptied(granting: 0, to: Self.user)
        device = try FeedDevice(
            Self.user, number: 1, server: server, clock: clock, trace: trace, folder: folder, seed: seed)
        device.network.faults = .none
    }

    /// The last of what has happened.
    private var story: String { "\n" + trace.all.suffix(40).joined(separator: "\n") }

    private func edit() async throws {
        let edits = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            lastToken += 1
            return (
                kind: Int.random(in: 0..<6, using: &random), choice: Int.random(in: 0..<1_000, using: &random),
                id: device.makeID(), text: "\(lastToken)"
            )
        }
        trace.step(lastToken, Self.user, "edits \(edits.map(\.kind))")
        try await device.store.perform { context in
            for edit in edits {
                let lists = try context.fetch(List.order(\.id))
                let tasks = try context.fetch(Checklist.Task.order(\.id))
                let task = tasks.isEmpty ? nil : tasks[edit.choice % tasks.count]
                switch edit.kind {
                case 0, 1:
                    let task = Checklist.Task(id: edit.id, title: edit.text, context: context)
                    task.list = lists.isEmpty ? nil : lists[edit.choice % lists.count]
                case 2: _ = List(id: edit.id, name: edit.text, context: context)
                case 3, 4: task?.title = edit.text
                default: if let task { context.delete(task) }
                }
                try context.save()
            }
        }
    }

    /// Pushes until nothing is left, with a kill in the first push.
    ///
    /// - Returns: Whether all was sent.
    private func push(killing victim: Victim) async throws -> Bool {
        let isCut = Bool.random(using: &random)
        let count = Int.random(in: 1...(isCut ? 30 : 150), using: &random)
        switch victim {
        case .device: try await device.live(killedAfter: count) { try await $0.sync.push() }
        case .backend(let method):
            server.kill = FeedDatabase.Kill(statements: count, method: method)
            try await device.live(killedAfter: nil) { try await $0.sync.push() }
            try server.recover()
        }
        for _ in 0..<5 {
            clock.advance(by: 1_000)
            try await device.sync.push()
            if try await device.store.outbox.pending().isEmpty { return true }
        }
        return false
    }

    private func problem() async throws -> String? {
        let repeated = try server.repeated()
        if !repeated.isEmpty { return "applied more than once: \(repeated)" }
        try await device.sync.pull()
        let (own, there) = (try await device.records(), try server.records(for: Self.user))
        return own == there ? nil : "the device has \(own), and the server \(there)"
    }
}
