#if canImport(SwiftUI)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI

    struct UndoableForm: View {
        let entry: Entry

        var body: some View {
            // snippet
            EntryForm(entry: entry)
                .undoHistory(entry.context.enableUndo())
            // end
        }
    }
#endif
