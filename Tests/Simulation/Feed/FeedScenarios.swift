import Foundation

/// Runs simulations of devices and a server with a feed: `workbench feed-scenarios SEED COUNT [--tell] [--jobs 2]`.
enum FeedScenarios {
    static func main(_ arguments: ArraySlice<String>) async throws {
        let isRight = try await SeededRuns("feed-scenarios", arguments).run { seed in
            let outcome = try await FeedSimulation.run(seed: seed)
            return (outcome.failure, outcome.trace)
        }
        exit(isRight ? 0 : 1)
    }
}
