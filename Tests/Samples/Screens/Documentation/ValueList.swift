#if canImport(SwiftUI)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI

    // snippet
    struct ValueList: View {
        @Representations(Entry.order(\.timestamp.desc).limit(20), animation: .default) private var entries

        var body: some View {
            List(entries, id: \.identifier) { Text($0.title) }
        }
    }
// end
#endif
