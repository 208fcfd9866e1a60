import Foundation
package import LockstepTesting

/// Devices of several users and a server with a feed, by seed: in the end, every device has what its user may read.
package enum FeedSimulation {
    package struct Outcome: Sendable {
        /// What was violated, or what went wrong otherwise; `nil` where all held.
        package let failure: String?
        package let trace: [String]
    }

    /// - Parameters:
    ///   - fault: What the server in this process does wrong.
    ///   - database: The server; `nil` for one in this process.
    package static func run(
        seed: UInt64, stepCount: Int = 60, fault: FakeFeed.Fault? = nil, on database: FeedDatabase? = nil
    ) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = try FeedWorld(seed: seed, in: folder) { habits in
            try database?.emptied(habits) ?? InProcessFeedServer(habits, fault: fault)
        }
        defer { world.close() }
        do {
            for number in 1...stepCount { try await world.step(number) }
            try await world.becomeQuiet()
            return Outcome(failure: nil, trace: world.trace.all)
        } catch {
            return Outcome(failure: "\(error)\(world.edits.omissions)", trace: world.trace.all)
        }
    }

    /// The outcome of the shortest part of a failed run that fails as well.
    package static func shortest(
        seed: UInt64, stepCount: Int = 60, on database: FeedDatabase? = nil
    ) async throws -> (steps: Int, outcome: Outcome)? {
        var shortest: (steps: Int, outcome: Outcome)?
        for steps in stride(from: stepCount, through: 1, by: -1) {
            let outcome = try await run(seed: seed, stepCount: steps, on: database)
            if outcome.failure == nil { break }
            shortest = (steps, outcome)
        }
        return shortest
    }
}
