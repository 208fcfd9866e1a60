import ArgumentParser
import Foundation
import LockstepStore

struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "edit", abstract: "Changes an entry.")

    @Argument(help: "The entry's id, or its beginning.") var id: String
    @Option(help: "The new title.") var title: String?
    @Option(help: "The new mood.") var mood: Mood?
    @Option(help: "The new text; '' removes it.") var text: String?
    @OptionGroup var journal: JournalOptions

    func validate() throws {
        if title == nil && mood == nil && text == nil {
            throw ValidationError("Specify what to change: --title, --mood or --text.")
        }
    }

    @MainActor func run() async throws {
        let store = try journal.open()
        let entry = try store.mainContext.entry(id)
        if let title { entry.title = title }
        if let mood { entry.mood = mood }
        if let text { entry.bodyText = text.isEmpty ? nil : text }
        entry.updatedAt = Date()
        try await store.mainContext.save()
        print("Changed \(entry.shortID).")
        try store.close()
    }
}
