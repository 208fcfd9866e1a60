import Foundation
import LockstepEmission
import LockstepSchema

/// A file as Git has it.
enum GitFile {
    /// Runs `git show REF:./path` in the current folder.
    ///
    /// - Parameter revision: A commit, a branch, or the stage of a merge: `:3`.
    /// - Returns: `nil` if there is no such file there.
    /// - Throws: ``UsageFailure`` if Git cannot be run.
    static func read(_ path: String, at revision: String) throws -> SchemaSource? {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let name = URL(fileURLWithPath: path).lastPathComponent
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", folder.path, "show", "\(revision):./\(name)"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw UsageFailure(message: "Git cannot be run: \(error.localizedDescription)")
        }
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return SchemaSource(path: "\(revision):\(path)", bytes: bytes)
    }
}
