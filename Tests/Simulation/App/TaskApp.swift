public import Foundation
public import LockstepStore
import LockstepSync
import OfflineTasks
import TestSupport

/// An app that keeps tasks with a server, in a process that is killed: it makes, edits and deletes some, pulls and
/// pushes, and says what it is about to save and what it has saved, as it would show a person.
///
/// A task of its own is called `t7.2`: the seventh, edited twice. Other tasks are other people's.
public struct TaskApp {
    private let store: Store
    private let sync: Sync
    private var random: SeededRandom
    private var lastNumber: Int
    private let say: (String) -> Void

    /// Opens the store, or makes it.
    ///
    /// - Parameters:
    ///   - lastNumber: The number of the last task that was begun.
    ///   - say: Takes a line at a time.
    public init(
        _ file: URL, server: URL, seed: UInt64, lastNumber: Int, configuration: Configuration = Configuration(),
        say: @escaping (String) -> Void
    ) throws {
        store = try Store(OfflineTasksSchema.self, at: .file(file), configuration: configuration)
        sync = Sync(store: store, remote: RESTRemote(server))
        random = SeededRandom(seed: seed)
        self.lastNumber = lastNumber
        self.say = say
    }

    /// Uses the app for so long.
    public mutating func use(rounds: Int) async throws {
        for _ in 0..<rounds {
            switch Int.random(in: 0..<7, using: &random) {
            case 0...1: try await make()
            case 2...3: try await edit()
            case 4: try await delete()
            case 5: try await sync.pull(Task.self, options: MergeOptions(records: .all))
            default: try await sync.push()
            }
        }
    }

    /// Pushes and pulls until nothing is left to be done.
    public func settle() async throws {
        for _ in 0..<5 {
            try await sync.push()
            try await sync.pull(Task.self, options: MergeOptions(records: .all))
            if try await store.outbox.count() == 0 { return say("settled") }
        }
        say("unsettled \(try await store.outbox.pending().map(\.record))")
    }

    // MARK: What a person does

    private mutating func make() async throws {
        lastNumber += 1
        let title = "t\(lastNumber).0"
        try await save("make \(title)") { Task(title: title, context: $0) }
    }

    private mutating func edit() async throws {
        guard let title = try await ownTitle(), let dot = title.firstIndex(of: "."),
            let edits = Int(title[title.index(after: dot)...])
        else { return }
        let newTitle = "\(title[..<dot]).\(edits + 1)"
        try await save("edit \(newTitle)") { try Self.task(title, in: $0)?.title = newTitle }
    }

    private mutating func delete() async throws {
        guard let title = try await ownTitle() else { return }
        try await save("delete \(title)") { context in try Self.task(title, in: context).map { context.delete($0) } }
    }

    private func save(_ what: String, _ change: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws
    {
        say("begin \(what)")
        try await store.perform { context in
            try change(context)
            try context.save()
        }
        say("saved \(what)")
    }

    private mutating func ownTitle() async throws -> String? {
        try await TaskLedger.titles(in: store).randomElement(using: &random)
    }

    private static func task(_ title: String, in context: ManagedObjectContext) throws -> Task? {
        let tasks = try context.fetch(Task.filter { $0.title == title })
        return tasks.first { $0.remoteID == nil } ?? tasks.first
    }
}
