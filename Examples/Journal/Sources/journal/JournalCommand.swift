import ArgumentParser

@main
struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "A journal that is kept on several devices, with a server between them.",
        discussion: """
            Everything works without a server; `journal sync` exchanges what has changed since.

            EXIT CODES
              0   done
              1   not done; the message says why
              2   the server is away: everything is kept, and goes out with a later sync
              64  the command line is wrong
            """,
        subcommands: [
            AddCommand.self, ListCommand.self, EditCommand.self, DeleteCommand.self, PendingCommand.self,
            SyncCommand.self, ServeCommand.self, DemoCommand.self,
        ])
}
