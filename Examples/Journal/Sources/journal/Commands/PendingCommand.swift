import ArgumentParser
import LockstepStore
import LockstepSync

struct PendingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "Lists local changes that are not on the server yet.")

    @OptionGroup var journal: JournalOptions

    func run() async throws {
        let store = try journal.open()
        let changes = try await store.outbox.pending()
        for change in changes {
            let failure = change.lastError.map { "; attempts: \(change.attempts), the last one failed: \($0)" } ?? ""
            print("  \(change.record.prefix(8))  \(change.kind)\(failure)")
        }
        if changes.isEmpty { print("Nothing is pending.") }
        try store.close()
    }
}
