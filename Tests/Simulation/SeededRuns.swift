import Foundation

/// Simulations of consecutive seeds, some at once: `workbench COMMAND SEED COUNT [--tell] [--jobs 2]`.
struct SeededRuns {
    private let command: String
    private var first: UInt64 = 1
    private var count = 200
    private var jobs = 2
    private var tells = false

    init(_ command: String, _ arguments: ArraySlice<String>) {
        self.command = command
        var rest = arguments
        var numbers: [UInt64] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--jobs": jobs = max(1, rest.popFirst().flatMap { Int($0) } ?? 2)
            case "--tell": tells = true
            default:
                guard let number = UInt64(argument) else {
                    Self.say("\(command): \(argument) is not a number")
                    exit(64)
                }
                numbers.append(number)
            }
        }
        if let number = numbers.first { first = number }
        if numbers.count > 1 { count = Int(clamping: numbers[1]) }
    }

    /// Simulates each seed, and prints what fails and how many passed.
    ///
    /// - Parameter simulate: Returns what was violated, `nil` if nothing was, and what happened.
    /// - Returns: Whether all passed.
    func run(
        _ simulate: @escaping @Sendable (UInt64) async throws -> (failure: String?, trace: [String])
    ) async throws -> Bool {
        var failed: [UInt64] = []
        var done = 0
        try await Self.each(count, from: first, jobs: jobs) { seed in
            let outcome = try await simulate(seed)
            return (seed: seed, failure: outcome.failure, trace: outcome.trace)
        } take: { outcome in
            done += 1
            if done.isMultiple(of: 1_000) { Self.say("\(done) of \(count) …") }
            if tells { outcome.trace.forEach(Self.say) }
            guard let failure = outcome.failure else { return }
            failed.append(outcome.seed)
            Self.say("seed \(outcome.seed) fails: \(failure)")
        }
        if !failed.isEmpty {
            Self.say("failing seeds: \(failed.sorted().map(String.init).joined(separator: " "))")
            Self.say("Again: make \(command) SEED=\(failed.min() ?? first) COUNT=1 TELL=1")
        }
        Self.say("\(count - failed.count) passed, \(failed.count) failed")
        return failed.isEmpty
    }

    /// Simulates consecutive seeds, so many at once, and takes each outcome as soon as it is there.
    static func each<Outcome: Sendable>(
        _ count: Int, from first: UInt64, jobs: Int, simulate: @escaping @Sendable (UInt64) async throws -> Outcome,
        take: (Outcome) -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            var seeds = (0..<UInt64(count)).lazy.map { first &+ $0 }.makeIterator()
            func add() {
                guard let seed = seeds.next() else { return }
                group.addTask { try await simulate(seed) }
            }
            for _ in 0..<jobs { add() }
            while let outcome = try await group.next() {
                add()
                take(outcome)
            }
        }
    }

    /// Prints a line at once, also into a file: a run may take long.
    static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
