public import Foundation
import LockstepStore
import LockstepSync
import OfflineTasks

/// What a person was told of their tasks by a ``TaskApp``, and so must find again, whenever it was killed.
public struct TaskLedger: Sendable {
    /// The titles of tasks by their numbers; `nil` where one was deleted.
    private var titles: [Int: String?] = [:]
    /// What the app had begun to save when it was killed: it is saved, or is not.
    private var begun: (number: Int, title: String?)?

    public init() {}

    /// The number of the last task that was begun.
    public private(set) var lastNumber = 0

    /// Takes a line that the app has said.
    public mutating func hear(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3, let number = Int(words[2].dropFirst().prefix { $0 != "." }) else { return }
        lastNumber = max(lastNumber, number)
        let title = words[1] == "delete" ? nil : words[2]
        if words[0] == "saved" {
            titles[number] = .some(title)
            begun = nil
        } else {
            begun = (number, title)
        }
    }

    /// Opens the store as the app would after the kill, and compares; what was begun counts as it is found.
    ///
    /// - Returns: What is wrong: nothing.
    public mutating func findings(in file: URL) async throws -> [String] {
        let store = try Store(OfflineTasksSchema.self, at: .file(file))
        defer { try? store.close() }
        try store.checkIntegrity()
        let found = try await Self.titles(in: store)
        if let begun {
            // It is done where its title is there, or for a deletion where the task is not.
            let isThere = found.contains { Self.number(of: $0) == begun.number }
            let isDone = begun.title.map { found.contains($0) } ?? !isThere
            if isDone { titles[begun.number] = .some(begun.title) }
        }
        begun = nil
        let (count, pending) = (try await store.outbox.count(), try await store.outbox.pending())
        let differences = difference(found)
        return count == pending.count ? differences : differences + ["the outbox hides what it counts"]
    }

    /// Compares with what the server has in the end, when all is settled.
    ///
    /// - Parameters:
    ///   - file: The store's.
    ///   - records: The titles that the server has, and whether each is completed.
    public func findings(in file: URL, server records: [(title: String, isCompleted: Bool)]) async throws -> [String] {
        let store = try Store(OfflineTasksSchema.self, at: .file(file))
        defer { try? store.close() }
        let local = try await store.perform { context in
            try context.fetch(Task.all()).map { "\($0.title) \($0.completed)" }.sorted()
        }
        var findings = difference(records.map(\.title).filter { $0.hasPrefix("t") }).map { "on the server: \($0)" }
        let remote = records.map { "\($0.title) \($0.isCompleted)" }.sorted()
        if local != remote { findings.append("here are \(local), on the server \(remote)") }
        return findings
    }

    private func difference(_ found: [String]) -> [String] {
        let wanted = titles.values.compactMap(\.self)
        let counts = Dictionary(found.map { ($0, 1) }, uniquingKeysWith: +)
        return wanted.filter { counts[$0] == nil }.sorted().map { "\($0) is lost" }
            + counts.filter { $0.value > 1 }.keys.sorted().map { "\($0) is there twice" }
            + Set(found).subtracting(wanted).sorted().map { "\($0) is there and should not be" }
    }

    private static func number(of title: String) -> Int? { Int(title.dropFirst().prefix { $0 != "." }) }

    /// The titles of the app's own tasks. One whose `POST` never got a response may have come by a pull too: until it
    /// is sent again, and the response makes the two one, the record that came is left out, whether the app's own was
    /// deleted meanwhile or not.
    static func titles(in store: Store) async throws -> [String] {
        let deleted = try await store.outbox.pending().filter { $0.kind == .delete }.compactMap(\.sentBody)
            .map { try JSONDecoder().decode(SentTask.self, from: $0).title }
        return try await store.perform { context in
            let own = try context.fetch(Task.all()).filter { $0.title.hasPrefix("t") }
            let waiting = Set((own.filter { $0.remoteID == nil }.map(\.title) + deleted).map { number(of: $0) })
            return own.filter { $0.remoteID == nil || !waiting.contains(number(of: $0.title)) }.map(\.title).sorted()
        }
    }

    /// What a `POST` without a response had sent.
    private struct SentTask: Decodable { let title: String }
}
