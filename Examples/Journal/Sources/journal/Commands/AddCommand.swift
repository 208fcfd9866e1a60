import ArgumentParser
import LockstepStore

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds an entry.")

    @Argument(help: "The entry's title.") var title: String
    @Option(help: "The mood.") var mood = Mood.neutral
    @Option(help: "The text.") var text: String?
    @OptionGroup var journal: JournalOptions

    @MainActor func run() async throws {
        let store = try journal.open()
        let entry = Entry(title: title, bodyText: text, mood: mood, context: store.mainContext)
        try await store.mainContext.save()
        print("Added \(entry.shortID).")
        try store.close()
    }
}
