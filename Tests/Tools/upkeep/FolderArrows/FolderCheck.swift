public import Foundation

/// Checks the folders of the modules of a package.
public struct FolderCheck: Sendable {
    /// What is printed: each module's folders in order of layers, and its cycles.
    public var text = ""
    /// The modules with a cycle.
    public var modulesWithCycles: [String] = []

    /// Reads the modules' sources.
    ///
    /// - Parameters:
    ///   - modules: Names of folders under `Sources`; none for all of them.
    ///   - package: The package's folder.
    /// - Throws: An error of Foundation if a folder or file cannot be read.
    public init(_ modules: [String], of package: URL) throws {
        let sources = package.appendingPathComponent("Sources")
        let names = modules.isEmpty ? try FileManager.default.contentsOfDirectory(atPath: sources.path) : modules
        for name in names.sorted() where !name.hasPrefix(".") {
            let arrows = FolderArrows(try SourceModule(at: sources.appendingPathComponent(name)))
            guard !arrows.module.files.isEmpty else { continue }
            text += (text.isEmpty ? "" : "\n") + ArrowReport(arrows: arrows).text
            if arrows.hasCycle { modulesWithCycles.append(name) }
        }
    }
}
