import TestSupport
import Testing
import workbench

/// The invariants, for forty seeds or as many as `SEEDS` says; `make version-scenarios` runs any of them.
@Suite("Simulation of versions")
struct VersionSimulationTests {
    /// The number of seeds per test: few enough to be identified by its name.
    private static let seedsPerTest: UInt64 = 10

    private static let firstSeeds: [UInt64] = {
        let count = UInt64(Seeds.count(40, of: 1_000))
        return stride(from: 1, through: count, by: Int(seedsPerTest)).map(\.self)
    }()

    @Test("V1–V9, V11: The invariants hold while devices and the server change their versions", arguments: firstSeeds)
    func seeds(first: UInt64) async throws {
        for seed in first..<first + Self.seedsPerTest {
            let outcome = try await VersionSimulation.run(VersionScenario(seed: seed))
            guard let failure = outcome.failure else { continue }
            Issue.record(
                """
                seed \(seed): \(failure)
                \(outcome.trace.joined(separator: "\n"))
                Again: make version-scenarios SEED=\(seed) COUNT=1 TELL=1
                """)
        }
    }

    /// 11245: a delete of a rejected creation. 32439: a sent value of a removed attribute. 33155: values that were sent
    /// for a change that is gone, and whose number another change has. 34122: an edit that was undone while its request
    /// was late. 62: an entry whose only change the migration removes, and in which a picture was changed. 127: a sign-in
    /// page instead of a record that was requested for members that the app does not know. 224: a picture that was parked
    /// in an entry that is sent again.
    @Test(
        "The invariants hold for seeds that found faults",
        arguments: [62, 127, 224, 11_245, 32_439, 33_155, 34_122] as [UInt64])
    func foundFaults(seed: UInt64) async throws {
        let outcome = try await VersionSimulation.run(VersionScenario(seed: seed))
        #expect(outcome.failure == nil)
    }

    @Test("A seed determines the story", arguments: [3, 14] as [UInt64])
    func sameSeedSameStory(seed: UInt64) async throws {
        let scenario = VersionScenario(seed: seed)
        let (one, other) = (try await VersionSimulation.run(scenario), try await VersionSimulation.run(scenario))
        #expect(one.trace == other.trace)
        #expect(!one.trace.isEmpty)
    }
}
