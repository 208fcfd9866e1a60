import ArgumentParser
import Foundation
import LockstepGenerator
import LockstepSchema

/// Where a command writes a text that it makes of one schema.
struct TextOutput: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write to. The default is standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Change nothing; exit 1 if the file is missing or stale.")
    var check = false

    func validate() throws {
        if check && output == nil { throw ValidationError("--check needs --output.") }
    }

    /// Writes the text, or compares the file with it. A file that has this content is not touched.
    ///
    /// - Parameters:
    ///   - command: The command that updates the file, to be copied.
    ///   - source: What the text is made of.
    /// - Throws: `ExitCode` 1 if `--check` found a difference, ``UsageFailure`` if the file cannot be read or written,
    ///   or is one of the source.
    func write(_ text: String, command: String, of source: VersionedSource) throws {
        let sources = source.all.flatMap { [$0] + $0.included }
        if let output { try TextFile(output).check(isNoneOf: sources.map(\.path), named: "a file of the schema") }
        guard let output, check else { return try TextFile.write(text, to: output) }
        let file = TextFile(output)
        try file.checkPlace()
        guard try file.contents() != Data(text.utf8) else { return Console.report("\(output) is up to date.") }
        Console.report("\(output) is stale or missing. To update it, run: \(command)")
        throw Exit.findings
    }

    /// The command that writes the file, without `--check`.
    func command(_ name: String, of schema: SchemaArgument, options: [String]) -> String {
        let arguments = ["lockstep", name] + [schema.schema].compactMap(\.self) + options
        return (arguments + (output.map { ["--output", $0] } ?? [])).map(shellQuoted).joined(separator: " ")
    }
}
