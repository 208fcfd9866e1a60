import Foundation
import TestSupport
import Testing

/// Runs the built `lockstep` in a folder of its own, as a user would.
final class CommandLineTool: FolderOfFiles {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs `lockstep` with these arguments and waits until it exits.
    @discardableResult
    func run(_ arguments: String...) throws -> ProcessResult {
        try run(arguments)
    }

    @discardableResult
    func run(_ arguments: [String]) throws -> ProcessResult {
        try runProcess(try builtProduct("lockstep"), arguments, in: folder)
    }

    /// Runs Git in the folder.
    func git(_ arguments: String...) throws {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
        let result = try runProcess(URL(fileURLWithPath: "/usr/bin/env"), ["git"] + identity + arguments, in: folder)
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Commits everything in the folder, which is or becomes a repository.
    func commit() throws {
        if !exists(".git") { try git("init", "-q", "-b", "main") }
        try git("add", ".")
        try git("commit", "-q", "-m", "A change")
    }

    /// Every file below `path` with its contents, including hidden ones.
    func contents(of path: String) throws -> [String: Data] {
        let root = folder.appendingPathComponent(path)
        return Dictionary(
            uniqueKeysWithValues: try files(below: path).map {
                ($0, try Data(contentsOf: root.appendingPathComponent($0)))
            })
    }
}

/// The schema used by the command's tests.
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
