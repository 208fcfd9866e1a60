import Foundation

/// A running server in Python, which prints its port first.
///
/// `Sendable`, because its process is only ended.
public final class ScriptServer: Sendable {
    public let port: String
    private let process: ChildProcess

    /// Whether such a server can be started, or must be.
    public static var isWanted: Bool { python != nil || ProcessInfo.processInfo.environment["CI"] == "true" }

    private static let python: URL? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("python3") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// Python is not installed, or the script has ended before it printed its port.
    public struct Missing: Error {}

    /// - Parameter script: Its path in the repository.
    public init(_ script: String, _ arguments: [String] = []) throws {
        guard let python = Self.python else { throw Missing() }
        let path = Documentation.root.appendingPathComponent(script).path
        process = try ChildProcess(of: python, [path] + arguments)
        guard let port = process.line() else { throw Missing() }
        self.port = port
    }

    public func stop() { process.finish() }
}
