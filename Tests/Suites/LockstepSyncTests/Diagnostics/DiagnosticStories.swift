import Foundation
import HTTPTypes
import Journal
import KitchenSink
import LockstepReport
import LockstepStore
import LockstepSystem
import LockstepTesting
import Logging
import SchematicCapture
import Shop
import TestSupport
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
            remote.respondNext(.fails(SyncError(.timeout, reason: "SECRET-REASON", remedy: "")), to: .fetches)
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
            remote.respondNext(.unavailable(status: 500), to: .changes)
            _ = try await sync.push()
            clock.advance(by: 600)
            remote.respondNext(.refused(status: 422, body: ["error": "SECRET-REASON"]), to: .changes, times: 10)
            for _ in 0..<2 { _ = try await sync.push() }
        }
        let problems = seen.filter { if case .request = $0.event { false } else { true } }
        #expect(problems.map(\.level) == [.warning, .notice, .warning])
        let texts = text(problems)
        try #require(texts.count == 3)
        #expect(texts[0].hasPrefix("Entry") && texts[0].contains(" skipped: identifier "), "\(texts[0])")
        #expect(texts[1].hasPrefix("Entry \(key): the server is unavailable (500), next attempt at 22:"))
        #expect(texts[2] == "Entry \(key) create parked: 422")
        for secret in secrets { #expect(!texts.joined().contains(secret)) }
    }

    @Test("Each conflict is reported, also another one of the same record")
    func conflictAgain() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let id = UUID()
        try await store.perform { context in
            Entry(identifier: id, title: "Monday", context: context)
            try context.save()
        }
        try await sync.push()
        for day in ["Tuesday", "Wednesday"] {
            try await store.perform { context in
                try Entry.find(id, in: context)?.title = "my \(day)"
                try context.save()
            }
            remote.edit(id.uuidString.lowercased(), of: "/entries", ["title": .string("their \(day)")])
            let seen = try await diagnostics(sync) { _ = try await sync.pull(Entry.self) }
            #expect(seen.count { $0.level == .info } == 1)
            try await sync.push()
        }
    }

    @Test("A body that breaks, and the bytes of attachments")
    func bodies() async throws {
        try await withTemporaryFolder { folder in
            let remote = MemoryRemote(traits: RemoteTraits())
            let files = MemoryAttachments()
            let store = try Store(
                SchematicCaptureSchema.self, at: .file(folder.appending(path: "capture.sqlite")))
            let sync = Sync(store: store, remote: remote, attachments: files, clock: clock, random: { 0.5 })
            let bytes = Data("photo".utf8)
            let attachment = try await store.mergePhoto(of: bytes)
            files.stored = [attachment.contentHash: bytes]
            let transfer = try #require(sync.attachments)
            let seen = try await diagnostics(sync) {
                remote.respondNext(.truncated, to: .fetches)
                await #expect(throws: SyncError.self) { try await sync.pull(Photo.self) }
                files.breakOff(after: 2)
                await #expect(throws: SyncError.self) { try await transfer.download(attachment) }
                try await transfer.download(attachment)
                try await transfer.upload(attachment)
            }
            let texts = text(seen).map { $0.replacing(/text-[0-9a-f]{8}/, with: "…") }
            #expect(
                texts == [
                    "fetch Photo: done in 0.000 s", "fetch Photo: no connection in 0.000 s",
                    "download …: done in 0.000 s", "download …: no connection in 0.000 s",
                    "download …: done in 0.000 s", "upload …: done in 0.000 s",
                ])
            #expect(!text(seen).joined().contains(attachment.contentHash.prefix(8)))
            try store.close()
        }
    }

    @Test("A parked change is reported before the push that waits for others has ended")
    func parkedWhileWaiting() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 3), maximumConcurrentPushes: 1,
            clock: clock, random: { 0.5 })
        for title in ["first", "second"] {
            try await store.perform { context in
                Entry(title: title, context: context)
                try context.save()
            }
        }
        remote.respondNext(.refused(status: 422), to: .changes)
        remote.respondNext(.unavailable(status: 500), to: .changes)
        let seen = try await diagnostics(sync) {
            let push = _Concurrency.Task { try await sync.push() }
            try await clock.waitForSleepers(1)
            push.cancel()
            _ = try? await push.value
        }
        #expect(text(seen).contains { $0.hasSuffix("create parked: 422") })
    }

    @Test("Numbers are shown as identities only if the entity has no textual one: they may be phone numbers")
    func identities() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let error = SyncError(.timeout, reason: "", remedy: "")
        let seen = await diagnostics(sync) {
            let records = [("Everything", "17"), ("Person", "4930901820"), ("Person", "49, 30"), ("Gone", "5")]
            for (entity, record) in records {
                sync.environment.diagnostics.send(
                    .retry(entity: entity, record: record, at: clock.now, because: error))
            }
        }
        let texts = text(seen)
        #expect(texts[0].hasPrefix("Everything 17: "))
        #expect(texts[1].hasPrefix("Person text-"))
        // The first part is a country, the second a number.
        #expect(texts[2].hasPrefix("Person text-") && texts[2].contains(", 30: "))
        #expect(texts[3].hasPrefix("Gone text-"))
    }

    @Test("Both halves of a report name a record in the same way")
    func reportNames() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await store.perform { context in
            Person(name: "mine", country: "SECRET", number: 7, context: context)
            try context.save()
        }
        remote.respondNext(.refused(status: 422), to: .changes)
        try await sync.push()
        let report = try await sync.report()
        let names = report.matches(of: /text-[0-9a-f]{8}/).map { String($0.output) }
        #expect(names.count >= 2 && Set(names).count == 1, "\(report)")
        #expect(!report.contains("SECRET"))
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
        let isReported = try await soon {
            guard case .needsAttention(let attention) = sync.currentStatus else { return false }
            return attention.parkedCount == 1 && attention.skippedCount == 1
        }
        try #require(isReported)
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
