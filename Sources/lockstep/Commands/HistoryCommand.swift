import ArgumentParser
import LockstepEvolution
import LockstepGenerator
import LockstepSchema

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Prints the recorded versions of schemas, the last one first.",
        discussion: """
            EXAMPLE
              lockstep history --format markdown > Documentation/Versions.md
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, markdown
    }

    @OptionGroup var input: SchemaArguments

    @Option(help: "text for terminals, or markdown for a page.")
    var format: Format = .text

    func run() throws {
        for schema in try input.read(checking: .history) {
            guard let history = schema.history else {
                Console.report("\(schema.schema.name): there is no history. Begin it: lockstep migrate")
                continue
            }
            Console.print(
                format == .text ? TerminalText(lines: lines(history)) : TerminalText(document: markdown(history)))
        }
    }

    private func lines(_ history: SchemaHistory) -> [String] {
        [history.schema]
            + history.versions.reversed().flatMap { version in
                let words = [String(version.number), version.name, version.isReleased ? "(released)" : nil]
                return ["  " + words.compactMap(\.self).joined(separator: " ")]
                    + version.changes.map { "     " + line($0) }
            }
    }

    private func markdown(_ history: SchemaHistory) -> String {
        let versions = history.versions.reversed().map { version in
            let title = "## \(version.number)" + (version.name.map { ": \(MarkdownText.escaped($0))" } ?? "")
            let state = version.isReleased ? "Released." : "Not released."
            let lines = version.changes.map { change in
                "- \(MarkdownText.code(change.text))"
                    + (change.answers.because.map { ": \(MarkdownText.escaped($0))" } ?? "")
            }
            return ([title, state] + (lines.isEmpty ? [] : [lines.joined(separator: "\n")])).joined(separator: "\n\n")
        }
        return (["# The versions of \(history.schema)"] + versions).joined(separator: "\n\n")
    }

    private func line(_ change: SchemaChange) -> String {
        change.text + (change.answers.because.map { "   \($0)" } ?? "")
    }
}
