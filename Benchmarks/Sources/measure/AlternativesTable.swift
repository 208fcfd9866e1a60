import CommandArguments
import Figures

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The table of the README: what apps use today for the same work. Its numbers are those of ``BudgetTable``.
struct AlternativesTable {
    /// A row: the work in words, its budget, and the alternatives that it shows, by their names among the results.
    private static let rows: [(work: String, budget: Budget, others: [(name: String, text: String)])] = [
        ("fetch 100,000 records as objects", .fetch, [("GRDB Codable", "GRDB's `Codable`")]),
        (
            "save 100,000 new records, recorded for the next push", .save,
            [
                ("GRDB Codable, same triggers", "GRDB's `Codable`, the same triggers"),
                ("GRDB Codable, no outbox", "without the triggers"),
            ]
        ),
        (
            "merge 100,000 records of JSON", .merge,
            [("JSONDecoder + GRDB upsert, no outbox", "`JSONDecoder` and GRDB's `upsert`")]
        ),
        ("memory for this merge, beside the JSON", .memory, [("JSONDecoder + GRDB upsert", "the same")]),
        ("merge the same JSON again", .mergeAgain, [("JSONDecoder + GRDB upsert, no outbox", "the same")]),
    ]

    let results: [BudgetResult]

    static let usage = "measure alternatives --results FILE"

    init(_ arguments: CommandArguments) {
        let path = arguments.required("results")
        guard let text = readText(path) else { Self.end("cannot read \(path)") }
        results = ResultsFile.results(text)
    }

    /// Prints the rows. Ends the process with an error if something was not measured.
    func print() {
        Markdown.row(["work", "Lockstep", "instead"])
        Markdown.row(["---", "---:", "---"])
        for row in Self.rows {
            guard let result = results.last(where: { $0.name == row.budget.name }) else {
                Self.end("nothing was measured for '\(row.work)'")
            }
            let others = row.others.map { other in
                guard let value = result.others.first(where: { $0.name == other.name })?.value else {
                    Self.end("'\(other.name)' was not measured for '\(row.work)'")
                }
                return "\(other.text): \(amount(value, result, row.budget))"
            }
            let own = amount(result.lockstep, result, row.budget)
            Markdown.row([row.work, own, others.joined(separator: "; ")])
        }
    }

    private func amount(_ value: Double, _ result: BudgetResult, _ budget: Budget) -> String {
        switch budget.limit {
        case .ratio, .ratioAndSeconds: "\(fixed(value, 2)) s"
        case .moreBytes: "\(fixed((value - result.floor) / 1_048_576, 0)) MB"
        case .bytes: "\(fixed(value, 0)) B"
        }
    }

    private static func end(_ problem: String) -> Never {
        StandardError.print("error: \(problem)")
        exit(1)
    }
}
