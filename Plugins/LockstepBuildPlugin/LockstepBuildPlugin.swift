import Foundation
import PackagePlugin

/// Runs `lockstep emit` for the schemas of a target: its files called `NAME.lockstep.yaml`, and those of the folder that its
/// `lockstep.yaml` names.
@main
struct LockstepBuildPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let schemas = try TargetSchemas(
            of: target.name, in: target.directoryURL, files: target.sourceFiles.map(\.url))
        return schemas.commands(tool: try context.tool(named: "lockstep").url, output: context.pluginWorkDirectoryURL)
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension LockstepBuildPlugin: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            let files = target.inputFiles.map(\.url)
            // A target of a project has no folder of its own: it is where the configuration is.
            let configuration = files.first { $0.lastPathComponent == TargetConfiguration.fileName }
            let folder = configuration?.deletingLastPathComponent() ?? context.xcodeProject.directoryURL
            let schemas = try TargetSchemas(of: target.displayName, in: folder, files: files)
            return schemas.commands(
                tool: try context.tool(named: "lockstep").url, output: context.pluginWorkDirectoryURL)
        }
    }
#endif
