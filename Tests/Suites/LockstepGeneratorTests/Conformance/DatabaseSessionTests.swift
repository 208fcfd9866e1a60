import ServerTestSupport
import Testing

@testable import LockstepConformance

/// The `psql` process that holds transactions open.
@Suite("A session of the database", .enabled(if: PostgreSQLServer.isWanted))
struct DatabaseSessionTests {
    @Test("returns the rows of each statement, and waits a limited time for locks")
    func rows() async throws {
        let session = try DatabaseSession(try PostgreSQLFeed(tables: "").connection)
        defer { session.end() }
        #expect(try await session.rows("SELECT 1 UNION SELECT 2 ORDER BY 1") == ["1", "2"])
        #expect(try await session.rows("SELECT 'ERROR: no'") == ["ERROR: no"])
        #expect(try await session.rows("SHOW lock_timeout") == ["10s"])
        #expect(try await session.rows("SHOW statement_timeout") == ["30s"])
        let failure = await #expect(throws: ConformanceFailure.self) { try await session.rows("SELECT nothing") }
        #expect(failure?.reason.contains("nothing") == true)
    }

    @Test("does not say what psql says about a failed connection, which can contain the password")
    func connection() async throws {
        // Everything after the colon is the port, as psql reads it.
        let session = try DatabaseSession("postgresql://ann:hidden/word@localhost/lists")
        defer { session.end() }
        let failure = await #expect(throws: ConformanceFailure.self) { try await session.rows("SELECT 1") }
        #expect(failure.map { !"\($0)".contains("hidden") } == true)
        #expect(failure?.reason.hasPrefix("psql cannot connect") == true)
    }

    @Test("says that psql was not found")
    func missing() {
        let failure = #expect(throws: ConformanceFailure.self) { try DatabaseSession("lists", path: "/dev:/etc") }
        #expect(failure?.reason == "psql was not found")
    }

    @Test("ends if the run is cancelled")
    func cancellation() async throws {
        let session = try DatabaseSession(try PostgreSQLFeed(tables: "").connection)
        let query = Task { try await session.rows("SELECT pg_sleep(20)") }
        query.cancel()
        await #expect(throws: CancellationError.self) { try await query.value }
    }
}
