#if canImport(SwiftUI)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI

    // snippet
    /// An entry that is edited in a child context. What is not saved is discarded with it.
    @MainActor
    struct EntryDraft: Identifiable {
        let id: UUID
        let entry: Entry
        let context: ManagedObjectContext  // keeps it: an entry does not keep its child context
        private let parent: ManagedObjectContext

        init?(of original: Entry) {
            (id, parent) = (original.id, original.context)
            context = parent.makeChild()
            guard let entry = try? Entry.find(id, in: context) else { return nil }
            self.entry = entry
        }

        func save() async throws {
            try await context.save()  // checks the limits of the schema, and validateForSave()
            try await parent.save()  // waits for a merge without blocking the screen
        }
    }

    struct EntryForm: View {
        let draft: EntryDraft
        @Bindable private var entry: Entry
        @Environment(\.dismiss) private var dismiss
        @State private var problem: String?

        init(_ draft: EntryDraft) {
            self.draft = draft
            _entry = Bindable(draft.entry)
        }

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
            .toolbar {
                Button("Cancel") { dismiss() }
                Button("Save") { save() }.disabled(!draft.context.hasChanges)
            }
        }

        private func save() {
            Task {
                do {
                    try await draft.save()
                    dismiss()
                } catch {
                    problem = (error as? StoreError)?.reason ?? error.localizedDescription
                }
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
