import Figures

/// The table of the tool's runs beside a floor. The verdict is on wall time.
enum ToolTable {
    static func header() {
        Markdown.header(["work", "lockstep", "processor", "peak memory", "floor", "ratio", "budget"])
    }

    /// A row of the floor alone.
    static func row(_ name: String, _ runs: some Sequence<TimedProcess.Usage>) {
        let runs = Array(runs)
        Markdown.row([
            name, "", milliseconds(runs.median(\.processorSeconds)), megabytes(runs.median(\.peakMemoryBytes)),
            milliseconds(runs.median(\.wallSeconds)), "", "",
        ])
    }

    /// A row of the tool, which is the first of the two, and the floor.
    static func row(_ name: String, _ comparison: Comparison, budget: Budget? = nil) {
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
