import Foundation
import LockstepStore
import LockstepSync
import Shop
import Testing

// The Swift of TheOutbox.md, compiled and run.

@Suite("The Swift in TheOutbox.md")
struct OutboxSnippets {
    @Test("Pending and rejected changes")
    func page() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.writer.write { try $0.execute(sql: "INSERT INTO tag VALUES (1, 'red')") }
        // snippet
        for change in try await store.outbox.pending() {
            print(change.kind, change.entity, change.record, change.since, change.attempts, change.lastError ?? "")
        }
        let waiting = try await store.outbox.changes(of: Tag.self).count
        // end
        #expect(waiting == 1)
        try await store.writer.write {
            try $0.execute(
                sql: "UPDATE lockstep_outbox SET parked_status = 422, parked_body = ?",
                arguments: [#"{"errors": {"name": ["is taken"]}}"#])
        }
        let sync = Sync(store: store, remote: RESTRemote(URL(string: "https://shop.test")!, client: ScriptedClient()))
        // snippet
        for change in try await store.outbox.pending() {
            guard let problem = sync.problem(of: change) else { continue }
            print(change.record, problem.message ?? "", problem.attributes)  // ["title": ["can't be blank"]]
        }
        // end
        let parked = try #require(try await store.outbox.pending().first)
        #expect(sync.problem(of: parked)?.attributes == ["name": ["is taken"]])
        // snippet
        for change in try await store.outbox.pending() {
            guard let response = change.parked else { continue }
            if response.status == 409 {
                try await store.outbox.retry(change)
            } else {
                try await store.outbox.discard(change)
            }
        }
        // end
        #expect(try await store.outbox.count() == 0)
        try await store.writer.write { try $0.execute(sql: "INSERT INTO tag VALUES (1, 'red')") }
        try await store.writer.write { try $0.execute(sql: "UPDATE lockstep_outbox SET entity = 'Label'") }
        // snippet
        for finding in store.findings { print(finding) }
        let unclaimed = try await store.outbox.pending().filter(\.isUnclaimed)
        let count = try await store.outbox.status().unclaimedCount
        // end
        #expect(unclaimed.count == count && count == 1)
        try await store.outbox.discardAll()
        // snippet
        for await status in store.outbox.updates {
            print(status.count, status.parkedCount, status.failingCount, status.oldest ?? "")
            if status.count == 0 { break }
        }
        // end
    }
}
