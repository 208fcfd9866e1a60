import ArgumentParser
import Foundation

/// A program that is run to its end, or until the user ends the command.
struct ChildProcess {
    /// The path of a program, or the name of one that `env` looks for.
    let program: String
    let arguments: [String]
    /// The folder it runs in; `nil` for the current one.
    var directory: URL?
    var input = FileHandle.nullDevice

    /// There is no such program.
    struct Missing: Error {}

    struct Result {
        let isSuccess: Bool
        let output: Data
        let errors: Data
    }

    /// The status of `env` if it does not find the program.
    private static let notFound: Int32 = 127
    /// The status of a shell for a command that Control-C has ended.
    private static let interrupted = ExitCode(128 + SIGINT)
    /// The longest time between two looks at whether it has ended.
    private static let longestPauseMilliseconds: UInt32 = 20

    /// Runs it, without a shell.
    ///
    /// - Throws: ``Missing``; `ExitCode` if the user ends the command.
    func run() throws -> Result {
        let files = try [Self.temporaryFile(), Self.temporaryFile()]
        let process = Process()
        let isPath = program.contains("/")
        process.executableURL = URL(fileURLWithPath: isPath ? program : "/usr/bin/env")
        process.arguments = (isPath ? [] : [program]) + arguments
        process.currentDirectoryURL = directory
        // SwiftPM 6.3 passes a package's traits in the order of their hashes, so a build with other hashes would
        // compile every module again (swift-package-manager issue 10525, fixed in 6.4).
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["SWIFT_DETERMINISTIC_HASHING": "1"], uniquingKeysWith: { $1 })
        process.standardOutput = files[0]
        process.standardError = files[1]
        process.standardInput = input
        do { try process.run() } catch { throw Missing() }
        // It is in a process group of its own, which Control-C does not reach.
        var pause: UInt32 = 1
        while process.isRunning, Interruption.pause(milliseconds: pause) {
            pause = min(2 * pause, Self.longestPauseMilliseconds)
        }
        if process.isRunning { process.interrupt() }
        process.waitUntilExit()
        guard Interruption.pause(milliseconds: 0) else { throw Self.interrupted }
        if !isPath, process.terminationStatus == Self.notFound { throw Missing() }
        let contents = try files.map { file in
            try file.seek(toOffset: 0)
            return try file.readToEnd() ?? Data()
        }
        return Result(
            isSuccess: process.terminationReason == .exit && process.terminationStatus == 0, output: contents[0],
            errors: contents[1])
    }

    /// A file without a name, which nobody else can open. A pipe would have to be read while the program runs.
    private static func temporaryFile() throws -> FileHandle {
        guard let file = tmpfile() else { throw CocoaError(.fileWriteUnknown) }
        defer { fclose(file) }
        return FileHandle(fileDescriptor: dup(fileno(file)), closeOnDealloc: true)
    }
}
