#if canImport(SwiftUI)
    import Journal
    import LockstepUI
    import SwiftUI

    /// The list in the README.
    enum Readme {
        // snippet
        struct EntryList: View {
            @Results(Entry.order(\.timestamp.desc), sectionedBy: \.mood) private var entries

            var body: some View {
                List {
                    ForEach(entries.sections) { section in
                        Section(section.key.rawValue) {
                            ForEach(section) { Text($0.title) }
                        }
                    }
                }
            }
        }
        // end
    }
#endif
