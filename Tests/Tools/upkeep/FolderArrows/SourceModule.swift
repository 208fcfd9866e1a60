import Foundation

/// A module's files, by the folder they are in: the first one under the module's own. Files of the module's own folder
/// are in `.`.
struct SourceModule {
    var name: String
    var files: [SourceFile]

    struct SourceFile {
        /// The path in the module's folder: `Rules/Draft/Link.swift`.
        var path: String
        var lineCount: Int
        var names: TypeNames

        init(path: String, text: String) {
            self.path = path
            lineCount = text.count { $0.isNewline }
            names = DeclarationReader.read(text)
        }

        var folder: String {
            path.contains("/") ? String(path.prefix { $0 != "/" }) : SourceModule.root
        }

        var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    }

    /// The folder of files that are in none.
    static let root = "."

    init(name: String, files: [SourceFile]) {
        self.name = name
        self.files = files
    }

    /// Reads all Swift files under a folder.
    init(at folder: URL) throws {
        self.init(
            name: folder.lastPathComponent,
            files: try FileManager.default.swiftFiles(below: folder).map { SourceFile(path: $0.path, text: $0.text) })
    }
}

extension FileManager {
    /// The Swift files under a folder, by their paths in it, in the order of these.
    func swiftFiles(below folder: URL) throws -> [(path: String, text: String)] {
        try subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.sorted().map { path in
            (path, try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8))
        }
    }
}
