import ArgumentParser
import Foundation
import LockstepStore
import LockstepSync

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Pushes local changes, and pulls the server's.",
        discussion: """
            The server is 'journal serve', or a Firebase Realtime Database.
            """)

    @Option(help: "The server's address.", transform: URL.server) var server: URL
    @OptionGroup var journal: JournalOptions

    func run() async throws {
        let store = try journal.open()
        do {
            let (pushed, pulled) = try await Sync(journal: store, server: server).exchange()
            print("pushed: \(pushed)")
            print("pulled: \(pulled)")
        } catch let error as SyncError where error.isTransient {
            let count = try await store.outbox.count()
            FileHandle.standardError.write(
                Data("The server is not available: \(error.reason). All changes are kept; pending: \(count).\n".utf8))
            throw ExitCode(2)
        }
        try store.close()
    }
}
