import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import Shop
import Testing

/// Lists of the records that are linked to one record.
@Suite("Lists of links")
struct LinkListStories {
    /// A server that has the same list at each path.
    private struct Listing: Remote {
        let remote: MemoryRemote
        let list: Data

        func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
            guard case .path = request.target else { return try await remote.fetch(request) }
            return .records(FetchResponse.Records(body: .data(list)))
        }

        func send(_ change: OutgoingChange) async throws -> SendResponse { try await remote.send(change) }
    }

    @Test("M7.16 A list of links is never doubtful: it removes those that it lacks, and nothing is requested")
    func lacking() async throws {
        let (memory, clock) = (MemoryRemote(traits: RemoteTraits()), ManualClock())
        for id in 1...4 {
            memory.set(["id": .integer(Int64(id)), "name": .string("t\(id)")], id: "\(id)", in: "/tags")
        }
        memory.set(["id": 1, "name": "P", "tag_ids": [1, 2, 3, 4]], id: "1", in: "/products")
        let store = try Store(ShopSchema.self, at: .inMemory)
        let remote = Listing(remote: memory, list: try JSONValue.array([["id": 1, "name": "t1"]]).json())
        let sync = Sync(store: store, remote: remote, clock: clock, random: { 0 })
        try await sync.pull(Tag.self)
        try await sync.pull(Product.self)
        #expect(try store.rows("SELECT COUNT(*) FROM product_tag") == ["4"])

        memory.clearLog()
        let summary = try await sync.pull(
            Tag.self, scope: .children(of: 1, in: Product.Relationships.tags), path: "/products/1/tags",
            options: MergeOptions(records: .all))
        #expect(summary.deleted == 0 && summary.merges.flatMap(\.notes).isEmpty)
        #expect(memory.log.isEmpty)
        #expect(try store.rows("SELECT tag_id FROM product_tag") == ["1"])
        #expect(try store.rows("SELECT id FROM tag ORDER BY id") == ["1", "2", "3", "4"])
    }
}
