import Dispatch
import TestSupport

/// Two runs that write one folder at once; one of them may be killed.
///
/// Both succeed, one after the other: what is there is what one of them makes alone.
public struct Pair: Sendable {
    private let fresh: FreshOutputs
    private var random: SeededRandom

    public init(seed: UInt64, fresh: FreshOutputs) {
        self.fresh = fresh
        random = SeededRandom(seed: seed)
    }

    private static let requests = [
        Request.generate(Request.journal, at: "A/Journal.yaml"),
        Request.generate(Request.changedJournal, at: "B/Journal.yaml"),
    ]

    /// - Returns: How many processes were killed.
    /// - Throws: ``KillFailure``.
    public mutating func happen() async throws -> Int {
        let workplace = try Workplace()
        for request in Self.requests { try workplace.prepare(for: request) }
        if Bool.random(using: &random) {
            try workplace.writeOutput(try await fresh.output(of: Self.requests[0]))
        }
        let requests = (0..<2).map { _ in Self.requests[Int.random(in: 0..<2, using: &random)] }
        let kill = Bool.random(using: &random) ? Int.random(in: 1...90, using: &random) : nil
        async let first = Self.run(requests[0], in: workplace, killAt: nil)
        async let second = Self.run(requests[1], in: workplace, killAt: kill)
        let results = (try await first, try await second)
        guard results.0.status == 0, results.1.status == 0 || results.1.wasKilled else {
            throw KillFailure("one of two runs fails: \(results.0.text)\n\(results.1.text)")
        }
        if results.1.wasKilled {
            guard try workplace.run(requests[0]).status == 0 else { throw KillFailure("the next run fails") }
        }
        let possible = results.1.wasKilled ? [requests[0]] : requests
        let output = try workplace.output()
        for request in possible where try await fresh.output(of: request) == output {
            let check = try workplace.run(request, ["--check"])
            guard check.status == 0 else { throw KillFailure("--check after two runs: \(check.text)") }
            return results.1.wasKilled ? 1 : 0
        }
        throw KillFailure("two runs left what none of them makes: \(output.keys.sorted().joined(separator: ", "))")
    }

    /// On a thread of its own: the wait for a process would hold up a task of the other.
    private static func run(
        _ request: Request, in workplace: Workplace, killAt change: Int?
    ) async throws -> ProcessResult {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try workplace.run(request, killAt: change) })
            }
        }
    }
}
