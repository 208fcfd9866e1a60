import ArgumentParser

@main
struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "A journal that is synced between several devices.",
        discussion: """
            All commands work without a server. `journal sync` exchanges the changes.

            EXIT CODES
              0   success
              1   failure; the message says why
              2   the server is not available; all changes are kept for a later sync
              64  wrong usage
            """,
        subcommands: [
            AddCommand.self, ListCommand.self, EditCommand.self, DeleteCommand.self, PendingCommand.self,
            SyncCommand.self, ServeCommand.self, DemoCommand.self,
        ])
}
