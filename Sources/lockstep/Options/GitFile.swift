import Foundation
import LockstepGenerator
import LockstepSchema

/// A file as Git has it.
struct GitFile {
    let path: String

    /// Git cannot be asked.
    struct Missing: Error {}

    /// Returns the output of `git show REVISION:./path`.
    ///
    /// - Parameter revision: A commit, a branch, or the stage of a merge: `:3`.
    /// - Returns: `nil` if there is no such file there.
    /// - Throws: ``UsageFailure`` if there is no Git, or if the revision looks like an option.
    static func read(_ path: String, at revision: String) throws -> SchemaSource? {
        do {
            return try GitFile(path: path).source(at: revision)
        } catch is Missing {
            throw UsageFailure(message: "There is no file '\(revision)', and Git is not installed.")
        }
    }

    /// The same, without an explanation if there is no Git.
    ///
    /// - Throws: ``Missing``; ``UsageFailure`` if the revision looks like an option.
    func source(at revision: String) throws -> SchemaSource? {
        guard !revision.hasPrefix("-") else {
            throw UsageFailure(message: "'\(revision)' is not a file or a revision of Git.")
        }
        return try run("show", "\(revision):./\(name)").map { SchemaSource(path: "\(revision):\(path)", bytes: $0) }
    }

    /// The commits before the current one that have changed the file, on all branches that were merged, the last one
    /// first; none if it was never committed.
    ///
    /// - Throws: ``Missing``.
    func commits() throws -> [String] {
        let list = try run("log", "--full-history", "--format=%h", "--", name) ?? []
        return String(decoding: list, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Whether earlier commits are not in this clone.
    ///
    /// - Throws: ``Missing``.
    func isShallow() throws -> Bool {
        try run("rev-parse", "--is-shallow-repository").map { String(decoding: $0, as: UTF8.self) } == "true\n"
    }

    private var name: String { URL(fileURLWithPath: path).lastPathComponent }

    /// The status of `env` if it does not find the program.
    private static let notFound: Int32 = 127

    /// Runs Git in the folder of the file, without a shell.
    ///
    /// - Returns: The output; `nil` if it fails.
    private func run(_ arguments: String...) throws -> [UInt8]? {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "--literal-pathspecs", "-C", folder.path] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch { throw Missing() }
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        if process.terminationStatus == Self.notFound { throw Missing() }
        return process.terminationStatus == 0 ? bytes : nil
    }
}
