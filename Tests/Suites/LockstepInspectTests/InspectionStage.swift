import Foundation
import GRDB
import Journal
import KitchenSink
@testable import LockstepInspection
@testable import LockstepStore
import LockstepSync
import LockstepTesting
import SampleTypes

/// A store in which everything is that an inspection shows. Every text that a user has entered, a server has said, or
/// that is a secret begins with ``mark``.
struct InspectionStage {
    static let mark = "Marked"
    /// When the store is inspected.
    static let now = Date(timeIntervalSince1970: 1_795_651_200)

    let url: URL

    /// Makes the file, and closes it.
    static func make(in folder: URL) async throws -> InspectionStage {
        let stage = InspectionStage(url: folder.appendingPathComponent("kitchen.sqlite"))
        let store = try Store(KitchenSinkSchema.self, at: .file(stage.url))
        try await stage.pull(into: store)
        try await stage.edit(store)
        try await stage.push(store)
        try store.close()
        try stage.settle()
        return stage
    }

    static func uuid(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-8000-" + String(String(1_000_000_000_000 + number).dropFirst()))!
    }

    // MARK: Making it

    private func pull(into store: Store) async throws {
        let people = """
            [{"country": "Marked-CH", "number": 1, "name": "Marked-Ann", "created_at": "2026-11-01T08:00:00Z"},
             {"country": "Marked-CH", "number": 2, "name": "Marked-Bea", "created_at": "2026-11-01T08:00:00Z"}]
            """
        try await store.merge(Data(people.utf8), into: Person.self)
        let labels = #"[{"id": "Marked-red", "colour": "Marked-f00"}, {"id": "Marked-blue", "colour": "Marked-00f"}]"#
        try await store.merge(Data(labels.utf8), into: Label.self)
        let photo = "sha256-\(String(repeating: "ab", count: 32))-1234"
        let keywords = #"[{"id": 1, "class": "Marked-one"}, {"id": 2, "class": "Marked-two"}, {"id": 3}]"#
        try await store.merge(Data(keywords.utf8), into: Keyword.self)
        try await store.perform { context in
            let owner = try context.fetch(Person.order(\.number))[0]
            Everything(
                name: "Marked-thing", id: 7, token: Self.uuid(90), slug: Slug(stored: "marked"),
                days: [Self.now], summary: "Marked-summary",
                photo: FileAttachment(Data("Marked-photo".utf8)), owner: owner,
                labels: try context.fetch(Label.order(\.id)), context: context)
            try context.save()
        }
        try await store.writer.write { database in
            try database.execute(sql: "DELETE FROM lockstep_outbox")
            try database.execute(sql: "DELETE FROM lockstep_outbox_link")
            try database.execute(
                sql: "INSERT INTO lockstep_attachment VALUES (?, 'Marked-server', NULL, 2, NULL, 'Marked-error', NULL)",
                arguments: [String(photo.dropFirst(7).prefix(64))])
        }
    }

    private func edit(_ store: Store) async throws {
        // What is changed first is sent first.
        try await store.perform { context in
            let keywords = try context.fetch(Keyword.order(\.id))
            keywords[0].class = "Marked-other"
            keywords[0].type = "Marked-type"
            try context.save()
        }
        try await store.perform { context in
            try context.fetch(Person.order(\.number))[0].name = "Marked-Anna"
            context.delete(try context.fetch(Keyword.order(\.id))[1])
            Screw(
                id: Self.uuid(1), length: 2.5,
                part: Part(localID: Self.uuid(2), title: "Marked-part", context: context), context: context)
            Keyword(id: 4, class: "Marked-four", context: context)
            try context.fetch(Label.order(\.id))[0].colour = "Marked-blueish"
            LocalNote(
                id: Self.uuid(3), text: "Marked-note",
                folder: LocalFolder(id: Self.uuid(4), title: "Marked-folder", context: context), context: context)
            try context.save()
        }
    }

