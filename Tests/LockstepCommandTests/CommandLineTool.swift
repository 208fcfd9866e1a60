import Foundation
import TestSupport
import Testing

/// Runs the built `lockstep` in a folder of its own, as a user would.
final class CommandLineTool {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs `lockstep` with these arguments and waits for its end.
    @discardableResult
    func run(_ arguments: String...) throws -> ProcessResult {
        try run(arguments)
    }

    @discardableResult
    func run(_ arguments: [String]) throws -> ProcessResult {
        try runProcess(Self.executable(), arguments, in: folder)
    }

    func write(_ text: String, to path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(path)), as: UTF8.self)
    }

    func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
    }

    /// Every file below `path` with its contents, hidden ones included.
    func contents(of path: String) throws -> [String: Data] {
        let root = folder.appendingPathComponent(path)
        var result: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
            let file = root.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
            if !isFolder.boolValue { result[name] = try Data(contentsOf: file) }
        }
        return result
    }

    func modificationDate(of path: String) throws -> Date {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(path).path)
        return try #require(attributes[.modificationDate] as? Date)
    }

    /// The tool lies beside the test bundle, wherever the build folder is.
    private static func executable() throws -> URL {
        let starts =
            [Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0])]
            + Bundle.allBundles.map(\.bundleURL)
        for start in starts {
            var candidate = start.standardizedFileURL
            for _ in 0..<5 {
                let tool = candidate.appendingPathComponent("lockstep")
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: tool.path, isDirectory: &isFolder), !isFolder.boolValue,
                    FileManager.default.isExecutableFile(atPath: tool.path)
                {
                    return tool
                }
                candidate.deleteLastPathComponent()
            }
        }
        throw ToolIsMissing()
    }

    struct ToolIsMissing: Error {}
}

/// The schema that the command's tests start from.
enum Sample {
    static let journal = """
        lockstep: 1
        schema: Journal
        enums:
          Mood: [sad, neutral, happy]
        entities:
          Entry:
            doc: One page of the journal.
            identity: identifier
            attributes:
              identifier: uuid
              title: string
              mood: { type: Mood, default: neutral }
          Tag:
            attributes: { id: int, name: string }

        """
}
