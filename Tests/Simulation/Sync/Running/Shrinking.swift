extension Simulation {
    /// Makes a failing scenario simpler, as long as it fails: fewer steps, fewer troubles, then single steps left out.
    ///
    /// - Parameter limit: How many scenarios are tried.
    package static func shrink(_ failing: Outcome, limit: Int = 200) async throws -> Outcome {
        var best = failing
        var tries = 0
        func attempt(_ change: (inout Scenario) -> Void) async throws -> Bool {
            guard tries < limit else { return false }
            tries += 1
            var scenario = best.scenario
            change(&scenario)
            let outcome = try await run(scenario)
            guard let failure = outcome.failure, kind(of: failure) == kind(of: best.failure ?? "") else { return false }
            best = outcome
            return true
        }
        if let step = failing.failedStep, step < failing.scenario.stepCount {
            _ = try await attempt { $0.stepCount = step }
        }
        for trouble in Trouble.all where !best.scenario.withoutTroubles.contains(trouble) {
            _ = try await attempt { $0.withoutTroubles.insert(trouble) }
        }
        var size = max(1, best.scenario.stepCount / 2)
        while size >= 1, tries < limit {
            var start = 1
            while start <= best.scenario.stepCount, tries < limit {
                let steps = Set(start..<start + size).intersection(1...best.scenario.stepCount)
                    .subtracting(best.scenario.skipped)
                if !steps.isEmpty { _ = try await attempt { $0.skipped.formUnion(steps) } }
                start += size
            }
            size /= 2
        }
        return best
    }
}

extension Simulation {
    /// What two failures have in common that are the same fault.
    private static func kind(of failure: String) -> String {
        let words = failure.split(separator: " ", maxSplits: 2).prefix(2)
        return words.first == "rule" ? words.joined(separator: " ") : String(failure.prefix(24))
    }
}

extension Scenario {
    /// The command that runs exactly this scenario again.
    package var command: String {
        var words = ["make scenarios SEED=\(seed) COUNT=1"]
        let original = Scenario(seed: seed)
        if stepCount != original.stepCount { words.append("STEPS=\(stepCount)") }
        if !skipped.isEmpty { words.append("SKIP=\(skipped.sorted().map(String.init).joined(separator: ","))") }
        let troubles = withoutTroubles.subtracting(original.withoutTroubles).map(\.name).sorted()
        if !troubles.isEmpty { words.append("WITHOUT=\(troubles.joined(separator: ","))") }
        return words.joined(separator: " ")
    }
}
