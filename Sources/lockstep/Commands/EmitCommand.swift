import ArgumentParser
import Foundation
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

    @OptionGroup var plan: BuildPlan

    @Option(help: .hidden)
    var failing: String?

    func validate() throws {
        if failing != nil { return }
        if input.schemas.isEmpty { throw ValidationError("Specify the schema files.") }
        if files.isEmpty || !files.count.isMultiple(of: input.schemas.count) {
            throw ValidationError(
                "\(files.count) files cannot be divided evenly among \(input.schemas.count) schemas.")
        }
    }

    func run() throws {
        try plan.check(schemas: input.schemas)
        // If a build system finds no schema while it plans, this is its only way to fail in the build.
        if let failing { throw UsageFailure(message: failing) }
        let files = contents(
            of: try input.read(try input.schemas.map(SchemaFiles.versionedSource), checking: .recorded(.warning)))
        let folder = OutputFolder(output)
        // The folder belongs to the build, so edits in it are overwritten.
        try folder.writing(notify: OutputReport.notify(in: output)) {
            try folder.apply(OutputPlan(files, over: try folder.read(for: files), force: true))
        }
    }

    private func contents(of schemas: [VersionedSchema]) -> [GeneratedFile] {
        let contents = schemas.flatMap { versioned in
            var schema = versioned.schema
            // The location of the package is private, and differs between machines.
            schema.source = (schema.source as NSString).lastPathComponent
            return generate(schema, filling: files.count / schemas.count, access: access, history: versioned.history)
        }
        return zip(files, contents).map { GeneratedFile(path: $0, contents: $1) }
    }
}
