import Foundation
package import LockstepSchema

/// Finds and reads schema files.
package enum SchemaFiles {
    package static let defaultFolder = "Schemas"

    /// The sources at these paths, each a file or a folder of `.yaml` and `.yml` files; those of `Schemas/` if there
    /// are none.
    package static func sources(at paths: [String]) throws -> [VersionedSource] {
        let files = try paths.isEmpty ? filesInDefaultFolder() : paths.flatMap(files(at:))
        var seen: Set<String> = []
        let sources = try files.filter { seen.insert(standardized($0)).inserted }.map(versionedSource(at:))
        return schemas(of: sources)
    }

    /// The sources without those that others include. One that includes files itself stays, and is reported.
    static func schemas(of sources: [VersionedSource]) -> [VersionedSource] {
        let included = Set(sources.flatMap(\.schema.included).map { standardized($0.path) })
        return sources.filter { !$0.schema.included.isEmpty || !included.contains(standardized($0.schema.path)) }
    }

    /// Whether there is a `Schemas/` folder without a schema.
    package static var isDefaultFolderWithoutSchemas: Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: defaultFolder) else { return false }
        return !names.contains(where: isSchemaFile)
    }

    /// Whether a file of a folder is a schema, judged by its name: hidden files are the settings of other tools,
    /// `lockstep.yaml` is the build plugin's, and `NAME.history.yaml` is a schema's history. The plugin uses the same
    /// rule.
    private static func isSchemaFile(_ name: String) -> Bool {
        (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && !name.hasPrefix(".") && name != "lockstep.yaml"
            && !HistoryFile.isHistory(name)
    }

    /// The path in the headers of generated files: relative to the parent of the output folder, so that it does not
    /// depend on where the command was started; only the file name if the schema is elsewhere.
    package static func displayPath(of path: String, besideOutput output: String) -> String {
        let base = absolute(output).deletingLastPathComponent().path
        let file = absolute(path).path
        guard file.hasPrefix(base + "/") else { return absolute(path).lastPathComponent }
        return String(file.dropFirst(base.count + 1))
    }

    /// The path in a form that is equal for all paths of the same file.
    package static func standardized(_ path: String) -> String { absolute(path).path }

    private static func absolute(_ path: String) -> URL {
        URL(fileURLWithPath: path).standardizedFileURL
    }

    private static func filesInDefaultFolder() throws -> [String] {
        guard isFolder(defaultFolder) else {
            throw UsageFailure(
                message: """
                    There is no folder '\(defaultFolder)' here. Name the schema files, or start one with \
                    'lockstep init NAME'.
                    """)
        }
        return try files(at: defaultFolder)
    }

    /// The path itself or, if it is a folder, its schema files by name.
    ///
    /// Throws ``UsageFailure`` if the folder cannot be read, or has none.
    package static func files(at path: String) throws -> [String] {
        guard isFolder(path) else { return [path] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw UsageFailure(message: "The folder '\(path)' cannot be read: \(error.localizedDescription)")
        }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        let schemas = names.filter(isSchemaFile).sorted()
        guard !schemas.isEmpty else {
            throw UsageFailure(
                message: "The folder '\(path)' has no .yaml or .yml file. Write one with 'lockstep init NAME'.")
        }
        return schemas.map { prefix + $0 }
    }

    /// Every file on which the sources depend.
    package static func watchedPaths(at paths: [String]) -> [String] {
        let schemas = (paths.isEmpty ? [defaultFolder] : paths).flatMap { (try? files(at: $0)) ?? [] }
        // A schema can include any of the files that are beside it.
        let folders = Set(schemas.map(folder(of:)))
        let others = folders.sorted().flatMap { (try? files(at: $0)) ?? [] }
        return schemas + others + schemas.map(HistoryFile.path(besideSchema:))
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// A schema with the history that is beside it. Throws ``UsageFailure`` if one of them cannot be read.
    package static func versionedSource(at path: String) throws -> VersionedSource {
        let history = HistoryFile.path(besideSchema: path)
        return VersionedSource(
            schema: try source(at: path),
            history: FileManager.default.fileExists(atPath: history) ? try source(at: history) : nil)
    }

    /// The file on the disk, with the files that it includes. Throws ``UsageFailure`` if one cannot be read.
    package static func source(at path: String) throws -> SchemaSource {
        var source = try file(at: path)
        // The names as they are written, whatever the disk takes for the same name.
        lazy var names = Set((try? FileManager.default.contentsOfDirectory(atPath: folder(of: path))) ?? [])
        try source.include { name in
            guard names.contains(name) else { return nil }
            let folder = (path as NSString).deletingLastPathComponent as NSString
            return try file(at: folder.appendingPathComponent(name))
        }
        return source
    }

    private static func folder(of path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }

    private static func file(at path: String) throws -> SchemaSource {
        do {
            return try SchemaSource(readingFileAt: path)
        } catch  where error.reason == .missing {
            throw UsageFailure(
                message: "There is no file '\(path)'. Check the path, or start a schema with 'lockstep init NAME'.")
        } catch {
            throw UsageFailure(message: "\(error)")
        }
    }
}
