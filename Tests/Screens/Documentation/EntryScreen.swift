#if canImport(SwiftUI)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI

    // snippet
    struct EntryScreen: View {
        @LiveRecord<Entry> private var entry: Entry?

        init(id: UUID) { _entry = LiveRecord(Entry.self, id) }

        var body: some View {
            if let entry {
                EntryForm(entry: entry)
            } else {
                ContentUnavailableView("This entry was deleted.", systemImage: "trash")
            }
        }
    }
// end
#endif
