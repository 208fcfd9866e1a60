import GRDB
import Journal
import LockstepStore
import Testing

@Suite("Cancellation during reads and writes")
struct CancelledReadTests {
    private static let endless = """
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT COUNT(*) FROM numbers
        """

    @Test("A cancelled read throws CancellationError, not an error that a statement was interrupted")
    func read() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let reading = _Concurrency.Task {
            try await store.reading("reading for ever") { database in
                start.finish()
                return try Int.fetchOne(database, sql: Self.endless)
            }
        }
        for await _ in started {}
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test("A cancelled write throws CancellationError and writes nothing")
    func write() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let writing = _Concurrency.Task {
            try await store.writeRaw("writing for ever") { database, _ in
                try database.execute(sql: "CREATE TABLE half_done (id INTEGER)")
                start.finish()
                _ = try Int.fetchOne(database, sql: Self.endless)
            }
        }
        for await _ in started {}
        writing.cancel()
        await #expect(throws: CancellationError.self) { try await writing.value }
        #expect(try await store.reading("looking") { try $0.tableExists("half_done") } == false)
    }
}
