import Foundation

/// Runs simulations by their seeds: `workbench scenarios SEED COUNT [--steps 20] [--skip 3,4] [--without kill,late] [--jobs 2]`.
struct Scenarios {
    var first: UInt64 = 1
    var count = 200
    var steps: Int?
    var skipped: Set<Int> = []
    var without: Set<Trouble> = []
    var jobs = 2
    var tellsAll = false

    static func main(_ arguments: ArraySlice<String>) async throws {
        let scenarios = Scenarios(arguments)
        let failures = try await scenarios.run()
        exit(failures == 0 ? 0 : 1)
    }

    init(_ arguments: ArraySlice<String>) {
        var rest = arguments
        func next() -> String { rest.popFirst() ?? "" }
        var numbers: [UInt64] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--steps": steps = Int(next())
            case "--skip": skipped = Set(next().split(separator: ",").compactMap { Int($0) })
            case "--without":
                for name in next().split(separator: ",") {
                    guard let trouble = Trouble(name: String(name)) else { Self.fail("no trouble is called \(name)") }
                    without.insert(trouble)
                }
            case "--jobs": jobs = max(1, Int(next()) ?? 2)
            case "--tell": tellsAll = true
            default:
                guard let number = UInt64(argument) else { Self.fail("\(argument) is no number") }
                numbers.append(number)
            }
        }
        if let number = numbers.first { first = number }
        if numbers.count > 1 { count = Int(numbers[1]) }
    }

    /// A long run says now and then how far it is.
    private static let countBetweenReports = 500

    private static func fail(_ reason: String) -> Never {
        say("scenarios: \(reason)")
        exit(2)
    }

    private func scenario(_ seed: UInt64) -> Scenario {
        var scenario = Scenario(seed: seed)
        if let steps { scenario.stepCount = steps }
        scenario.skipped = skipped
        scenario.withoutTroubles.formUnion(without)
        return scenario
    }

    /// - Returns: How many failed.
    private func run() async throws -> Int {
        let start = Date()
        var failures: [Simulation.Outcome] = []
        var done = 0
        try await SeededRuns.each(count, from: first, jobs: jobs) {
            try await Simulation.run(scenario($0))
        } take: { outcome in
            done += 1
            if done % Self.countBetweenReports == 0 {
                say("\(done) done in \(Int(Date().timeIntervalSince(start))) s")
            }
            if outcome.failure != nil {
                failures.append(outcome)
                say("seed \(outcome.scenario.seed) fails: \(outcome.failure?.prefix(300) ?? "")")
            } else if tellsAll {
                tell(outcome)
            }
        }
        // The first one is told in full; with the others it would be a long read.
        if let worst = failures.min(by: { $0.scenario.seed < $1.scenario.seed }) {
            let isAsIs = steps != nil || !skipped.isEmpty || !without.isEmpty
            tell(isAsIs ? worst : try await Simulation.shrink(worst))
        }
        let seconds = Date().timeIntervalSince(start)
        say(
            "\(count) scenarios from seed \(first): \(count - failures.count) held, \(failures.count) failed, "
                + "in \(Int(seconds)) s")
        if !failures.isEmpty {
            say("failing seeds: \(failures.map(\.scenario.seed).sorted().map(String.init).joined(separator: " "))")
        }
        return failures.count
    }

    private func tell(_ outcome: Simulation.Outcome) {
        say("\nseed \(outcome.scenario.seed): \(outcome.scenario.description)")
        for line in outcome.trace { say(line) }
        if let failure = outcome.failure { say("  → \(failure)") }
        say("\nAgain: \(outcome.scenario.command)\n")
    }

    private static func say(_ text: String) { SeededRuns.say(text) }
    private func say(_ text: String) { Self.say(text) }
}
