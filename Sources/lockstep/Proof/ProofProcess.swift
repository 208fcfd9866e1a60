#if Import
    import ArgumentParser
    import Foundation
    import LockstepGenerator

    /// A program that is run to its end, or until the user ends the command.
    struct ProofProcess {
        /// What is run: the path of a program, or the name of one that `env` looks for.
        let program: String
        let arguments: [String]
        /// The folder it runs in; `nil` for the current one.
        var directory: URL?
        var input = FileHandle.nullDevice

        /// A program has failed, with what it has printed.
        struct Failure: Error {
            let step: String
            let output: String

            /// What it has printed, from the first error on.
            var message: String {
                let lines = output.split(separator: "\n")
                let first = lines.firstIndex { $0.contains("error:") } ?? lines.startIndex
                return lines[first...].filter { !$0.starts(with: #/\[\d+/\d+\] /#) }.joined(separator: "\n")
            }
        }

        /// The status of `env` if it does not find the program.
        private static let notFound: Int32 = 127
        /// The status of a shell for a command that Control-C has ended.
        private static let interrupted = ExitCode(128 + SIGINT)

        /// Runs it.
        ///
        /// - Parameters:
        ///   - folder: Where files for its output are created.
        ///   - step: What has failed if it fails, for the error.
        /// - Returns: What it has printed on standard output.
        /// - Throws: ``Failure``; ``UsageFailure`` if there is no such program; `ExitCode` if the user ends the
        ///   command.
        @discardableResult
        func run(in folder: URL, failure step: String) throws -> String {
            let files = try ["output", "errors"].map { name in
                let url = folder.appendingPathComponent(name)
                try Data().write(to: url)
                return (url: url, handle: try FileHandle(forWritingTo: url))
            }
            let process = Process()
            let isPath = program.contains("/")
            process.executableURL = URL(fileURLWithPath: isPath ? program : "/usr/bin/env")
            process.arguments = (isPath ? [] : [program]) + arguments
            process.currentDirectoryURL = directory
            // SwiftPM 6.3 passes a package's traits in the order of their hashes, so a build with other hashes would
            // compile every module again (swift-package-manager issue 10525, fixed in 6.4).
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["SWIFT_DETERMINISTIC_HASHING": "1"], uniquingKeysWith: { $1 })
            process.standardOutput = files[0].handle
            process.standardError = files[1].handle
            process.standardInput = input
            do { try process.run() } catch { throw UsageFailure(message: "'\(program)' cannot be run: \(error)") }
            // It is in a process group of its own, which Control-C does not reach.
            while process.isRunning, Interruption.pause(milliseconds: 20) {}
            if process.isRunning { process.interrupt() }
            process.waitUntilExit()
            guard Interruption.pause(milliseconds: 0) else { throw Self.interrupted }
            if !isPath, process.terminationStatus == Self.notFound {
                throw UsageFailure(message: "'\(program)' was not found. Install it, and run the command again.")
            }
            let texts = try files.map { String(decoding: try Data(contentsOf: $0.url), as: UTF8.self) }
            guard process.terminationReason == .exit, process.terminationStatus == 0 else {
                throw Failure(step: step, output: texts.joined(separator: "\n"))
            }
            return texts[0]
        }
    }
#endif
