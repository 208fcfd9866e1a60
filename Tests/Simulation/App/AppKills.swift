import Foundation
import LockstepStore
import LockstepTesting
import TestSupport

/// Kills an app again and again while it saves, merges and pushes, and looks at its store each time; now and then lets
/// it come to rest, and compares it with the server.
public struct AppKills: Sendable {
    private let seed: UInt64

    public init(seed: UInt64) { self.seed = seed }

    /// - Parameters:
    ///   - kills: How many times the app is killed.
    ///   - settlingEvery: After how many kills it comes to rest.
    /// - Returns: How often it was killed, and what is wrong, which ends it: nothing.
    public func run(kills: Int, settlingEvery: Int = 10) async throws -> (kills: Int, findings: [String]) {
        try await withTemporaryFolder { folder in
            let server = try await FakeRails.start(RailsRules(pageSize: 20))
            do {
                let outcome = try await run(kills, settlingEvery, folder.appendingPathComponent("tasks.sqlite"), server)
                await server.stop()
                return outcome
            } catch {
                await server.stop()
                throw error
            }
        }
    }

    private func run(
        _ count: Int, _ settlingEvery: Int, _ file: URL, _ server: FakeRails
    ) async throws -> (kills: Int, findings: [String]) {
        var random = SeededRandom(seed: seed)
        var ledger = TaskLedger()
        var kills = 0
        var others = 0
        while kills < count {
            actElsewhere(server, &others, &random)
            let isKilled = try await Self.useApp(file, server, &ledger, &random)
            kills += isKilled ? 1 : 0
            var findings = try await ledger.findings(in: file)
            if findings.isEmpty, kills.isMultiple(of: settlingEvery) {
                findings = try await settle(file, server, ledger)
            }
            if !findings.isEmpty { return (kills, findings) }
        }
        return (kills, try await settle(file, server, ledger))
    }

    /// What other clients do meanwhile: a task of theirs, and a tick at somebody's.
    private func actElsewhere(_ server: FakeRails, _ others: inout Int, _ random: inout SeededRandom) {
        if random.isOne(in: 2) {
            others += 1
            server.set(
                ["title": .string("x\(others)"), "completed": false, "created_at": "2026-01-05T10:00:00Z"], in: "/tasks"
            )
        }
        guard let record = server.records(of: "/tasks").randomElement(using: &random), let id = record["id"] else {
            return
        }
        server.edit(Self.text(id), of: "/tasks", ["completed": .bool(Bool.random(using: &random))])
    }

    /// Starts the app, and kills it before a statement of its choice, or at any moment.
    ///
    /// - Returns: Whether it was killed before it came to its end.
    private static func useApp(
        _ file: URL, _ server: FakeRails, _ ledger: inout TaskLedger, _ random: inout SeededRandom
    ) async throws -> Bool {
        let atStatement = random.isOne(in: 4) ? 0 : Int.random(in: 1...500, using: &random)
        let arguments = [
            "app", file.path, server.url.absoluteString, String(random.next() >> 1), String(ledger.lastNumber), "40",
            String(atStatement),
        ]
        let linesBefore = Int.random(in: 1...20, using: &random)
        let (heard, isKilled) = try await onThread {
            let child = try ChildProcess("workbench", ["store-process"] + arguments)
            var lines: [String] = []
            while let line = child.line() {
                lines.append(line)
                if atStatement == 0, lines.count == linesBefore { child.kill() }
            }
            return (lines, child.wasKilled())
        }
        for line in heard { ledger.hear(line) }
        return isKilled
    }

    private func settle(_ file: URL, _ server: FakeRails, _ ledger: TaskLedger) async throws -> [String] {
        let address = server.url.absoluteString
        let lines = try await Self.onThread {
            try ChildProcess("workbench", ["store-process", "app", file.path, address, "1", "0", "0", "0"]).lines()
        }
        guard lines.last == "settled" else { return ["it did not come to rest: \(lines)"] }
        let records = server.records(of: "/tasks").map { record in
            (title: Self.text(record["title"]), isCompleted: record["completed"] == true)
        }
        return try await ledger.findings(in: file, server: records)
    }

    private static func text(_ value: JSONValue?) -> String {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        default: ""
        }
    }

    /// Where it may wait without holding up the server.
    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
