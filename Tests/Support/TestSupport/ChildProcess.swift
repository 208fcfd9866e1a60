public import Foundation

/// A running program of this package, with its output line by line.
///
/// `@unchecked`: one task uses it at a time, a test's own or the `perform` that it waits for.
public final class ChildProcess: @unchecked Sendable {
    private let process = Process()
    private let end: ProcessEnd
    private let output = Pipe()
    private let input = Pipe()
    private var unread = Data()

    public convenience init(_ program: String, _ arguments: [String]) throws {
        try self.init(of: builtProduct(program), arguments)
    }

    /// A program that this package has not built.
    ///
    /// - Parameters:
    ///   - folder: The working directory; `nil` for that of this process.
    ///   - hasErrors: Whether its lines include those of standard error.
    public init(of executable: URL, _ arguments: [String], in folder: URL? = nil, hasErrors: Bool = false) throws {
        end = ProcessEnd(of: process)
        process.executableURL = executable
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        process.standardOutput = output
        process.standardInput = input
        process.standardError = hasErrors ? output : FileHandle.nullDevice
        try process.run()
    }

    deinit {
        if process.isRunning { kill() }
    }

    /// The next line; `nil` at the end of the output. Waits for it.
    public func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                unread.removeSubrange(unread.startIndex...end)
                return line
            }
            // Not FileHandle's: that stops the process if a signal arrives in between.
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(output.fileHandleForReading.fileDescriptor, &bytes, bytes.count)
            if count < 0 && errno == EINTR { continue }
            // A truncated line does not count.
            guard count > 0 else { return nil }
            unread += bytes.prefix(count)
        }
    }

    /// The remaining lines.
    public func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    /// Kills it at once, whatever it is doing.
    public func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Sends what Control-C sends.
    public func interrupt() { Foundation.kill(process.processIdentifier, SIGINT) }

    /// Closes its input, and waits for its end.
    @discardableResult
    public func finish() -> Bool {
        try? input.fileHandleForWriting.close()
        end.wait()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }

    /// Whether it was killed by SIGKILL; waits for its end.
    public func wasKilled() -> Bool {
        end.wait()
        return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    }
}
