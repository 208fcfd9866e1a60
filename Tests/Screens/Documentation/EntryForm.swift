#if canImport(SwiftUI)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI

    // snippet
    struct EntryForm: View {
        @Bindable var entry: Entry
        @Environment(\.dismiss) private var dismiss
        @State private var problem: String?

        var body: some View {
            Form {
                TextField("Title", text: $entry.title)
                TextField("Text", text: $entry.bodyText.orEmpty, axis: .vertical)
                Picker("Mood", selection: $entry.mood) {
                    ForEach(Mood.allCases, id: \.self) { Text($0.rawValue).tag($0) }
                }
                DatePicker("Time", selection: $entry.timestamp)
                if let problem { Text(problem).foregroundStyle(.red) }
            }
            .toolbar { Button("Save") { save() }.disabled(!entry.context.hasChanges) }
            .onDisappear { entry.context.rollback() }
        }

        private func save() {
            do {
                try entry.context.save()  // checks the limits of the schema, and validateForSave()
                dismiss()
            } catch {
                problem = (error as? StoreError)?.reason ?? error.localizedDescription
            }
        }
    }

    extension String? {
        /// For a text field: an empty text is stored as none.
        var orEmpty: String {
            get { self ?? "" }
            set { self = newValue.isEmpty ? nil : newValue }
        }
    }
// end
#endif
