import Foundation

/// Devices of several users and a server with a feed, by seed: in the end, every device has what its user may read.
package enum FeedSimulation {
    package struct Outcome: Sendable {
        /// What was violated, or what went wrong otherwise; `nil` where all held.
        package let failure: String?
        package let trace: [String]
    }

    /// - Parameter numbersEarly: Whether the server numbers changes before they are committed, which loses some.
    package static func run(
        seed: UInt64, stepCount: Int = 60, numbersEarly: Bool = false
    ) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = try FeedWorld(seed: seed, numbersEarly: numbersEarly, in: folder)
        defer { world.close() }
        do {
            for number in 1...stepCount { try await world.step(number) }
            try await world.becomeQuiet()
            return Outcome(failure: nil, trace: world.trace.all)
        } catch {
            return Outcome(failure: "\(error)", trace: world.trace.all)
        }
    }
}
