import TestSupport
import Testing
import workbench

/// The invariants, for a hundred seeds or as many as `SEEDS` says; `make scenarios` runs any of them.
@Suite("Simulation")
struct SimulationTests {
    /// The number of seeds per test: few enough to be identified by its name.
    private static let seedsPerTest: UInt64 = 20

    private static let firstSeeds: [UInt64] = {
        let count = UInt64(Seeds.count(100, of: 1_000))
        return stride(from: 1, through: count, by: Int(seedsPerTest)).map(\.self)
    }()

    @Test("The invariants hold for each seed", arguments: firstSeeds)
    func seeds(first: UInt64) async throws {
        for seed in first..<first + Self.seedsPerTest {
            let outcome = try await Simulation.run(Scenario(seed: seed))
            guard outcome.failure != nil else { continue }
            let simplest = try await Simulation.shrink(outcome, limit: 60)
            Issue.record(
                """
                seed \(seed): \(simplest.failure ?? "")
                \(simplest.scenario.description)
                \(simplest.trace.joined(separator: "\n"))
                Again: \(simplest.scenario.command)
                """)
        }
    }

    /// What later seeds found: two rows become one, and the server has records that were sent with the other; a record
    /// is created again for its links, or for what is in it, and others have created it too; a link leads to a record
    /// that others have deleted, and whose spelling was forgotten; what was created in a record that others have
    /// deleted is discarded with it; a server asks to come later when it is asked for a record that it refuses.
    @Test(
        "The invariants hold for seeds that failed once",
        arguments: [700_213, 50_003_477, 50_003_871, 50_004_472, 50_007_051, 50_008_524] as [UInt64])
    func found(seed: UInt64) async throws {
        let outcome = try await Simulation.run(Scenario(seed: seed))
        #expect(outcome.failure == nil, "\(outcome.scenario.command)")
    }

    @Test("A seed determines the story", arguments: [3, 14, 27, 48] as [UInt64])
    func sameSeedSameStory(seed: UInt64) async throws {
        let scenario = Scenario(seed: seed)
        let (one, other) = (try await Simulation.run(scenario), try await Simulation.run(scenario))
        #expect(one.trace == other.trace)
        #expect(one.failure == other.failure)
        #expect(!one.trace.isEmpty)
    }
}
