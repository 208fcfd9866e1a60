import Foundation
import HTTPTypes
import Journal
import LockstepStore
import LockstepSystem
import LockstepTesting
import Logging
import Shop
import Testing

@testable import LockstepSync

/// What a sync says about itself, and what it keeps to itself.
@Suite("Diagnostics, logs and reports")
struct DiagnosticStories {
    private let clock = ManualClock()
    /// Everything that nobody may read in a log: values of records, texts of the server that quote them, tokens.
    private let secrets = ["SECRET-TITLE", "SECRET-BODY", "SECRET-TOKEN", "SECRET-TAG", "SECRET-REASON"]

    private func sync(_ store: Store, _ remote: any Remote) -> Sync {
        Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), maximumConcurrentPushes: 1,
            clock: clock, random: { 0.5 })
    }

    /// The diagnostics while something is done.
    private func diagnostics(
        _ sync: Sync, _ body: () async throws -> Void
    ) async rethrows -> [SyncDiagnostic] {
        let all = Locked<[SyncDiagnostic]>([])
        sync.environment.diagnostics.observe { diagnostic in all.withLock { $0.append(diagnostic) } }
        try await body()
        return all.withLock(\.self)
    }

    private func text(_ diagnostics: [SyncDiagnostic]) -> [String] { diagnostics.map(\.text) }

    @Test("Requests, with what came of them")
    func requests() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let id = UUID()
        let key = id.uuidString.lowercased()
        let seen = try await diagnostics(sync) {
            try await store.perform { context in
                Entry(identifier: id, title: "SECRET-TITLE", context: context)
                try context.save()
            }
            try await sync.push()
            try await sync.pull(Entry.self)
            try await sync.pull(Entry.self, id: id)
            remote.answerNext(.fails(SyncError(.timeout, reason: "SECRET-REASON", remedy: "")), to: .fetches)
            await #expect(throws: SyncError.self) { try await sync.pull(Entry.self) }
            try await sync.delete(Entry.self, id: id)
        }
        #expect(
            text(seen) == [
                "create Entry \(key): done in 0.000 s", "fetch Entry: done in 0.000 s",
                "fetchRecord Entry \(key): done in 0.000 s", "fetch Entry: no response in time in 0.000 s",
                "delete Entry \(key): done in 0.000 s",
            ])
        #expect(seen.map(\.level) == [.debug, .debug, .debug, .notice, .debug])
        #expect(seen[0].description == "22:13:20.000 create Entry \(key): done in 0.000 s")
    }

    @Test("A conflict names the attributes that both sides have changed, and which side won", arguments: [true, false])
    func conflict(isLocal: Bool) async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: remote, conflicts: isLocal ? .localChangesWin : .serverWins, clock: clock,
            random: { 0.5 })
        let id = UUID()
        let key = id.uuidString.lowercased()
        try await store.perform { context in
            Entry(identifier: id, title: "Monday", bodyText: "Rain", context: context)
            try context.save()
        }
        try await sync.push()
        try await store.perform { context in
            let entry = try #require(try Entry.find(id, in: context))
            (entry.title, entry.bodyText) = ("SECRET-TITLE", "SECRET-BODY")
            try context.save()
        }
        var theirs = try #require(remote.records(of: "/entries").first)
        theirs["title"] = "THEIRS"
        remote.set(theirs, id: key, in: "/entries")
        let seen = try await diagnostics(sync) {
            let summary = try await sync.pull(Entry.self)
            let note = try #require(summary.merges.first?.notes.first)
            #expect(note.code == .conflict && note.entity == "Entry" && note.record == key)
        }
        let outcome = isLocal ? "the local values were kept" : "the server's values were taken"
        #expect(
            text(seen).last == "Entry \(key): both sides have changed title: \(outcome) [conflict]")
        #expect(seen.last?.level == .info)
        // It is resolved: the next pull does not report it again.
        #expect(text(try await diagnostics(sync) { _ = try await sync.pull(Entry.self) }).count == 1)
    }

    @Test("What is skipped, retried and parked; each pull finds it again, and it is reported once")
    func problems() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let id = UUID()
        let key = id.uuidString.lowercased()
        remote.set(["identifier": "SECRET-TITLE", "title": "SECRET-TITLE"], id: "1", in: "/entries")
        let seen = try await diagnostics(sync) {
            for _ in 0..<2 { try await sync.pull(Entry.self) }
            try await store.perform { context in
                Entry(identifier: id, title: "mine", context: context)
                try context.save()
            }
            remote.answerNext(.unavailable(status: 500), to: .changes)
            _ = try await sync.push()
            clock.advance(by: 600)
            remote.answerNext(.refused(status: 422, body: ["error": "SECRET-REASON"]), to: .changes, times: 10)
            for _ in 0..<2 { _ = try await sync.push() }
        }
        let problems = seen.filter { if case .request = $0.event { false } else { true } }
        #expect(problems.map(\.level) == [.warning, .notice, .warning])
        let texts = text(problems)
        try #require(texts.count == 3)
        #expect(texts[0].hasPrefix("Entry") && texts[0].contains(" skipped: identifier "), "\(texts[0])")
        #expect(texts[1].hasPrefix("Entry \(key): the server is unavailable (500), retried at 22:"))
        #expect(texts[2] == "Entry \(key) create parked: 422")
        for secret in secrets { #expect(!texts.joined().contains(secret)) }
    }

    /// Keeps what is logged.
    private struct MemoryLog: LogHandler {
        let lines: Locked<[String]>
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
            lines.withLock { $0.append("\(event.level) \(event.message) \(metadata)") }
        }
    }

    @Test("P9 The log and the report of a run with a token contain neither the token nor a value")
    func secret() async throws {
        let server = FakeRails(RailsRules { _, _ in ["title": ["SECRET-REASON: SECRET-TITLE is bad"]] })
        let client = AuthorizedClient(server.client, headers: [:]) { _ in "SECRET-TOKEN" }
        let remote = RESTRemote(server.url, client: client)
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let log = MemoryLog(lines: Locked([]))
        sync.log(to: Logger(label: "test") { _ in log })
        server.set(["id": 1, "name": "SECRET-TAG"], in: "/tags")
        server.set(["id": "SECRET-TITLE", "name": "SECRET-TAG"], in: "/tags")
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 1)) }
        try await clock.waitForSleepers(1)
        try await store.perform { context in
            Article(id: 5, title: "SECRET-TITLE", bodyText: "SECRET-BODY", context: context)
            try context.save()
        }
        while true {
            if case .needsAttention(let attention) = sync.currentStatus, attention.parkedCount == 1,
                attention.skippedCount == 1
            {
                break
            }
            await _Concurrency.Task.yield()
        }
        let report = try await sync.report()
        run.cancel()
        try await run.value
        let lines = log.lines.withLock(\.self)
        #expect(lines.contains { $0.hasPrefix("debug fetch Tag: done") && $0.hasSuffix("entity=Tag event=request") })
        #expect(lines.contains { $0.hasPrefix("warning Article 5 create parked: 422") })
        #expect(report.contains("needs attention: 1 parked, 1 skipped"))
        #expect(report.contains("create Article 5: rejected (422)"))
        for secret in secrets {
            #expect(!report.contains(secret) && !lines.contains { $0.contains(secret) }, "\(secret)")
        }
    }
}
