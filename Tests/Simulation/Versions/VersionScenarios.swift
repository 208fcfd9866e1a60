import Foundation

/// Runs simulations of devices that change their versions: `workbench version-scenarios SEED COUNT [--tell] [--jobs 2]`.
struct VersionScenarios {
    var first: UInt64 = 1
    var count = 200
    var jobs = 2
    var tells = false

    static func main(_ arguments: ArraySlice<String>) async throws {
        let failures = try await VersionScenarios(arguments).run()
        exit(failures == 0 ? 0 : 1)
    }

    init(_ arguments: ArraySlice<String>) {
        var rest = arguments
        var numbers: [UInt64] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--jobs": jobs = max(1, rest.popFirst().flatMap { Int($0) } ?? 2)
            case "--tell": tells = true
            default:
                guard let number = UInt64(argument) else {
                    Self.say("version-scenarios: \(argument) is not a number")
                    exit(2)
                }
                numbers.append(number)
            }
        }
        if let number = numbers.first { first = number }
        if numbers.count > 1 { count = Int(numbers[1]) }
    }

    /// - Returns: How many failed.
    private func run() async throws -> Int {
        var failed: [UInt64] = []
        var tally = MigrationTally()
        try await withThrowingTaskGroup(of: VersionSimulation.Outcome.self) { group in
            var next = first
            let end = first + UInt64(count)
            func add() {
                guard next < end else { return }
                let seed = next
                next += 1
                group.addTask { try await VersionSimulation.run(VersionScenario(seed: seed)) }
            }
            for _ in 0..<jobs { add() }
            while let outcome = try await group.next() {
                add()
                tally += outcome.tally
                if tells { for line in outcome.trace { Self.say(line) } }
                guard let failure = outcome.failure else { continue }
                failed.append(outcome.scenario.seed)
                Self.say("seed \(outcome.scenario.seed) fails: \(failure)")
            }
        }
        if !failed.isEmpty {
            Self.say("failing seeds: \(failed.sorted().map(String.init).joined(separator: " "))")
            Self.say("Again: make version-scenarios SEED=\(failed.min() ?? first) COUNT=1 TELL=1")
        }
        Self.say("\(tally)")
        Self.say("\(count - failed.count) passed, \(failed.count) failed")
        return failed.count
    }

    /// Prints a line at once: a run may take long.
    private static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
