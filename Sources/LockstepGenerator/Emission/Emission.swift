import Foundation
package import LockstepSchema

/// Writes the Swift code of schemas to files that a build system has named.
package struct Emission {
    /// The paths of the schemas.
    package var schemas: [String] = []
    /// The folder to write to.
    package var output = ""
    /// The names of the files in that folder; the same number for each schema.
    package var files: [String] = []
    /// The access level of declarations; `nil` for that of the schema.
    package var access: AccessLevel?
    package var plan = BuildPlan()
    /// Why the build must fail, if it must.
    package var failing: String?
    package var diagnostics = DiagnosticFormat.text

    package init() {}

    /// The problem with these values; `nil` if there is none.
    package var misuse: String? {
        if (plan.file == nil) != (plan.text == nil) {
            return "--planned-file and --planned-text must be used together."
        }
        if failing != nil { return nil }
        if output.isEmpty { return "Specify the folder with --output." }
        if schemas.isEmpty { return "Specify the schema files." }
        if files.isEmpty || !files.count.isMultiple(of: schemas.count) {
            return "\(files.count) files cannot be divided evenly among \(schemas.count) schemas."
        }
        return nil
    }

    /// Writes all files.
    ///
    /// - Throws: ``FindingsReported`` if a schema has errors or the plan is out of date; ``UsageFailure`` or
    ///   `OutputError` if a file cannot be read or written.
    package func run() throws {
        try plan.check(schemas: schemas)
        // If a build system finds no schema while it plans, this is its only way to fail in the build.
        if let failing { throw UsageFailure(message: "\(failing)") }
        let sources = try schemas.map(SchemaFiles.versionedSource)
        let schemas = SchemaFiles.schemas(of: sources)
        let files = contents(of: try diagnostics.read(schemas, checking: .build), for: sources.map(\.schema.path))
        let folder = OutputFolder(output)
        // The folder belongs to the build, so edits in it are overwritten.
        try folder.writing(notify: Console.notify(in: output)) {
            try folder.apply(OutputPlan(files, over: try folder.read(for: files), force: true))
        }
    }

    private func contents(of schemas: [VersionedSchema], for paths: [String]) -> [GeneratedFile] {
        let share = files.count / paths.count
        let schemasByPath = Dictionary(schemas.map { ($0.schema.source, $0) }) { first, _ in first }
        let contents = paths.flatMap { path -> [[UInt8]] in
            guard let versioned = schemasByPath[path] else {
                let note = "// The declarations of this file are generated with the schema.\n"
                return Array(repeating: Array(note.utf8), count: share)
            }
            var schema = versioned.schema
            // The location of the package is private, and differs between machines.
            schema.source = (schema.source as NSString).lastPathComponent
            return generate(schema, filling: share, access: access, history: versioned.history)
        }
        return zip(files, contents).map { GeneratedFile(path: $0, contents: $1) }
    }
}
