import LockstepTesting
import ServerTestSupport
import TestSupport
import Testing
import workbench

/// Devices that are killed, a network that loses responses, and a server with a feed.
@Suite("H3 Feed simulation")
struct FeedSimulationTests {
    private static let seedsPerTest: UInt64 = 20

    private static func firstSeeds(_ count: Int) -> [UInt64] {
        stride(from: 1, through: UInt64(count), by: Int(seedsPerTest)).map(\.self)
    }

    private static let firstSeeds = firstSeeds(Seeds.count(60, of: 20_000))
    private static let firstDatabaseSeeds = firstSeeds(Seeds.count(20, of: 500))

    @Test("H3 In the end, each device has what its user may read", arguments: firstSeeds)
    func seeds(first: UInt64) async throws { try await check(first, on: nil) }

    @Test(
        "H3 It has what its user may read in a PostgreSQL, too", .enabled(if: PostgreSQLServer.isWanted),
        arguments: firstDatabaseSeeds)
    func database(first: UInt64) async throws { try await check(first, on: FeedDatabase()) }

    private func check(_ first: UInt64, on database: FeedDatabase?) async throws {
        for seed in first..<first + Self.seedsPerTest {
            guard let failure = try await FeedSimulation.run(seed: seed, on: database).failure else { continue }
            // The shortest part of the story that fails.
            guard let shortest = try await FeedSimulation.shortest(seed: seed, on: database) else {
                Issue.record("seed \(seed) fails sometimes: \(failure)")
                continue
            }
            let story = shortest.outcome.trace.joined(separator: "\n")
            Issue.record("seed \(seed), \(shortest.steps) steps: \(shortest.outcome.failure ?? "")\n\(story)")
        }
    }

    @Test("H3 A server that numbers changes before they are committed is found out")
    func numbersEarly() async throws {
        for seed in UInt64(1)...40 {
            if try await FeedSimulation.run(seed: seed, fault: .numbersEarly).failure != nil { return }
        }
        Issue.record("no seed has lost a change")
    }

    /// A device knows a version from a response, and the feed has not brought it before the backup is restored.
    @Test("H3 A server that repeats versions after a backup was restored is found out", arguments: [10_145])
    func repeatsVersions(seed: UInt64) async throws {
        #expect(try await FeedSimulation.run(seed: seed, fault: .repeatsVersions).failure != nil)
        #expect(try await FeedSimulation.run(seed: seed).failure == nil)
    }

    @Test(
        "H3 A PostgreSQL that does not lock scopes is found out, too", .enabled(if: PostgreSQLServer.isWanted))
    func unlocked() async throws {
        let database = try FeedDatabase(mutate: PostgreSQLFeed.withoutLocks)
        for seed in UInt64(1)...40 {
            if try await FeedSimulation.run(seed: seed, on: database).failure != nil { return }
        }
        Issue.record("no seed has lost a change")
    }
}
