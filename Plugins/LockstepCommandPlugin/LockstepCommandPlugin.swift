import Foundation
import PackagePlugin

/// Runs `lockstep generate` in the package's folder: `swift package generate-models --check`.
@main
struct LockstepCommandPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let process = Process()
        process.executableURL = try context.tool(named: "lockstep").url
        process.arguments = ["generate", "--invoked-as", "swift package generate-models"] + arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        // The tool has said what is wrong.
        if process.terminationStatus != 0 { exit(process.terminationStatus) }
    }
}
