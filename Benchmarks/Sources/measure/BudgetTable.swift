import CommandArguments
import Figures

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The table of budgets. All of its numbers come from the file of results that the figures write.
struct BudgetTable {
    let results: [BudgetResult]
    /// What was measured.
    let parts: Set<String>

    static let usage =
        "measure budgets --results FILE --parts \"generate import compile store merge migrate sync server\""

    init(_ arguments: CommandArguments) {
        let path = arguments.required("results")
        guard let text = readText(path) else { Self.end("cannot read \(path)") }
        results = ResultsFile.results(text)
        parts = Set(arguments.required("parts").split(separator: " ").map(String.init))
    }

    /// Prints a row for each budget. Ends the process with an error if one was not measured.
    func print() {
        Markdown.row([
            "work", "floor", "budget", "measured", "verdict", "Lockstep", "floor's time or memory", "alternatives",
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

    /// The budget, the measured value, and the verdict.
    private func decision(_ budget: Budget, _ result: BudgetResult) -> [String] {
        switch budget.limit {
        case .ratio(let limit): [times(limit), text(result.ratio), verdict(result.ratio.median <= limit)]
        case .ratioAndSeconds(let limit, let seconds):
            [
                "\(times(limit)), \(fixed(seconds * 1000, 0)) ms", text(result.ratio),
                verdict(result.ratio.median <= limit && result.lockstep <= seconds),
            ]
        case .moreBytes(let limit):
            [
                "N + \(megabytes(limit))", "N + \(megabytes(result.lockstep - result.floor))",
                verdict(result.lockstep - result.floor <= limit),
            ]
        case .bytes(let limit):
            ["\(fixed(limit, 0)) B", "\(fixed(result.lockstep, 0)) B", verdict(result.lockstep <= limit)]
        }
    }

    private func amount(_ value: Double, _ budget: Budget) -> String {
        switch budget.limit {
        case .ratio, .ratioAndSeconds: duration(value)
        case .moreBytes: megabytes(value)
        case .bytes: "\(fixed(value, 0)) B"
        }
    }

    /// An alternative's ratio to the floor.
    private func share(of other: BudgetResult.Other, _ result: BudgetResult, _ budget: Budget) -> String {
        switch budget.limit {
        case .ratio, .ratioAndSeconds, .bytes: ", \(fixed(other.value / result.floor, 1))×"
        case .moreBytes: ", N + \(megabytes(other.value - result.floor))"
        }
    }

    private static func end(_ problem: String) -> Never {
        StandardError.print("error: \(problem)")
        exit(1)
    }
}
