import ArgumentParser
import Foundation
import LockstepGenerator

/// The exit codes of the command line, in one place.
enum Exit {
    static let findings = ExitCode(ExitStatus.findings.rawValue)
    static let wrongUse = ExitCode(ExitStatus.wrongUse.rawValue)

    /// Ends the process after `error` of a command: help is written to standard output, everything else to standard
    /// error.
    static func end(with error: any Error, of command: any ParsableCommand.Type) -> Never {
        if let code = error as? ExitCode { exit(code.rawValue) }
        if let status = ExitStatus.report(error) { exit(status.rawValue) }
        let isRequest = command.exitCode(for: error).isSuccess
        if isRequest {
            Console.print(TerminalText(document: command.fullMessage(for: error)))
            exit(ExitCode.success.rawValue)
        }
        let isUsage = command.exitCode(for: error) == .validationFailure
        // Other errors quote files, and wrong use quotes parts of arguments, which can be names of files.
        let isOurs = isUsage && !CommandLine.arguments.contains(where: \.hasHidden)
        Console.report(
            isOurs ? TerminalText(document: command.fullMessage(for: error)) : "Error: \(command.message(for: error))")
        if !isUsage { Console.report(ExitStatus.bugReport) }
        exit((isUsage ? ExitStatus.wrongUse : .bug).rawValue)
    }
}
