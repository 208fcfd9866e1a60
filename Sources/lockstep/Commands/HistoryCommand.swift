import ArgumentParser
import LockstepEmission
import LockstepEvolution
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
            Console.print(format == .text ? text(history) : markdown(history))
        }
    }

    private func text(_ history: SchemaHistory) -> String {
        let versions = history.versions.reversed().map { version in
            let words = [String(version.number), version.name, version.isReleased ? "(released)" : nil]
            let lines = version.changes.map { "     " + line($0) }
            return (["  " + words.compactMap(\.self).joined(separator: " ")] + lines).joined(separator: "\n")
        }
        return ([history.schema] + versions).joined(separator: "\n")
    }

    private func markdown(_ history: SchemaHistory) -> String {
        let versions = history.versions.reversed().map { version in
            let title = "## \(version.number)" + (version.name.map { ": \($0)" } ?? "")
            let state = version.isReleased ? "Released." : "Not released."
            let lines = version.changes.map { change in
                "- `\(change.text)`" + (change.answers.because.map { ": \($0)" } ?? "")
            }
            return ([title, state] + (lines.isEmpty ? [] : [lines.joined(separator: "\n")])).joined(separator: "\n\n")
        }
        return (["# The versions of \(history.schema)"] + versions).joined(separator: "\n\n")
    }

    private func line(_ change: SchemaChange) -> String {
        change.text + (change.answers.because.map { "   \($0)" } ?? "")
    }
}
