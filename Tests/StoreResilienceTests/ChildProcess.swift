import Foundation

/// A running `store-process`, with its output line by line.
///
/// `@unchecked`: one task uses it at a time, a test's own or the `perform` that it waits for.
final class ChildProcess: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var unread = Data()

    init(_ arguments: String...) throws {
        process.executableURL = try Self.executable()
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        if process.isRunning { kill() }
    }

    /// The next line; `nil` where the output ends. Waits for it.
    func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                unread.removeSubrange(unread.startIndex...end)
                return line
            }
            // Not FileHandle's: that stops the process where a signal comes in between.
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(output.fileHandleForReading.fileDescriptor, &bytes, bytes.count)
            if count < 0 && errno == EINTR { continue }
            // A line that was cut off was never said.
            guard count > 0 else { return nil }
            unread += bytes.prefix(count)
        }
    }

    /// The lines that are left.
    func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    /// Ends it at once, in the middle of whatever it does.
    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Ends its input, and waits for its end.
    @discardableResult
    func finish() -> Bool {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }

    /// Whether it was ended by SIGKILL; waits for its end.
    func wasKilled() -> Bool {
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    }

    /// It lies beside the test bundle, wherever the build folder is.
    private static func executable() throws -> URL {
        let starts =
            [Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0])] + Bundle.allBundles.map(\.bundleURL)
        for start in starts {
            var folder = start.standardizedFileURL
            for _ in 0..<5 {
                let candidate = folder.appendingPathComponent("store-process")
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
        }
        throw ProcessIsMissing()
    }

    struct ProcessIsMissing: Error {}
}
