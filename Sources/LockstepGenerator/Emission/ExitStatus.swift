/// The exit codes of the programs, in one place.
package enum ExitStatus: Int32 {
    case findings = 1
    case wrongUse = 2
    case bug = 70

    /// Reports an error and returns the exit status. Returns `nil`, without reporting, for errors of the command line
    /// and unexpected errors. Findings were reported before.
    package static func report(_ error: any Error) -> ExitStatus? {
        let message: TerminalText
        switch error {
        case is FindingsReported: return .findings
        case let failure as UsageFailure: message = failure.message
        case let failure as OutputError: message = "\(failure)"
        default: return nil
        }
        Console.report("error: " + message)
        return .wrongUse
    }

    /// The text after the message of an error that should not occur.
    package static let bugReport: TerminalText =
        "This is a bug in lockstep. Please report it with the schema that causes it."
}

/// Findings because of which a program ends. They have been reported.
package struct FindingsReported: Error {}
