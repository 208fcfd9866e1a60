#if canImport(SwiftUI)
    import Journal
    import LockstepUI
    import SwiftUI

    // snippet
    struct MoodList: View {
        @Results(Entry.order(\.timestamp.desc), sectionedBy: \.mood, animation: .default) private var entries
        @State private var search = ""
        private let all = Entry.order(\.timestamp.desc)

        var body: some View {
            List {
                ForEach(entries.sections) { section in
                    Section(section.key.rawValue) {
                        ForEach(section) { Text($0.title) }
                            .onDelete { indexes in
                                for entry in indexes.map({ section[$0] }) { entry.context.delete(entry) }
                                Task { try? await section.first?.context.save() }
                            }
                    }
                }
            }
            .searchable(text: $search)
            .task(id: search) { await $entries.load(search.isEmpty ? all : all.filter { $0.title.contains(search) }) }
        }
    }
// end
#endif
