#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where the programs that measure leave what the table of budgets is made of.
public enum ResultsFile {
    /// The variable of the environment that says where it is. Without it nothing is kept.
    public static let variable = "LOCKSTEP_RESULTS"

    /// Adds a line to the file; ends the process if that cannot be written.
    public static func append(_ result: BudgetResult) {
        guard let path = getenv(variable) else { return }
        guard let file = fopen(path, "a"), fputs(result.line + "\n", file) >= 0, fclose(file) == 0 else {
            fatalError("cannot write to \(String(cString: path))")
        }
    }

    /// Every result that a file has; ends the process at a line that is none.
    public static func results(_ text: String) -> [BudgetResult] {
        text.split(separator: "\n").map { line in
            guard let result = BudgetResult(line: line) else { fatalError("no result: \(line)") }
            return result
        }
    }
}
