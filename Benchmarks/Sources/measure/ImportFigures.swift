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
        let table = ToolTable(runs: runs)
        table.row("libxml2 alone") { process.run([floor, "xml", contents]) }
        // What is written is read once more before it is: the least of it is what libyaml does.
        table.row("check what it writes; libyaml") { _ in
            process.run([lockstep, "check", schema])
        } floor: { _ in
            process.run([floor, "yaml", schema])
        }
        // An import never overwrites a file, so every run has a folder of its own.
        table.row("import; libxml2 + C writes", budget: .importModel) {
            process.run(importModel(to: "\(work)/import-\($0)"))
        } floor: {
            process.run([floor, "import", contents, "\(work)/floor-\($0)", list])
        }
        let read = readText(contents)?.utf8.count ?? 0
        let written = readText(schema)?.utf8.count ?? 0
        Swift.print("\nModel: \(read) bytes. Written: 1 file, \(written) bytes.")
    }

    private func importModel(to output: String) -> [String] {
        [lockstep, "import", model, "--output", output, "--name", Self.name]
    }
}
