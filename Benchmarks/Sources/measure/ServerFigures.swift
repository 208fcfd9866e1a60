import CommandArguments
import Figures

/// The times of the functions and triggers of a PostgreSQL server, and the minimum times for the same work. `psql`
/// measures them: each line that it prints is `NAME LOCKSTEP FLOOR`, in seconds.
struct ServerFigures {
    private let lines: [[String]]

    static let usage = "measure server --lines FILE"

    /// Rounds that do not count.
    private static let warmUps = 2

    private static let rows: [(budget: Budget, work: String)] = [
        (.serverWrite, "a batch of 100 rows, with the triggers; without"),
        (.serverPage, "a page of 1,000 tasks; SELECT of the same rows to JSON"),
        (.serverPush, "a push of 500 tasks; one INSERT … SELECT of as many"),
        (.serverNothing, "nothing new; a row by its key"),
        (.serverFeed, "10 changes in 1,000,000 records; in 10,000"),
    ]

    init(_ arguments: CommandArguments) {
        let text = readText(arguments.required("lines")) ?? ""
        lines = text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    }

    func print() {
        Markdown.header(["work", "lockstep", "floor", "ratio", "budget"])
        for (budget, work) in Self.rows {
            let rounds = lines.filter { $0.first == budget.name }.dropFirst(Self.warmUps)
            let (lockstep, floor) = (rounds.compactMap { Double($0[1]) }, rounds.compactMap { Double($0[2]) })
            let ratio = Ratio(lockstep, to: floor)
            Markdown.row([
                work, duration(median(lockstep)), duration(median(floor)), text(ratio),
                text(ratio, limit: budget.ratio),
            ])
            ResultsFile.append(
                BudgetResult(budget, lockstep: median(lockstep), floor: median(floor), ratio: ratio))
        }
    }
}
