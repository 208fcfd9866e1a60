import Foundation
import PackagePlugin

/// Runs `lockstep-emit`, which is `lockstep emit` alone, for the schemas of a target: its files called
/// `NAME.lockstep.yaml`, and those of the folder that its `lockstep.yaml` names.
@main
struct LockstepBuildPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else {
            Diagnostics.error("LockstepBuildPlugin makes Swift, and '\(target.name)' is not a target of Swift.".visible)
            return []
        }
        return TargetSchemas.commands(
            for: target.name, files: target.sourceFiles.map(\.url), tool: try context.tool(named: "lockstep-emit").url,
            output: context.pluginWorkDirectoryURL)
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension LockstepBuildPlugin: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            TargetSchemas.commands(
                for: target.displayName, files: target.inputFiles.map(\.url),
                tool: try context.tool(named: "lockstep-emit").url, output: context.pluginWorkDirectoryURL)
        }
    }
#endif
