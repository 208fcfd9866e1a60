import CTimedProcess
import CommandArguments

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Commands to run as processes of their own.
struct TimedProcess {
    /// Takes what a command prints; shown if it fails.
    let log: String

    /// What one run used, in seconds and bytes.
    struct Usage {
        let wallSeconds: Double
        let processorSeconds: Double
        let peakMemoryBytes: Double
    }

    /// Runs a command to its end; ends this process too if it fails.
    @discardableResult
    func run(_ command: [String]) -> Usage {
        var usage = timed_process_usage()
        var arguments = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        let error = timed_process_run(&arguments, log, &usage)
        guard error == 0, usage.exitStatus == 0 else { fail(command, error, usage.exitStatus) }
        return Usage(
            wallSeconds: Double(usage.wallNanoseconds) / 1e9,
            processorSeconds: Double(usage.processorNanoseconds) / 1e9,
            peakMemoryBytes: Double(usage.peakMemoryBytes))
    }

    private func fail(_ command: [String], _ error: Int32, _ status: Int32) -> Never {
        let reason = error == 0 ? "ended with \(status)" : "cannot run: \(String(cString: strerror(error)))"
        StandardError.print("error: \(command.joined(separator: " ")): \(reason)\n\(readText(log) ?? "")")
        exit(1)
    }
}

/// The text of a file, `nil` if it cannot be read.
func readText(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
        bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
}
