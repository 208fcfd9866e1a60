import ArgumentParser
import LockstepSchema

/// The state of a build system when it made its plan. SwiftPM plans once, and again when files of a target are added or
/// removed. It does not check whether a configuration or a folder outside of a target has changed.
struct BuildPlan: ParsableArguments {
    @Option(help: "Fail if this folder has a schema that is not among the arguments.", completion: .directory)
    var plannedFolder: String?

    @Option(help: "Fail if the contents of this file are not those of --planned-text.", completion: .file())
    var plannedFile: String?

    @Option(help: "The contents of --planned-file when the build was planned.")
    var plannedText: String?

    func validate() throws {
        if (plannedFile == nil) != (plannedText == nil) {
            throw ValidationError("--planned-file and --planned-text must be used together.")
        }
    }

    /// Throws `ExitCode` 1 if the plan is out of date.
    func check(schemas: [String]) throws {
        if let plannedFile, try SchemaFiles.source(at: plannedFile).bytes != Array((plannedText ?? "").utf8) {
            throw outdated("\(plannedFile):1:1", "This file has changed")
        }
        guard let plannedFolder else { return }
        let planned = Set(schemas.map(SchemaFiles.standardized))
        let files = try SchemaFiles.files(at: plannedFolder)
        if let new = files.first(where: { !planned.contains(SchemaFiles.standardized($0)) }) {
            throw outdated("\(new):1:1", "This schema is new")
        }
    }

    private func outdated(_ place: String, _ problem: String) -> ExitCode {
        Console.report(
            """
            \(place): error: \(problem) since the build was planned
            help: Save Package.swift (touch Package.swift) and build again, so that the build is planned again. In a project \
            of Xcode: Product > Clean Build Folder.
            """)
        return Exit.findings
    }
}
