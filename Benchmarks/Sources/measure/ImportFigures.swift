import CommandArguments
import Figures

/// How long `lockstep import` takes over a Core Data model, beside the least that must happen.
struct ImportFigures {
    let lockstep: String
    let floor: String
    /// A folder `NAME.xcdatamodel`.
    let model: String
    /// A folder of our own, in memory where the system has one, so that the disk is not what is measured.
    let work: String
    let runs: Int
    let process: TimedProcess

    static let usage = "measure import --lockstep TOOL --floor TOOL --model FOLDER --work FOLDER [--runs 15]"

    /// The name of the schema, and of its file.
    private static let name = "Benchmark"

    init(_ arguments: CommandArguments) {
        lockstep = arguments.required("lockstep")
        floor = arguments.required("floor")
        model = arguments.required("model")
        work = arguments.required("work")
        runs = arguments.number("runs", default: 15)
        process = TimedProcess(log: work + "/measure.log")
    }

    private var contents: String { model + "/contents" }
    private var output: String { work + "/output" }
    private var schema: String { "\(output)/\(Self.name).yaml" }
    private var list: String { work + "/list" }

    func print() {
        process.run(importModel(to: output))
        process.run([floor, "list", output, list])
        ToolTable.header()
        ToolTable.row("libxml2 alone", (0..<runs + 2).map { _ in process.run([floor, "xml", contents]) }.dropFirst(2))
        // What is written is read once more before it is: the least of it is what libyaml does.
        ToolTable.row(
            "check what it writes; libyaml",
            compare({ _ in process.run([lockstep, "check", schema]) }, { _ in process.run([floor, "yaml", schema]) }))
        // An import never overwrites a file, so every run has a folder of its own.
        ToolTable.row(
            "import; libxml2 + C writes",
            compare(
                { process.run(importModel(to: "\(work)/import-\($0)")) },
                { process.run([floor, "import", contents, "\(work)/floor-\($0)", list]) }),
            budget: .importModel)
        let read = readText(contents)?.utf8.count ?? 0
        let written = readText(schema)?.utf8.count ?? 0
        Swift.print("\nModel: \(read) bytes. Written: 1 file, \(written) bytes.")
    }

    private func importModel(to output: String) -> [String] {
        [lockstep, "import", model, "--output", output, "--name", Self.name]
    }

    private func compare(
        _ first: (Int) -> TimedProcess.Usage, _ second: (Int) -> TimedProcess.Usage
    ) -> Comparison {
        Comparison(runs: runs, warmUps: 2, first: first, second: second)
    }
}
