import CommandArguments
import Figures

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The table of budgets, made of what the figures have left in the file of results. It has no number of its own.
struct BudgetTable {
    let results: [BudgetResult]
    /// What was measured.
    let parts: Set<String>

    static let usage = "measure budgets --results FILE --parts \"generate compile store merge sync\""

    init(_ arguments: CommandArguments) {
        let path = arguments.required("results")
        guard let text = readText(path) else { Self.end("cannot read \(path)") }
        results = ResultsFile.results(text)
        parts = Set(arguments.required("parts").split(separator: " ").map(String.init))
    }

    /// Prints a row for each budget; ends the process where one was not measured.
    func print() {
        Markdown.row([
            "work", "floor", "at most", "measured", "verdict", "Lockstep took", "the floor took",
            "what users have today",
        ])
        Markdown.row(["---", "---", "---:", "---:", "---", "---:", "---:", "---"])
        for budget in Budget.all where parts.contains(budget.part) {
            let results = results.filter { $0.name == budget.name }
            guard let result = results.last, results.count == 1 else {
                Self.end(
                    "\(results.count) results for '\(budget.work)' instead of one: Benchmarks/run --only \(budget.part)"
                )
            }
            row(budget, result)
        }
    }

    private func row(_ budget: Budget, _ result: BudgetResult) {
        let others = result.others.map { other in
            "\(other.name): \(amount(other.value, budget))" + share(of: other, result, budget)
        }
        Markdown.row(
            [budget.work, budget.floor] + decision(budget, result)
                + [amount(result.lockstep, budget), amount(result.floor, budget), others.joined(separator: "; ")])
    }

    /// What it may be, what it is, and whether that is kept.
    private func decision(_ budget: Budget, _ result: BudgetResult) -> [String] {
        switch budget.limit {
        case .ratio(let limit): [times(limit), text(result.ratio), verdict(result.ratio.median <= limit)]
        case .moreBytes(let limit):
            [
                "N + \(megabytes(limit))", "N + \(megabytes(result.lockstep - result.floor))",
                verdict(result.lockstep - result.floor <= limit),
            ]
        }
    }

    private func amount(_ value: Double, _ budget: Budget) -> String {
        if case .moreBytes = budget.limit { return megabytes(value) }
        return milliseconds(value)
    }

    /// How often the floor somebody else is.
    private func share(of other: BudgetResult.Other, _ result: BudgetResult, _ budget: Budget) -> String {
        switch budget.limit {
        case .ratio: ", \(fixed(other.value / result.floor, 1))×"
        case .moreBytes: ", N + \(megabytes(other.value - result.floor))"
        }
    }

    private static func end(_ problem: String) -> Never {
        StandardError.print("error: \(problem)")
        exit(1)
    }
}
