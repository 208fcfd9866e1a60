import LockstepGenerator

/// The exit codes of the programs, in one place.
package enum ExitStatus: Int32 {
    case findings = 1
    case wrongUse = 2
    case bug = 70

    /// Reports an error that does not come from a command line; `nil` if it is another one.
    package init?(reporting error: any Error) {
        switch error {
        case is FindingsReported: self = .findings
        case let failure as UsageFailure: self.init(failure.message)
        case let failure as OutputError: self.init(failure.description)
        default: return nil
        }
    }

    private init(_ message: String) {
        Console.report("error: " + message)
        self = .wrongUse
    }

    /// What follows the message of an error that should not occur.
    package static let bugReport = "This is a bug in lockstep. Please report it with the schema that causes it."
}

/// Findings because of which a program ends. They have been reported.
package struct FindingsReported: Error {}
