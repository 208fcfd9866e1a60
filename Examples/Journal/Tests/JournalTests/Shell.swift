import Foundation
import Testing

/// Runs the built `journal` in a folder of its own, as a user would.
final class Shell {
    private let folder: URL

    struct Result {
        var status: Int32
        var output: String
        var errors: String
    }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "journal-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Runs `journal` with these arguments, and waits until it ends.
    @discardableResult
    func journal(_ arguments: [String]) throws -> Result {
        let process = try process(arguments)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        let end = ProcessEnd(of: process)
        try process.run()
        // A command prints far less than a pipe can hold, so the pipes can be read one after the other.
        let result = (
            output.fileHandleForReading.readDataToEndOfFile(), errors.fileHandleForReading.readDataToEndOfFile()
        )
        end.wait()
        return Result(
            status: process.terminationStatus, output: String(decoding: result.0, as: UTF8.self),
            errors: String(decoding: result.1, as: UTF8.self))
    }

    @discardableResult
    func journal(_ arguments: String...) throws -> Result { try journal(arguments) }

    /// Starts `journal` with these arguments, and does not wait for it.
    func start(_ arguments: String...) throws -> RunningCommand { try RunningCommand(try process(arguments)) }

    private func process(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = try Self.executable()
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// The tool is in the same folder as the test bundle.
    private static func executable() throws -> URL {
        let starts =
            [Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0])] + Bundle.allBundles.map(\.bundleURL)
        let folders = starts.flatMap { start in
            sequence(first: start.standardizedFileURL) { $0.deletingLastPathComponent() }.prefix(5)
        }
        let tools = folders.map { $0.appending(path: "journal") }
        return try #require(
            tools.first { (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true })
    }
}

/// A running command, whose output is read while it runs.
final class RunningCommand {
    private let process: Process
    private let processEnd: ProcessEnd
    private let output = Pipe()
    private var text = ""

    init(_ process: Process) throws {
        self.process = process
        processEnd = ProcessEnd(of: process)
        process.standardOutput = output
        try process.run()
    }

    deinit { end() }

    /// Waits until the command has printed a text, and returns its output since the last call.
    @discardableResult
    func wait(for expected: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        while !text.contains(expected) {
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "The command ended after this output: \(text)", sourceLocation: sourceLocation)
            text += String(decoding: data, as: UTF8.self)
        }
        defer { text = "" }
        return text
    }

    /// Stops the command, and waits until it has ended.
    func end() {
        if process.isRunning { process.terminate() }
        processEnd.wait()
    }
}

/// The end of a process.
///
/// `waitUntilExit()` is not used: on Linux it runs a run loop, which may miss the end if several threads wait at once.
private struct ProcessEnd: Sendable {
    private let hasEnded = DispatchSemaphore(value: 0)

    init(of process: Process) {
        process.terminationHandler = { [hasEnded] _ in hasEnded.signal() }
    }

    func wait() {
        hasEnded.wait()
        hasEnded.signal()
    }
}