    /// Some are rejected, and the server then asks to wait.
    private func push(_ store: Store) async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let clock = ManualClock()
        let body: JSONValue = [
            "errors": ["class": ["“Marked-other” is too long"], "detail": "Marked-detail"], "token": "Marked-token",
        ]
        remote.respondNext(.refused(status: 422, body: body), to: .path("/keywords"), times: 1)
        remote.respondNext(.unavailable(status: 503, retryAfter: 60), to: .changes, times: 20)
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(baseSeconds: 1, attemptsPerPush: 1),
            maximumConcurrentPushes: 1, clock: clock, random: { 0.5 })
        _ = try? await sync.push()
    }

    /// Replaces what differs from run to run, and fills every text of the library's tables.
    private func settle() throws {
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { database in
            let at = Self.now.timeIntervalSince1970
            for (table, values) in [
                ("lockstep_waiting_link", "('Everything.labels', 7, 'Marked-green', 0)"),
                ("lockstep_reserved_identity", "('Part', 77, '\(Self.uuid(5).uuidString.lowercased())')"),
                ("lockstep_version", "('Box', '\(Self.uuid(6).uuidString.lowercased())', 'Marked-etag')"),
                ("lockstep_confirmed", "('Keyword', 1, \(at - 60))"),
                ("lockstep_scope", "('Box', '\(Self.uuid(6).uuidString.lowercased())', 'Marked-scope', 3)"),
                ("lockstep_validator", "('feed 1234', '', 'Marked-cursor', NULL, 'feed 3')"),
                (
                    "lockstep_spelling",
                    "('Box', '\(Self.uuid(6).uuidString.lowercased())', '\(Self.uuid(6).uuidString)')"
                ),
                (
                    "lockstep_received_version",
                    "('Box', '\(Self.uuid(6).uuidString.lowercased())', 7, '\"Marked-7\"')"
                ),
                (
                    "lockstep_validator",
                    "('https://example.com/keywords?token=Marked-token', 'Keyword', 'Marked-etag', \(at - 60), NULL)"
                ),
                (
                    "lockstep_validator",
                    "('changes of https://example.com/boxes', 'Box', 'Marked-watermark', \(at - 30), 'watermark')"
                ),
                (
                    "lockstep_local_value",
                    "('Part', '\(Self.uuid(7).uuidString.lowercased())', 'title', 'Marked-local', \(at - 60))"
                ),
                (
                    "lockstep_conflict",
                    """
                    (1, 'Person', '4D61726B65642D4348,1', 'name', 'Marked-before', 'Marked-lost', 'Marked-won', 7, \
                    'local', 'serverWins', \(at - 120))
                    """
                ),
                (
                    "lockstep_leftover",
                    "(1, 'Person', '4D61726B65642D4348,2', 'nickname', '\"Marked-nickname\"', 1, \(at - 86400), 'Marked-reason')"
                ),
            ] {
                try database.execute(sql: "INSERT INTO \(table) VALUES \(values)")
            }
            try database.execute(
                sql: """
                    UPDATE lockstep_outbox SET changed_at = ? + id, error = 'Marked-error', \
                    idempotency_key = CASE WHEN idempotency_key IS NULL THEN NULL ELSE 'Marked-key' END
                    """, arguments: [at - 7200])
            for (key, value) in [
                ("store_identity", "5707e000-0000-4000-8000-00000000f11e"), ("sync_paused_by", "server"),
                ("sync_paused_until", String(at + 60)), ("sync_pause_attempts", "1"),
                (
                    "sync_pause_error",
                    #"{"code":"unavailable","status":503,"request":"GET https://example.com/?token=Marked-token","reason":"Marked-reason"}"#
                ),
                ("sync_failures", #"[{"change":1,"error":{"code":"network","reason":"Marked-error"}}]"#),
                ("app_version", "4.1"),
            ] {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO lockstep_metadata VALUES (?, ?)", arguments: [key, value])
            }
            try database.execute(
                sql: "CREATE TABLE grdb_migrations (identifier TEXT); INSERT INTO grdb_migrations VALUES ('v1')")
        }
        try queue.close()
    }

    // MARK: Reading it

    func report(includesValues: Bool = false, entity: String? = nil) throws -> InspectionReport {
        try InspectedFile(url).report(
            InspectionOptions(includesValues: includesValues, entity: entity, at: Self.now))
    }

    /// The report without what differs from computer to computer.
    func stableReport(includesValues: Bool = false) throws -> InspectionReport {
        var report = try report(includesValues: includesValues)
        report.file = InspectionReport.File(path: "/Users/ann/kitchen.sqlite", size: 212_992, journalSize: 0)
        report.schema.fingerprint = "0123456789abcdef"
        (report.schema.madeBy, report.schema.migratedBy) = ("0.2.0", "0.2.0")
        return report
    }
}

extension InspectionStage {
    /// Makes a store with this number of pending entries: most are new, some were changed.
    static func makeMany(_ count: Int, at url: URL) async throws {
        let store = try Store(JournalSchema.self, at: .file(url))
        let changed = count / 5
        let json = (0..<changed).map { number in
            """
            {"identifier": "\(uuid(number).uuidString.lowercased())", "title": "Title \(number)", "mood": "neutral", \
            "timestamp": "2026-11-01T08:00:00Z"}
            """
        }
        try await store.merge(Data("[\(json.joined(separator: ","))]".utf8), into: Entry.self)
        try await store.perform { context in
            for entry in try context.fetch(Entry.all()) {
                entry.title += ", <b>changed</b>"
                entry.mood = .happy
            }
            for number in changed..<count {
                Entry(identifier: uuid(number), title: "Title \(number) & more", context: context)
            }
            try context.save()
        }
        try store.close()
    }
}
