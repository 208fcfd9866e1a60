#if canImport(SwiftUI)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI

    // snippet
    struct EntryScreen: View {
        @LiveRecord<Entry> private var entry: Entry?
        @State private var draft: EntryDraft?

        init(id: UUID) { _entry = LiveRecord(Entry.self, id) }

        var body: some View {
            if let entry {
                Form {
                    EntryRow(entry: entry)
                    if let text = entry.bodyText { Text(text) }
                }
                .toolbar { Button("Edit") { draft = EntryDraft(of: entry) } }
                .sheet(item: $draft) { draft in
                    NavigationStack { EntryForm(draft) }
                }
            } else {
                ContentUnavailableView("This entry was deleted.", systemImage: "trash")
            }
        }
    }
// end
#endif
