import CommandArguments
import Figures

/// How long `lockstep` takes over a schema, beside the least that must happen.
struct GenerateFigures {
    let lockstep: String
    let floor: String
    /// The schema, and the same with one entity changed, in a file of the same name.
    let schema: String
    let changed: String
    /// A folder of our own, in memory where the system has one, so that the disk is not what is measured.
    let work: String
    /// A folder of our own on the disk.
    let disk: String
    let runs: Int
    let process: TimedProcess

    static let usage = """
        measure generate --lockstep TOOL --floor TOOL --schema FILE --changed FILE --work FOLDER --disk FOLDER \
        [--runs 15]
        """

    init(_ arguments: CommandArguments) {
        lockstep = arguments.required("lockstep")
        floor = arguments.required("floor")
        schema = arguments.required("schema")
        changed = arguments.required("changed")
        work = arguments.required("work")
        disk = arguments.required("disk")
        runs = arguments.number("runs", default: 15)
        process = TimedProcess(log: work + "/measure.log")
    }

    private var output: String { work + "/output" }
    private var floorOutput: String { work + "/floor-output" }
    private var list: String { work + "/list" }

    func print() {
        process.run(generate(schema, to: output))
        process.run([floor, "list", output, list])
        process.run([floor, "write", floorOutput, list])
        let table = ToolTable(runs: runs)
        table.row("libyaml alone") { process.run([floor, "yaml", schema]) }
        printCheck(table)
        printCold(table, in: work, "generate, cold; libyaml + C writes", budget: .generate)
        printCold(table, in: disk, "the same, on the disk")
        printUnchanged(table)
        printChanged(table)
        Swift.print("\n" + sizes)
    }

    private func printCheck(_ table: ToolTable) {
        table.row("check; libyaml", budget: .check) { _ in
            process.run([lockstep, "check", schema])
        } floor: { _ in
            process.run([floor, "yaml", schema])
        }
    }

    /// Every run writes to a folder that was never there: file systems are slow for a while where files were removed
    /// (ext4 without a journal looks at each recently removed inode again and again).
    private func printCold(_ table: ToolTable, in folder: String, _ name: String, budget: Budget? = nil) {
        table.row(name, budget: budget) {
            process.run(generate(schema, to: "\(folder)/cold-\($0)"))
        } floor: {
            process.run([floor, "generate", schema, "\(folder)/cold-floor-\($0)", list])
        }
    }

    private func printUnchanged(_ table: ToolTable) {
        table.row("generate, unchanged; libyaml + C reads", budget: .generateAgain) { _ in
            process.run(generate(schema, to: output))
        } floor: { _ in
            readFloor()
        }
    }

    /// Every run meets the output of the other variant.
    private func printChanged(_ table: ToolTable) {
        var isChanged = false
        table.row("generate, one entity changed; libyaml + C reads", budget: .generateChanged) { _ in
            isChanged.toggle()
            return process.run(generate(isChanged ? changed : schema, to: output))
        } floor: { _ in
            readFloor()
        }
    }

    private func readFloor() -> TimedProcess.Usage {
        process.run([floor, "unchanged", schema, floorOutput, list])
    }

    private func generate(_ schema: String, to output: String) -> [String] {
        [lockstep, "generate", schema, "--output", output]
    }

    /// How many files and bytes were written, from the list of them.
    private var sizes: String {
        let lines = (readText(list) ?? "").split(separator: "\n")
        let bytes = lines.reduce(0) { $0 + (Int($1.prefix { $0 != " " }) ?? 0) }
        let schemaBytes = readText(schema)?.utf8.count ?? 0
        return "Schema: \(schemaBytes) bytes. Written: \(lines.count) files, \(bytes) bytes."
    }
}
