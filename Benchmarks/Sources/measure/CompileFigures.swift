import CommandArguments
import Figures

/// How long the compiler takes over generated code, beside the same entities written by hand.
struct CompileFigures {
    /// A package with a target for each, and what they depend on.
    let package: String
    let generated: String
    let handWritten: String
    let title: String
    let entities: Int
    let configuration: String
    let runs: Int
    /// The budget that this row decides.
    let budget: Budget?
    let process: TimedProcess

    static let usage = """
        measure compile --package FOLDER --generated TARGET --by-hand TARGET --title TEXT --entities COUNT \
        --configuration debug|release [--runs 3] [--budget NAME]
        """

    static func printHeader() {
        Markdown.header([
            "per entity", "generated", "processor", "by hand", "processor", "ratio", "ratio of processor", "budget",
            "peak memory, generated", "by hand",
        ])
    }

    init(_ arguments: CommandArguments) {
        package = arguments.required("package")
        generated = arguments.required("generated")
        handWritten = arguments.required("by-hand")
        title = arguments.required("title")
        entities = arguments.number("entities", default: 100)
        configuration = arguments.required("configuration")
        runs = arguments.number("runs", default: 3)
        budget = arguments.has("budget") ? Budget.named(arguments.required("budget")) : nil
        if arguments.has("budget"), budget == nil { fatalError("no such budget: \(arguments.required("budget"))") }
        process = TimedProcess(log: package + "/measure.log")
    }

    func print() {
        for target in [generated, handWritten] { build(target) }
        let idle = idleUsage()
        let comparison = Comparison(
            runs: runs, warmUps: 0,
            first: { _ in compile(generated, without: idle) }, second: { _ in compile(handWritten, without: idle) })
        // The verdict is on processor time: wall time hangs on what else the machine does for the minutes this takes.
        let processor = comparison.ratio(\.processorSeconds)
        let limit = (configuration == "debug" ? Budget.compileDebug : .compileRelease).ratio
        Markdown.row([
            title, perEntity(comparison.first, \.wallSeconds), perEntity(comparison.first, \.processorSeconds),
            perEntity(comparison.second, \.wallSeconds), perEntity(comparison.second, \.processorSeconds),
            text(comparison.ratio(\.wallSeconds)), text(processor), text(processor, limit: limit),
            megabytes(comparison.first.median(\.peakMemoryBytes)),
            megabytes(comparison.second.median(\.peakMemoryBytes)),
        ])
        if let budget {
            ResultsFile.append(comparison.result(\.processorSeconds, of: budget, per: entities))
        }
    }

    private func perEntity(_ runs: [TimedProcess.Usage], _ figure: KeyPath<TimedProcess.Usage, Double>) -> String {
        milliseconds(runs.median(figure) / Double(entities))
    }

    /// What `swift build` takes to find that nothing is to be done: no work of the compiler's, so it is taken off.
    private func idleUsage() -> TimedProcess.Usage {
        let runs = (0..<3).map { _ in build(generated) }
        return TimedProcess.Usage(
            wallSeconds: runs.median(\.wallSeconds), processorSeconds: runs.median(\.processorSeconds),
            peakMemoryBytes: 0)
    }

    private func compile(_ target: String, without idle: TimedProcess.Usage) -> TimedProcess.Usage {
        let module = "\(products)/Modules/\(target).swiftmodule"
        forget(target, module)
        let usage = build(target)
        process.run(["sh", "-c", "ls \(products)/\(target).build/*.o \(module)"])
        return TimedProcess.Usage(
            wallSeconds: usage.wallSeconds - idle.wallSeconds,
            processorSeconds: usage.processorSeconds - idle.processorSeconds,
            peakMemoryBytes: usage.peakMemoryBytes)
    }

    private var products: String { "\(package)/.build/\(configuration)" }

    /// Removes what builds left behind of one target, so that nothing can be taken over. Two files in its folder are
    /// inputs, written when the package is planned, and stay.
    private func forget(_ target: String, _ module: String) {
        process.run([
            "find", "\(products)/\(target).build", "-type", "f", "!", "-name", "output-file-map.json", "!", "-name",
            "sources", "-delete",
        ])
        process.run(["rm", "-f", module])
    }

    @discardableResult
    private func build(_ target: String) -> TimedProcess.Usage {
        process.run([
            "swift", "build", "--package-path", package, "--configuration", configuration, "--target", target,
            "--disable-automatic-resolution",
        ])
    }
}
