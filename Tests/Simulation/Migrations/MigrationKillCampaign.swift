import Foundation
import LockstepSystem

/// Kills of migrations, at the points of one history after the other, until there were so many.
package struct MigrationKillCampaign: Sendable {
    /// What came of it.
    package struct Report: Sendable, CustomStringConvertible {
        package var kills = 0
        package var histories = 0
        package var formerFiles = 0
        package var newFiles = 0
        package var failures: [String] = []

        package var description: String {
            "\(kills) kills in migrations of \(histories) histories: \(formerFiles) files of the former version,"
                + " \(newFiles) of the new one, \(failures.count) failures"
        }
    }

    private let count: Int
    private let seed: UInt64
    private let most: Int
    private let jobs: Int
    private let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - count: The number of processes to kill.
    ///   - seed: The seed of the first history.
    ///   - most: The number of kills for each history, at points from its first to its last.
    ///   - jobs: How many processes run at once.
    ///   - tell: Is called with each failure at once.
    package init(
        count: Int, seed: UInt64, most: Int = .max, jobs: Int = 2, tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.count, self.seed, self.most, self.jobs, self.tell) = (count, seed, most, jobs, tell)
    }

    package func run() -> Report {
        var report = Report()
        var seed = seed
        while report.kills < count {
            let left = min(most, count - report.kills)
            run(seed: seed, &report) { Self.spread($0, over: left) }
            seed += 1
        }
        return report
    }

    /// Kills the migration of the first history at one point.
    package func run(at point: KillPoint) -> Report {
        var report = Report()
        run(seed: seed, &report) { _ in [point] }
        return report
    }

    private func run(seed: UInt64, _ report: inout Report, choosing: ([KillPoint]) -> [KillPoint]) {
        report.histories += 1
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            let migration = try MigrationKills(seed: seed, in: folder)
            kill(migration, seed, at: choosing(migration.points), &report)
        } catch {
            // Counted as a kill, so that a fault of every history ends the run.
            report.kills += 1
            add("seed \(seed): \(error)", to: &report)
        }
    }

    private func kill(_ migration: MigrationKills, _ seed: UInt64, at points: [KillPoint], _ report: inout Report) {
        let shared = Locked(report)
        DispatchQueue.concurrentPerform(iterations: jobs) { job in
            for index in stride(from: job, to: points.count, by: jobs) {
                let result = Result { try migration.kill(at: points[index], job: job) }
                shared.withLock { report in
                    if case .success(.survived) = result { return }
                    report.kills += 1
                    switch result {
                    case .success(let outcome):
                        if outcome == .former { report.formerFiles += 1 } else { report.newFiles += 1 }
                    case .failure(let error):
                        let point = points[index].text
                        add(
                            "seed \(seed), killed at \(point): \(error)\n"
                                + "Again: make kills-migration SEED=\(seed) AT=\(point)", to: &report)
                    }
                }
            }
        }
        report = shared.withLock { $0 }
    }

    private func add(_ failure: String, to report: inout Report) {
        report.failures.append(failure)
        tell(failure)
    }

    /// Some of the points, at equal distances.
    private static func spread(_ points: [KillPoint], over count: Int) -> [KillPoint] {
        guard points.count > count else { return points }
        return (0..<count).map { points[$0 * points.count / count] }
    }
}
