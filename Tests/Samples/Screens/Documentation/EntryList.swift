#if canImport(SwiftUI)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI

    // snippet
    struct EntryList: View {
        @Results(Entry.matching(""), sectionedBy: \.mood, animation: .default) private var entries
        @Environment(\.store) private var store
        @State private var search = ""
        @State private var problem: String?

        var body: some View {
            NavigationStack {
                List {
                    if let problem { Text(problem).foregroundStyle(.red) }
                    ForEach(entries.sections) { section in
                        Section(section.key.rawValue) {
                            ForEach(section) { entry in
                                NavigationLink(value: entry.id) { EntryRow(entry: entry) }
                            }
                            .onDelete { delete($0.map { section[$0] }) }
                        }
                    }
                }
                .searchable(text: $search)
                .task(id: search) { await $entries.load(Entry.matching(search)) }
                .navigationDestination(for: UUID.self) { EntryScreen(id: $0) }
                .toolbar { Button("Add", systemImage: "plus") { add() } }
            }
        }

        private func add() {
            guard let context = store?.mainContext else { return }
            Entry(title: "New entry", context: context)
            save(context)
        }

        private func delete(_ entries: [Entry]) {
            guard let context = store?.mainContext else { return }
            for entry in entries { context.delete(entry) }
            save(context)
        }

        private func save(_ context: ManagedObjectContext) {
            Task {
                do { try await context.save() } catch { problem = error.localizedDescription }
            }
        }
    }

    extension Entry {
        /// The entries that contain a text, the newest first.
        static func matching(_ text: String) -> QueryInterfaceRequest<Entry> {
            let all = Entry.order(\.timestamp.desc)
            return text.isEmpty ? all : all.filter { $0.title.contains(text) }
        }
    }
// end
#endif
