import Foundation
import LockstepStore
import SamplesV1
import Testing
import workbench

/// The queries that simulations run after each transaction: each one finds what it is about.
@Suite("Invariants of a store")
struct StoreInvariantTests {
    /// An entry with a new tag, a picture that was edited, and a new entry.
    private static let healthy = """
        INSERT INTO entry (identifier, title, mood, rating) VALUES ('e1', 'Monday', 'sad', '0');
        INSERT INTO picture (identifier, caption, entry_id) VALUES ('p1', 'Rain', 'e1');
        DELETE FROM lockstep_outbox;
        UPDATE entry SET title = 'Tuesday';
        UPDATE picture SET caption = 'Sun';
        INSERT INTO tag (identifier, name) VALUES ('t1', 'weather');
        INSERT INTO entry_tag (entry_id, tag_id) VALUES ('e1', 't1');
        INSERT INTO entry (identifier, title, mood, rating) VALUES ('e2', 'Friday', 'sad', '0');
        """

    /// What breaks each of them.
    private static let broken: [(sentence: String, sql: String)] = [
        ("No transaction leaves the triggers switched off.", "INSERT INTO lockstep_quiet DEFAULT VALUES"),
        (
            "What is kept of a request belongs to a pending change.",
            "INSERT INTO lockstep_outbox_unanswered (change, name) VALUES (999, 'title')"
        ),
        ("A wait does not end before it begins.", "UPDATE lockstep_outbox SET waits_since = 2, retry_at = 1"),
        (
            "A parked change has no time of its next attempt.",
            "UPDATE lockstep_outbox SET parked_status = 422, retry_at = 1"
        ),
        (
            "Only a creation has an idempotency key, also if it was deleted since.",
            "UPDATE lockstep_outbox SET idempotency_key = 'k' WHERE change = 1"
        ),
        (
            "The body of a creation that was sent is kept with its key and its version.",
            "UPDATE lockstep_outbox SET sent_body = x'7B7D' WHERE change = 0"
        ),
        ("A creation that the server has accepted keeps its key.", "UPDATE lockstep_outbox SET is_touched = 16"),
        ("The table of each name in the outbox is known.", "DELETE FROM lockstep_outbox_entity"),
        ("A pending link is one of the schema's.", "UPDATE lockstep_outbox_link SET join_table = 'entry_word'"),
        (
            "The record that sends a pending link is pending.",
            "DELETE FROM lockstep_outbox WHERE record = 'e1'"
        ),
        (
            "A link that was added exists, and one that was removed does not.",
            "UPDATE lockstep_outbox_link SET is_added = 0"
        ),
        (
            "Only a member that was deleted locally is kept with its identity.",
            sent(state: 1, root: "e1", identity: "7")
        ),
        (
            "A record is in the store unless its pending change is a delete.",
            "UPDATE lockstep_outbox SET change = 2 WHERE record = 'e2'"
        ),
        ("An update has a base.", "DELETE FROM lockstep_base_entry"),
        (
            "A creation that was sent has a base, with what was sent.",
            "UPDATE lockstep_outbox SET idempotency_key = 'k' WHERE record = 'e2'"
        ),
        (
            "What was lost in a conflict is a value of that side, and not one of the other.",
            """
            INSERT INTO lockstep_conflict (entity, record, member, local, remote, sides, lost, rule, at) \
            VALUES ('Entry', 'e1', 'title', 'A', 'A', 6, 'local', 'serverWins', 0)
            """
        ),
        ("A base belongs to a pending change.", "INSERT INTO lockstep_base_tag (identifier) VALUES ('t9')"),
    ]

    private static func sent(state: Int, root: String, identity: String) -> String {
        """
        INSERT INTO lockstep_sent_member VALUES \
        ('Picture', 'p1', 'Entry', '["e1"]', 'pictures', 0, '{}', \(state), 'Entry', '["\(root)"]', \(identity))
        """
    }

    private func watch(_ body: (Store, StoreWatch) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(JournalSchema.self, at: .file(folder.appendingPathComponent("journal.sqlite")))
        let watch = StoreWatch(store)
        try await store.writer.write { try $0.execute(sql: Self.healthy) }
        try await body(store, watch)
        try store.close()
    }

    @Test("Local edits break no invariant, and each invariant has an example that breaks it")
    func healthy() async throws {
        try await watch { store, watch in
            #expect(throws: Never.self) { try watch.check() }
            #expect(Set(StoreInvariant.all(store.plans).map(\.sentence)) == Set(Self.broken.map(\.sentence)))
        }
    }

    @Test("A transaction that breaks an invariant is found", arguments: broken.indices)
    func found(number: Int) async throws {
        let (sentence, sql) = Self.broken[number]
        try await watch { store, watch in
            try await store.writer.write { try $0.execute(sql: sql) }
            let violation = #expect(throws: StoreWatch.Violation.self) { try watch.check() }
            #expect(violation?.description.contains(sentence) == true)
        }
    }
}
