import Foundation
import LockstepGenerator
import LockstepSchema

/// A file as Git has it.
struct GitFile {
    let path: String

    /// Returns the output of `git show REVISION:./path`.
    ///
    /// - Parameter revision: A commit, a branch, or the stage of a merge: `:3`.
    /// - Returns: `nil` if there is no such file there.
    /// - Throws: ``UsageFailure`` if there is no Git, or if the revision looks like an option.
    static func read(_ path: String, at revision: String) throws -> SchemaSource? {
        do {
            return try GitFile(path: path).source(at: revision)
        } catch is ChildProcess.Missing {
            throw UsageFailure(message: "There is no file '\(revision)', and Git is not installed.")
        }
    }

    /// The same, without an explanation if there is no Git.
    ///
    /// - Throws: ``ChildProcess/Missing``; ``UsageFailure`` if the revision looks like an option.
    func source(at revision: String) throws -> SchemaSource? {
        guard !revision.hasPrefix("-") else {
            throw UsageFailure(message: "'\(revision)' is not a file or a revision of Git.")
        }
        func file(_ name: String, at path: String) throws -> SchemaSource? {
            try run("show", "\(revision):./\(name)").map { SchemaSource(path: "\(revision):\(path)", bytes: $0) }
        }
        var source = try file(name, at: path)
        try source?.include { try file($0, at: String(path.dropLast(name.count)) + $0) }
        return source
    }

    /// The commits before the current one that have changed the file or one that it includes, on all branches that were
    /// merged, the last one first; none if it was never committed.
    ///
    /// - Throws: ``ChildProcess/Missing``.
    func commits(including files: Set<String>) throws -> [String] {
        let names = [name] + files.sorted()
        let list = try run(["log", "--full-history", "--format=%h", "--"] + names) ?? []
        return String(decoding: list, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Whether earlier commits are not in this clone.
    ///
    /// - Throws: ``ChildProcess/Missing``.
    func isShallow() throws -> Bool {
        try run("rev-parse", "--is-shallow-repository").map { String(decoding: $0, as: UTF8.self) } == "true\n"
    }

    private var name: String { URL(fileURLWithPath: path).lastPathComponent }

    /// Runs Git in the folder of the file.
    ///
    /// - Returns: The output; `nil` if it fails.
    private func run(_ arguments: String...) throws -> [UInt8]? { try run(arguments) }

    private func run(_ arguments: [String]) throws -> [UInt8]? {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let result = try ChildProcess(
            program: "git", arguments: ["--literal-pathspecs", "-C", folder.path] + arguments
        ).run()
        return result.isSuccess ? [UInt8](result.output) : nil
    }
}
