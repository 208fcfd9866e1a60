import ArgumentParser
import LockstepStore

struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Deletes an entry.")

    @Argument(help: "The entry's id, or its beginning.") var id: String
    @OptionGroup var journal: JournalOptions

    @MainActor func run() async throws {
        let store = try journal.open()
        let entry = try store.mainContext.entry(id)
        store.mainContext.delete(entry)
        try await store.mainContext.save()
        print("Deleted \(entry.shortID), “\(entry.title)”.")
        try store.close()
    }
}
