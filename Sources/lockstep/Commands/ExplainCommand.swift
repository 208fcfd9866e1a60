import ArgumentParser
import LockstepGenerator
import LockstepSchema

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains a diagnostic code with an example, or prints the catalogue of all codes.",
        discussion: """
            EXAMPLE
              lockstep explain unknown-key
            """
    )

    @Argument(help: "The code in brackets at the end of a finding. Without one, the whole catalogue is printed.")
    var code: String?

    func run() throws {
        guard let code else { return Console.print(TerminalText(document: DiagnosticCatalogue.markdown())) }
        guard let page = DiagnosticCatalogue.markdown(for: DiagnosticCode(rawValue: code)) else {
            throw UsageFailure(message: "There is no diagnostic code '\(code)'. 'lockstep explain' lists all of them.")
        }
        Console.print(TerminalText(document: page))
    }
}
