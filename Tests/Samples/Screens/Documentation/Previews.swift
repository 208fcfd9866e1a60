#if canImport(SwiftUI)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI

    // snippet
    extension Store {
        /// A store in memory, with something to look at. Without it, there is no preview, so an error ends it.
        @MainActor static func sample() -> Store {
            let store = try! Store(JournalSchema.self, at: .inMemory)
            Entry(title: "A walk by the river", mood: .happy, context: store.mainContext)
            Entry(title: "Rain", bodyText: "All day.", mood: .sad, context: store.mainContext)
            try! store.mainContext.save()
            return store
        }
    }

    #Preview {
        EntryList().store(.sample())
    }
// end
#endif
