import EvolutionScenarios
import Foundation
import LockstepEvolution
import LockstepTesting
import Testing

@Suite("Random histories")
struct RandomMigrationTests {
    /// The number of histories: `MIGRATION_SEEDS=1000 swift test --filter RandomMigrationTests` tries more of them.
    private static let seeds = UInt64(ProcessInfo.processInfo.environment["MIGRATION_SEEDS"] ?? "") ?? 25

    @Test(
        "V1–V7: A file of any version of a random history is migrated with every row and every pending change",
        arguments: 1...seeds)
    func migrates(seed: UInt64) throws {
        let history = try RandomHistory.make(seed: seed, versions: 5)
        let target = try RecordedSchemas(history).schema(at: history.head.number).description
        for version in history.versions {
            do {
                try MigrationCheck(target, from: version.number).run(seed: seed, rowCount: 5)
            } catch {
                Issue.record("history \(seed), from version \(version.number): \(error)")
            }
        }
    }
}
