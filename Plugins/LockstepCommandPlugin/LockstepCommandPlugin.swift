import Foundation
import PackagePlugin

/// Runs `lockstep generate` in the package's folder: `swift package generate-models --check`.
@main
struct LockstepCommandPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        try generate(
            with: context.tool(named: "lockstep").url, in: context.package.directoryURL,
            invokedAs: "swift package generate-models", arguments)
    }

    /// - Parameter command: What a message calls the command.
    private func generate(with tool: URL, in folder: URL, invokedAs command: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = tool
        process.arguments = ["generate", "--invoked-as", command] + arguments
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        // The tool has said what is wrong.
        if process.terminationStatus != 0 { exit(process.terminationStatus) }
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    /// In the menu of an Xcode project: it runs in the project's folder, which has `Schemas` and `Generated`.
    extension LockstepCommandPlugin: XcodeCommandPlugin {
        func performCommand(context: XcodePluginContext, arguments: [String]) throws {
            // Xcode passes the targets that were chosen, but a schema is generated into its folder.
            var extractor = ArgumentExtractor(arguments)
            _ = extractor.extractOption(named: "target")
            try generate(
                with: context.tool(named: "lockstep").url, in: context.xcodeProject.directoryURL,
                invokedAs: "LockstepCommandPlugin", extractor.remainingArguments)
        }
    }
#endif
