public import Foundation

/// How a process ended, and its output.
public struct ProcessResult: Sendable {
    public var status: Int32
    public var output: String
    public var errors: String
    /// Whether it was killed by SIGKILL.
    public var wasKilled = false

    /// Both together, for messages.
    public var text: String { output + errors }
}

/// The end of a process, for any number of waiters.
///
/// `waitUntilExit()` is not used: on Linux it runs a run loop, which may miss the end if several threads wait at
/// once, and which never ends in a thread that is ending itself.
public struct ProcessEnd: Sendable {
    private let hasEnded = DispatchSemaphore(value: 0)

    /// - Parameter process: One that has not been started.
    public init(of process: Process) {
        process.terminationHandler = { [hasEnded] _ in hasEnded.signal() }
    }

    public func wait() {
        hasEnded.wait()
        hasEnded.signal()
    }
}

/// Runs a program and waits for its end.
///
/// - Parameters:
///   - environment: The program's environment; `nil` for that of this process.
///   - folder: The working directory.
/// - Throws: The system's error if the program cannot be started.
public func runProcess(
    _ executable: URL, _ arguments: [String], environment: [String: String]? = nil, in folder: URL
) throws -> ProcessResult {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = environment ?? ProcessInfo.processInfo.environment
    process.currentDirectoryURL = folder
    // Files, not pipes: the output of a process may be more than a pipe holds.
    let files = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: files) }
    let (output, errors) = (files.appendingPathComponent("output"), files.appendingPathComponent("errors"))
    for file in [output, errors] { try Data().write(to: file) }
    // On Linux, a process that has ended is never freed, nor are its resources.
    let handles = try [output, errors].map { try FileHandle(forWritingTo: $0) }
    defer { handles.forEach { try? $0.close() } }
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    process.standardInput = FileHandle.nullDevice
    let end = ProcessEnd(of: process)
    try process.run()
    end.wait()
    return ProcessResult(
        status: process.terminationStatus,
        output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self),
        wasKilled: process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
}

/// A program built by this package: it is next to the running program, or the test bundle, wherever the build
/// folder is.
///
/// - Throws: ``ProductIsMissing`` if it was not built.
public func builtProduct(_ name: String) throws -> URL {
    let starts =
        [Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0])] + Bundle.allBundles.map(\.bundleURL)
    for start in starts {
        var folder = start.standardizedFileURL
        for _ in 0..<5 {
            let candidate = folder.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue,
                FileManager.default.isExecutableFile(atPath: candidate.path)
            {
                return candidate
            }
            folder.deleteLastPathComponent()
        }
    }
    throw ProductIsMissing(name: name)
}

/// A program of this package that was not built.
public struct ProductIsMissing: Error {
    public var name: String
}
