public import Foundation

/// How a process ended, and what it printed.
public struct ProcessResult: Sendable {
    public var status: Int32
    public var output: String
    public var errors: String

    /// Both together, for messages.
    public var text: String { output + errors }
}

/// Runs a program and waits for its end.
///
/// - Parameters:
///   - environment: What the program finds in its environment; `nil` for that of this process.
///   - folder: Where it is started.
/// - Throws: What the system says where the program cannot be started.
public func runProcess(
    _ executable: URL, _ arguments: [String], environment: [String: String]? = nil, in folder: URL
) throws -> ProcessResult {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = environment ?? ProcessInfo.processInfo.environment
    process.currentDirectoryURL = folder
    // Files, not pipes: what a process prints may be more than a pipe holds.
    let files = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: files) }
    let (output, errors) = (files.appendingPathComponent("output"), files.appendingPathComponent("errors"))
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return ProcessResult(
        status: process.terminationStatus,
        output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
}
