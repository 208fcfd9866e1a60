import Foundation

/// Tells the story of a seed, and finds out whether all holds that must while versions change.
package enum VersionSimulation {
    package struct Outcome: Sendable {
        package let scenario: VersionScenario
        /// What was violated, or what went wrong otherwise; `nil` if all held.
        package let failure: String?
        package let trace: [String]
        package let tally: MigrationTally
    }

    /// Runs a scenario in a folder of its own, which is removed then.
    package static func run(_ scenario: VersionScenario) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("versions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = try VersionWorld(scenario, in: folder)
        defer { world.close() }
        do {
            for _ in 0..<scenario.stepCount { try await world.step() }
            try await world.becomeQuiet()
            return Outcome(scenario: scenario, failure: nil, trace: world.trace.all, tally: world.tally)
        } catch {
            return Outcome(
                scenario: scenario, failure: "step \(world.stepNumber)\(scenario.omissions): \(error)",
                trace: world.trace.all, tally: world.tally)
        }
    }
}
