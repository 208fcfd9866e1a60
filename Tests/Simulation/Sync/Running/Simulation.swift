import Foundation
import LockstepStore

/// Tells the story of a seed, and finds out whether all holds that must.
package enum Simulation {
    /// What came of a scenario.
    package struct Outcome: Sendable {
        package let scenario: Scenario
        /// What was violated, or what went wrong otherwise; `nil` where all held.
        package let failure: String?
        /// The number of the step in which it failed.
        package let failedStep: Int?
        package let trace: [String]
    }

    /// Runs a scenario in a folder of its own, which is removed then.
    package static func run(_ scenario: Scenario) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("simulation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = try World(scenario, in: folder)
        defer { world.close() }
        do {
            for number in 1...max(1, scenario.stepCount) { try await world.step(number) }
            try await world.becomeQuiet()
            return Outcome(scenario: scenario, failure: nil, failedStep: nil, trace: world.trace.all)
        } catch {
            return Outcome(
                scenario: scenario, failure: "\(error)", failedStep: world.stepNumber, trace: world.trace.all)
        }
    }
}
