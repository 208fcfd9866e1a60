#if canImport(SwiftUI)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI

    struct UndoableForm: View {
        let draft: EntryDraft

        var body: some View {
            // snippet
            EntryForm(draft)
                .undoHistory(draft.context.enableUndo())
            // end
        }
    }
#endif
