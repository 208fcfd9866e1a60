import Figures

/// Two kinds of work measured in turn.
struct Comparison {
    let first: [TimedProcess.Usage]
    let second: [TimedProcess.Usage]

    /// Runs both `runs` times, after `warmUps` rounds that do not count. Who goes first changes with every round, so
    /// that neither always finds the caches as the other left them.
    ///
    /// - Parameters:
    ///   - first: Prepares and then measures one run; is given the number of the round.
    init(
        runs: Int, warmUps: Int, first: (Int) -> TimedProcess.Usage, second: (Int) -> TimedProcess.Usage
    ) {
        var firstRuns: [TimedProcess.Usage] = []
        var secondRuns: [TimedProcess.Usage] = []
        for round in 0..<(warmUps + runs) {
            let one: TimedProcess.Usage
            let other: TimedProcess.Usage
            if round.isMultiple(of: 2) {
                one = first(round)
                other = second(round)
            } else {
                other = second(round)
                one = first(round)
            }
            guard round >= warmUps else { continue }
            firstRuns.append(one)
            secondRuns.append(other)
        }
        self.first = firstRuns
        self.second = secondRuns
    }

    func ratio(_ figure: KeyPath<TimedProcess.Usage, Double>) -> Ratio {
        Ratio(first.map { $0[keyPath: figure] }, to: second.map { $0[keyPath: figure] })
    }
}

extension Comparison {
    func result(
        _ figure: KeyPath<TimedProcess.Usage, Double>, of budget: Budget, per count: Int = 1
    ) -> BudgetResult {
        BudgetResult(
            budget, lockstep: first.median(figure) / Double(count), floor: second.median(figure) / Double(count),
            ratio: ratio(figure))
    }
}

extension [TimedProcess.Usage] {
    func median(_ figure: KeyPath<TimedProcess.Usage, Double>) -> Double {
        Figures.median(map { $0[keyPath: figure] })
    }
}
