import Foundation
import LockstepSystem

/// Runs simulations of devices that change their versions: `workbench version-scenarios SEED COUNT [--tell] [--jobs 2]`.
enum VersionScenarios {
    static func main(_ arguments: ArraySlice<String>) async throws {
        let tally = Locked(MigrationTally())
        let isRight = try await SeededRuns("version-scenarios", arguments).run { seed in
            let outcome = try await VersionSimulation.run(VersionScenario(seed: seed))
            tally.withLock { $0 += outcome.tally }
            return (outcome.failure, outcome.trace)
        }
        SeededRuns.say("\(tally.withLock { $0 })")
        exit(isRight ? 0 : 1)
    }
}
