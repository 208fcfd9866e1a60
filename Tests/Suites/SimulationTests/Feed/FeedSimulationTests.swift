import TestSupport
import Testing
import workbench

/// Devices that are killed, a network that loses responses, and a server with a feed.
@Suite("H3 Feed simulation")
struct FeedSimulationTests {
    private static let seedsPerTest: UInt64 = 20

    private static let firstSeeds: [UInt64] = {
        let count = UInt64(Seeds.count(60, of: 20_000))
        return stride(from: 1, through: count, by: Int(seedsPerTest)).map(\.self)
    }()

    @Test("H3 In the end, each device has what its user may read", arguments: firstSeeds)
    func seeds(first: UInt64) async throws {
        for seed in first..<first + Self.seedsPerTest {
            let outcome = try await FeedSimulation.run(seed: seed)
            guard let failure = outcome.failure else { continue }
            // The shortest part of the story that fails.
            var steps = 60
            var shortest = outcome
            while steps > 1 {
                let shorter = try await FeedSimulation.run(seed: seed, stepCount: steps - 1)
                guard shorter.failure != nil else { break }
                (steps, shortest) = (steps - 1, shorter)
            }
            Issue.record(
                "seed \(seed), \(steps) steps: \(shortest.failure ?? failure)\n\(shortest.trace.joined(separator: "\n"))"
            )
        }
    }

    @Test("H3 A server that numbers changes before they are committed is found out")
    func numbersEarly() async throws {
        for seed in UInt64(1)...40 {
            if try await FeedSimulation.run(seed: seed, numbersEarly: true).failure != nil { return }
        }
        Issue.record("no seed has lost a change")
    }
}
