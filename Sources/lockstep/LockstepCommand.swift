import ArgumentParser
import LockstepGenerator

/// The command line: a schema in YAML becomes Swift and SQL.
@main
struct LockstepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockstep",
        abstract: "Keeps Swift models, JSON, SQLite tables and offline edits in step, from one YAML schema.",
        discussion: """
            EXAMPLE
              lockstep init Journal        # writes Schemas/Journal.yaml
              lockstep generate            # Schemas/ becomes Generated/

            EXIT CODES
              0   fine
              1   findings in a schema, or of --check, inspect or conformance
              2   wrong use, unreadable input, or output that cannot be written
              70  a bug in lockstep
            """,
        version: InputFingerprint.generatorVersion,
        subcommands: [
            GenerateCommand.self, CheckCommand.self, DescribeCommand.self, InitCommand.self, ImportCommand.self,
            DiagramCommand.self, DocumentCommand.self, GrammarCommand.self, ExplainCommand.self, DiffCommand.self,
            MigrateCommand.self, HistoryCommand.self, InspectCommand.self, ExportCommand.self,
            ConformanceCommand.self, EmitCommand.self,
        ]
    )

    static func main() {
        do {
            var command = try parseAsRoot()
            try FileSystem.$faults.withValue(KillSwitch.ofEnvironment) { try command.run() }
        } catch {
            Exit.end(with: error, of: Self.self)
        }
    }
}
