#if Import
    import Foundation
    import LockstepGenerator

    /// A program has failed, with what it has printed.
    struct ProofFailure: Error {
        let step: String
        let output: String

        /// What it has printed, from the first error on.
        var message: String {
            let lines = output.split(separator: "\n")
            let first = lines.firstIndex { $0.contains("error:") } ?? lines.startIndex
            return lines[first...].filter { !$0.starts(with: #/\[\d+/\d+\] /#) }.joined(separator: "\n")
        }
    }

    extension ChildProcess {
        /// Runs it as a step of a proof.
        ///
        /// - Parameter step: What has failed if it fails, for the error.
        /// - Returns: What it has printed on standard output.
        /// - Throws: ``ProofFailure``; ``UsageFailure`` if there is no such program; `ExitCode` if the user ends the
        ///   command.
        @discardableResult
        func run(failure step: String) throws -> Data {
            let result: Result
            do { result = try run() } catch is Missing {
                throw UsageFailure(message: "'\(program)' was not found. Install it, and run the command again.")
            }
            guard result.isSuccess else {
                let texts = [result.output, result.errors].map { String(decoding: $0, as: UTF8.self) }
                throw ProofFailure(step: step, output: texts.joined(separator: "\n"))
            }
            return result.output
        }
    }
#endif
