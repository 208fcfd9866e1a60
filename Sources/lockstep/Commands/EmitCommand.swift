import ArgumentParser
import LockstepGenerator
import LockstepSchema

struct EmitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emit",
        abstract: "Writes the Swift code of schemas to the given files, for build systems.",
        discussion: """
            For what must know all outputs before a schema is read: LockstepBuildPlugin, make, Bazel. The files are shared out \
            evenly, in order: of two schemas and eight files, each fills four. All are written, or none; one that holds what \
            it should is not touched. Files of an earlier run that are not named any more are removed.

            EXAMPLE
              lockstep emit Journal.lockstep.yaml --output build --file 1.swift
            """
    )

    @OptionGroup var input: SchemaArguments

    @Option(help: "The folder to write to.", completion: .directory)
    var output: String

    @Option(
        name: .customLong("file"),
        help: ArgumentHelp("The name of a file in that folder; the same number for each schema.", valueName: "name"))
    var files: [String]

    @Option(help: "The access level of declarations: public, package or internal. By default, that of the schema.")
    var access: AccessLevel?

    @OptionGroup var plan: BuildPlanOptions

    @Option(help: .hidden)
    var failing: String?

    func validate() throws {
        if let misuse = emission.misuse { throw ValidationError(misuse) }
    }

    func run() throws { try emission.run() }

    private var emission: Emission {
        var emission = Emission()
        emission.schemas = input.schemas
        emission.output = output
        emission.files = files
        emission.access = access
        emission.plan = plan.plan
        emission.failing = failing
        emission.diagnostics = input.diagnostics
        return emission
    }
}
