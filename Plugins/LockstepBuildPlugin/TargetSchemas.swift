import Foundation
import PackagePlugin

/// The schemas of one target, and the command that makes Swift of them.
struct TargetSchemas {
    /// Outputs of each schema. What is declared may not depend on what is in a file, since a build is planned again only
    /// when files come and go. Four let the compiler use several cores, and compile a part after a change.
    private static let filesPerSchema = 4

    private static let suffixes = [".lockstep.yaml", ".lockstep.yml"]
    private static let historySuffixes = [".history.yaml", ".history.yml"]

    private let target: String
    private let configuration: TargetConfiguration?
    private let schemas: [URL]
    /// Other YAML files, which a schema beside them can include.
    private let others: [URL]

    /// The command for a target's schemas; none where something is wrong with them, which is then told.
    static func commands(for target: String, files: [URL], tool: URL, output: URL) -> [Command] {
        do {
            return try TargetSchemas(of: target, files: files).commands(tool: tool, output: output)
        } catch {
            error.report()
            return []
        }
    }

    private init(of target: String, files: [URL]) throws(ConfigurationError) {
        self.target = target
        let own = files.filter { file in Self.suffixes.contains { file.lastPathComponent.hasSuffix($0) } }
        // Of several the one nearest to the target's root.
        let file = files.filter { $0.lastPathComponent == TargetConfiguration.fileName }
            .min { $0.pathComponents.count < $1.pathComponents.count }
        configuration = if let file { try TargetConfiguration(file) } else { nil }
        let ownPaths = Set(own.map(\.standardizedFileURL.path))
        schemas = own + (configuration?.schemas ?? []).filter { !ownPaths.contains($0.standardizedFileURL.path) }
        others = files.filter { file in
            let name = file.lastPathComponent
            return (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && name != TargetConfiguration.fileName
                && !Self.isHistory(name) && !own.contains(file)
        }
    }

    /// Whether a file is the history of a schema, judged by its name, as the tool does it.
    static func isHistory(_ name: String) -> Bool { historySuffixes.contains { name.hasSuffix($0) } }

    /// The histories that are beside the schemas. A new one is found when the build is planned again.
    private var histories: [URL] {
        schemas.map { schema in
            let name = schema.lastPathComponent
            let suffix = (Self.suffixes + [".yaml", ".yml"]).first { name.hasSuffix($0) } ?? ""
            return schema.deletingLastPathComponent().appending(path: name.dropLast(suffix.count) + ".history.yaml")
        }.filter { FileManager.default.fileExists(atPath: $0.path(percentEncoded: false)) }
    }

    /// One command for all of them, so that findings across schemas are found.
    private func commands(tool: URL, output: URL) -> [Command] {
        if schemas.isEmpty { return [failure(tool: tool, output: output)] }
        let names = outputNames()
        var arguments = schemas.map { $0.path(percentEncoded: false) }
        arguments += ["--output", output.path(percentEncoded: false)] + names.flatMap { ["--file", $0] }
        arguments += configuration?.arguments ?? []
        return [
            .buildCommand(
                displayName: "Generating Swift of \(schemas.map(\.lastPathComponent).joined(separator: ", "))".visible,
                executable: tool, arguments: arguments,
                inputFiles: schemas + histories + others + (configuration?.inputFiles ?? []),
                outputFiles: names.map { output.appending(path: $0) })
        ]
    }

    /// Fails when the target is built, not when the build is planned: `swift run lockstep init` must go on.
    private func failure(tool: URL, output: URL) -> Command {
        let advice =
            others.first.map { file in
                let name = file.lastPathComponent
                return "Rename \(name) to \(file.deletingPathExtension().lastPathComponent).lockstep.yaml"
            }
            ?? "Add a NAME.lockstep.yaml to it, or a \(TargetConfiguration.fileName) with the line 'schemas: FOLDER'"
        let message = "LockstepBuildPlugin found no schema in the target '\(target)'. \(advice)."
        let name = "None.swift"
        return .buildCommand(
            displayName: "Looking for schemas of \(target)".visible, executable: tool,
            arguments: ["--output", output.path(percentEncoded: false), "--file", name, "--failing", message]
                + (configuration?.arguments ?? []),
            inputFiles: configuration?.inputFiles ?? [], outputFiles: [output.appending(path: name)])
    }

    /// The only place where files are named: they are declared and written under these names. Two schema files of one
    /// name get names of their own, so that it is the tool that tells what is wrong.
    private func outputNames() -> [String] {
        var counts: [String: Int] = [:]
        return schemas.flatMap { schema in
            let name = schema.deletingPathExtension().lastPathComponent
            // Many disks take upper and lower case for the same.
            let count = counts[name.lowercased(), default: 0] + 1
            counts[name.lowercased()] = count
            let base = count == 1 ? name : "\(name)-\(count)"
            return (1...Self.filesPerSchema).map { "\(base).\($0).swift" }
        }
    }
}
