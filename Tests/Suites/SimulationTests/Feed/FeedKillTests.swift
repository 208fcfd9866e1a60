import ServerTestSupport
import TestSupport
import Testing
import workbench

/// A device and a PostgreSQL, of which one is killed in each push.
@Suite("Killing a device or a server while changes are sent", .enabled(if: PostgreSQLServer.isWanted), .serialized)
struct FeedKillTests {
    private static let killsPerSeed = 50

    private static func seeds(kills: Int) -> ClosedRange<UInt64> { 1...UInt64(kills / killsPerSeed) }

    private static func check(_ seed: UInt64, killing victim: FeedKills.Victim, at server: PostgreSQLServer? = nil)
        async throws
    {
        let database = try FeedDatabase(at: server)
        try database.prepareKills()
        let problem = try await FeedKills.run(seed: seed, kills: killsPerSeed, of: victim, on: database)
        #expect(problem == nil, "seed \(seed)")
    }

    @Test(
        "Each change is applied once, whenever the device is killed",
        arguments: seeds(kills: Seeds.count(50, of: 1_000)))
    func device(seed: UInt64) async throws { try await Self.check(seed, killing: .device) }

    @Test(
        "Each change is applied once, whenever the server's process ends",
        arguments: seeds(kills: Seeds.count(50, of: 1_000)))
    func backend(seed: UInt64) async throws { try await Self.check(seed, killing: .backend(.terminate)) }

    @Test("Each change is applied once, whenever the server crashes")
    func crash() async throws {
        let database = try FeedDatabase(at: PostgreSQLServer.own())
        try database.prepareKills()
        let kills = Seeds.count(3, of: 1_000)
        #expect(try await FeedKills.run(seed: 1, kills: kills, of: .backend(.kill), on: database) == nil)
    }

    /// Either alone is made up for: a device asks for a record that exists, and an outdated version is refused.
    @Test("A server that keeps no keys, and compares no versions, is found out", arguments: [true, false])
    func forgetful(isDevice: Bool) async throws {
        let database = try FeedDatabase { sql in
            let claim = "RETURN claimed;"
            let comparison = "WHERE v.expected <> v.present"
            #expect(sql.contains(claim) && sql.contains(comparison))
            return sql.replacing(claim, with: "RETURN cardinality($1);").replacing(comparison, with: "WHERE FALSE")
        }
        try database.prepareKills()
        let victim = isDevice ? FeedKills.Victim.device : .backend(.terminate)
        #expect(try await FeedKills.run(seed: 1, kills: 100, of: victim, on: database) != nil)
    }
}
