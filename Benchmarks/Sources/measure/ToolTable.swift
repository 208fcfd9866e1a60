import Figures

/// The table of the tool's runs beside a floor. The verdict is on wall time.
struct ToolTable {
    let runs: Int

    /// Rounds that do not count.
    private static let warmUps = 2

    /// Prints the header.
    init(runs: Int) {
        self.runs = runs
        Markdown.header(["work", "lockstep", "processor", "peak memory", "floor", "ratio", "budget"])
    }

    /// A row of the floor alone.
    func row(_ name: String, floor run: () -> TimedProcess.Usage) {
        let runs = Array((0..<self.runs + Self.warmUps).map { _ in run() }.dropFirst(Self.warmUps))
        Markdown.row([
            name, "", milliseconds(runs.median(\.processorSeconds)), megabytes(runs.median(\.peakMemoryBytes)),
            milliseconds(runs.median(\.wallSeconds)), "", "",
        ])
    }

    /// A row of the tool and the floor. Both are given the number of the round.
    func row(
        _ name: String, budget: Budget? = nil, tool: (Int) -> TimedProcess.Usage, floor: (Int) -> TimedProcess.Usage
    ) {
        let comparison = Comparison(runs: runs, warmUps: Self.warmUps, first: tool, second: floor)
        let ratio = comparison.ratio(\.wallSeconds)
        Markdown.row([
            name, milliseconds(comparison.first.median(\.wallSeconds)),
            milliseconds(comparison.first.median(\.processorSeconds)),
            megabytes(comparison.first.median(\.peakMemoryBytes)),
            milliseconds(comparison.second.median(\.wallSeconds)), text(ratio), text(ratio, limit: budget?.ratio),
        ])
        if let budget { ResultsFile.append(comparison.result(\.wallSeconds, of: budget)) }
    }
}
