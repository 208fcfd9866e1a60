import TestSupport

/// Kills of every kind, each step of each run in turn, until there were so many.
public struct Campaign: Sendable {
    /// What came of it.
    public struct Report: Sendable {
        public var kills = 0
        public var pairs = 0
        public var failures = 0

        public var summary: String { "\(kills) kills, \(pairs) pairs at once, \(failures) failures." }
    }

    let count: Int
    let seed: UInt64
    let jobs: Int
    let tell: @Sendable (String) -> Void
    private let fresh = FreshOutputs()

    /// - Parameters:
    ///   - count: How many processes are to be killed.
    ///   - tell: Is told of each failure.
    public init(count: Int, seed: UInt64, jobs: Int, tell: @escaping @Sendable (String) -> Void) {
        (self.count, self.seed, self.jobs, self.tell) = (count, seed, jobs, tell)
    }

    public func run() async -> Report {
        var report = Report()
        var round = seed
        while report.kills < count {
            for killed in KilledRun.all where report.kills < count {
                await eachStep(of: killed, round, &report)
            }
            await pairs(round, &report)
            round += 1
        }
        return report
    }

    /// A few kills of each kind, and a pair.
    ///
    /// - Returns: What is wrong.
    public static func sample(seed: UInt64) async -> [String] {
        let fresh = FreshOutputs()
        var random = SeededRandom(seed: seed)
        var failures: [String] = []
        for run in KilledRun.all {
            for _ in 0..<3 {
                let step = Int.random(in: 1...60, using: &random)
                var kill = Kill(run, at: step, seed: seed, fresh: fresh)
                do { _ = try await kill.happen() } catch { failures.append("\(run.name), change \(step): \(error)") }
            }
        }
        var pair = Pair(seed: seed, fresh: fresh)
        do { _ = try await pair.happen() } catch { failures.append("a pair: \(error)") }
        return failures
    }

    /// Kills a run before its first step, its second and so on, until it comes to its end.
    private func eachStep(of killed: KilledRun, _ round: UInt64, _ report: inout Report) async {
        var step = 1
        var isAtEnd = false
        while !isAtEnd, report.kills < count {
            let outcomes = await withTaskGroup(of: Int?.self) { group in
                for step in step..<(step + jobs) {
                    group.addTask { await kill(killed, at: step, round) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for kills in outcomes {
                report.kills += kills ?? 1
                report.failures += kills == nil ? 1 : 0
                isAtEnd = isAtEnd || kills == 0
            }
            step += jobs
        }
    }

    private func kill(_ killed: KilledRun, at step: Int, _ round: UInt64) async -> Int? {
        var kill = Kill(killed, at: step, seed: round, fresh: fresh)
        do {
            return try await kill.happen()
        } catch {
            tell("\(killed.name), killed before change \(step), seed \(round): \(error)")
            return nil
        }
    }

    private func pairs(_ round: UInt64, _ report: inout Report) async {
        for number in 0..<UInt64(20) {
            var pair = Pair(seed: round &* 1_000 &+ number, fresh: fresh)
            report.pairs += 1
            do {
                report.kills += try await pair.happen()
            } catch {
                report.failures += 1
                tell("pair \(number), seed \(round): \(error)")
            }
        }
    }
}
