import ArgumentParser
import Foundation
import LockstepGenerator

/// The exit codes of the command line, in one place.
enum Exit {
    static let findings = ExitCode(1)
    static let wrongUse = ExitCode(2)
    static let bug = ExitCode(70)

    /// Ends the process after `error` of a command: help is written to standard output, everything else to standard
    /// error.
    static func end(with error: any Error, of command: any ParsableCommand.Type) -> Never {
        if let code = error as? ExitCode { exit(code.rawValue) }
        if let failure = error as? UsageFailure { fail(failure.message) }
        if let failure = error as? OutputError { fail(failure.description) }
        let isRequest = command.exitCode(for: error).isSuccess
        let message = command.fullMessage(for: error)
        if isRequest {
            Console.print(message)
            exit(ExitCode.success.rawValue)
        }
        Console.report(message)
        let isUsage = command.exitCode(for: error) == .validationFailure
        if !isUsage { Console.report("This is a bug in lockstep. Please report it with the schema that causes it.") }
        exit(isUsage ? wrongUse.rawValue : bug.rawValue)
    }

    private static func fail(_ message: String) -> Never {
        Console.report("error: " + message)
        exit(wrongUse.rawValue)
    }
}

/// An incorrect use of the command line, or a file that cannot be read or written.
struct UsageFailure: Error {
    /// The problem, its location, and what to do.
    var message: String

    /// What a command needs is not in this build: packages that use lockstep build it only with a trait.
    static func missing(_ part: String, trait: String, command: String) -> UsageFailure {
        UsageFailure(
            message: """
                This build of lockstep has no \(part). In a package, add the trait: \
                .package(url: …, traits: ["\(trait)"]); or run 'swift run lockstep \(command)' in a clone of lockstep.
                """)
    }
}
