import ArgumentParser
import Foundation
import LockstepStore
import LockstepSync

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Shows the entries by mood, the newest first.",
        discussion: """
            With --live, the list is shown again after each change, until Ctrl-C. It follows the changes of other \
            commands, and with --server also those that other devices have synced.
            """)

    @Option(help: "Only entries of this mood.") var mood: Mood?
    @Flag(help: "Follow the journal until Ctrl-C.") var live = false
    @Option(help: "With --live: follow this server, too.", transform: URL.server) var server: URL?
    @OptionGroup var journal: JournalOptions

    func validate() throws {
        if server != nil && !live { throw ValidationError("--server requires --live.") }
    }

    @MainActor func run() async throws {
        let store = try journal.open()
        if live {
            try await follow(store)
        } else {
            print(try store.mainContext.sections(entries, by: \.mood, sectionOrder: Mood.isBetter).text)
        }
        try store.close()
    }

    private var entries: QueryInterfaceRequest<Entry> {
        let entries = Entry.order(\.timestamp.desc)
        guard let mood else { return entries }
        return entries.filter { $0.mood == mood }
    }

    private func follow(_ store: Store) async throws {
        let version = try await store.dataVersion()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await store.followOtherProcesses(since: version) }
            if let server {
                let sync = Sync(journal: store, server: server)
                group.addTask { try await sync.run() }
                group.addTask { await tellWhenAway(sync) }
            }
            group.addTask { await show(store) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func tellWhenAway(_ sync: Sync) async {
        for await status in sync.status {
            guard let error = status.error else { continue }
            FileHandle.standardError.write(Data("The server is not available: \(error.reason). Retrying.\n".utf8))
        }
    }

    @MainActor private func show(_ store: Store) async {
        for await snapshot in store.results(entries, sectionedBy: \.mood, sectionOrder: Mood.isBetter) {
            print(snapshot.sections.text + "\n")
            fflush(nil)  // so that a pipe gets it at once
        }
    }
}
