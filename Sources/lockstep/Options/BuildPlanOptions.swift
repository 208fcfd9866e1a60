import ArgumentParser
import LockstepGenerator

/// The state of a build system when it made its plan, as it says it.
struct BuildPlanOptions: ParsableArguments {
    @Option(help: "Fail if this folder has a schema that is not among the arguments.", completion: .directory)
    var plannedFolder: String?

    @Option(help: "Fail if the contents of this file are not those of --planned-text.", completion: .file())
    var plannedFile: String?

    @Option(help: "The contents of --planned-file when the build was planned.")
    var plannedText: String?

    var plan: BuildPlan { BuildPlan(folder: plannedFolder, file: plannedFile, text: plannedText) }
}
