import Foundation
import PackagePlugin

/// A target's `lockstep.yaml`: lines of `schemas: FOLDER`, relative to the file, and `access: LEVEL`.
///
/// It is read here, since the folder's schemas must be known when a build is planned, and no tool is built by then.
struct TargetConfiguration {
    static let fileName = "lockstep.yaml"

    private let file: URL
    private let text: String
    private var folder: URL?
    private var access: String?

    /// The schema files of the folder, by name.
    private(set) var schemas: [URL] = []

    /// Reads the file.
    init(_ file: URL) throws(ConfigurationError) {
        self.file = file
        guard Self.isSmallFile(file) else {
            throw ConfigurationError(
                file: file.path(percentEncoded: false), line: 1,
                problem: "This is no file of a few lines (\(Self.greatestSize) bytes at most).")
        }
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw ConfigurationError(
                file: file.path(percentEncoded: false), line: 1, problem: "The file cannot be read as UTF-8.")
        }
        self.text = text
        for (number, line) in zip(1..., text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)) {
            try read(line, number)
        }
    }

    /// More than any configuration has, and little enough for an argument of the tool.
    private static let greatestSize = 64 * 1024

    /// Whether there is a file, not a pipe that nobody writes to, and not one that takes the memory of the machine.
    private static func isSmallFile(_ file: URL) -> Bool {
        let values = try? file.resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
        return values?.isRegularFile == true && (values?.fileSize ?? 0) <= greatestSize
    }

    private mutating func read(_ line: Substring, _ number: Int) throws(ConfigurationError) {
        let content = (line.hasPrefix("#") ? "" : line.components(separatedBy: " #")[0])
            .trimmingCharacters(in: .whitespacesAndNewlines)
        if content.isEmpty || content == "---" { return }
        let parts = content.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        let value = parts.count == 2 ? parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) : ""
        switch (parts[0], value) {
        case ("schemas", _) where folder != nil, ("access", _) where access != nil:
            throw error(number, "'\(parts[0])' is said twice.")
        case ("schemas", let path) where !path.isEmpty:
            let folder = URL(filePath: path, directoryHint: .isDirectory, relativeTo: file).standardizedFileURL
            self.folder = folder
            schemas = Self.schemas(in: folder)
            if schemas.isEmpty {
                throw error(number, "The folder '\(path)' has no .yaml or .yml file, or is not there.")
            }
        case ("access", "public"), ("access", "package"), ("access", "internal"):
            access = value
        default:
            throw error(
                number, "'\(content)' is neither 'schemas: FOLDER' nor 'access: public', 'package' or 'internal'.")
        }
    }

    private static func schemas(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        // As the tool looks at names in a folder.
        return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
            .filter { !$0.hasPrefix(".") && $0 != fileName && !TargetSchemas.isHistory($0) }
            .sorted().map { folder.appending(path: $0) }
    }

    private func error(_ line: Int, _ problem: String) -> ConfigurationError {
        ConfigurationError(file: file.path(percentEncoded: false), line: line, problem: problem)
    }

    /// What starts the tool again: the file, and the folder, which changes when a schema comes or goes.
    var inputFiles: [URL] { [file] + (folder.map { [$0] } ?? []) }

    /// What the tool is told of it; it fails where the plan is no longer what it would be.
    var arguments: [String] {
        // One word: a text may begin with a dash.
        var arguments = ["--planned-file", file.path(percentEncoded: false), "--planned-text=\(text)"]
        if let folder { arguments += ["--planned-folder", folder.path(percentEncoded: false)] }
        if let access { arguments += ["--access", access] }
        return arguments
    }
}

/// What is wrong in a configuration, and where.
struct ConfigurationError: Error {
    let file: String
    let line: Int
    let problem: String

    /// Tells it. Xcode marks the line; SwiftPM shows only the text.
    func report() {
        Diagnostics.error("\(file):\(line):1: \(problem)".visible, file: file, line: line)
    }
}

extension String {
    /// The text in one line, with what commands a terminal replaced. The tool has a gate of its own, but a plugin
    /// cannot use its modules.
    var visible: String {
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
