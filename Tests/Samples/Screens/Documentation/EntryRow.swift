#if canImport(SwiftUI)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI

    // snippet
    struct EntryRow: View {
        let entry: Entry

        var body: some View {
            HStack {
                VStack(alignment: .leading) {
                    Text(entry.title).font(.headline)
                    Text(entry.timestamp, format: .dateTime).font(.caption)
                }
                Spacer()
                if !entry.isSynced { Image(systemName: "arrow.up.circle") }
            }
        }
    }
// end
#endif
