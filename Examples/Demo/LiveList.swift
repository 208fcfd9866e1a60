import Foundation
import Journal
import LockstepStore

/// A journal's list that follows what is saved: by this context, by another one, by SQL.
@MainActor
func showLiveList() async throws {
    let store = try Store(JournalSchema.self, at: .inMemory)
    let context = store.mainContext
    Entry(title: "Hike", mood: .happy, context: context)
    let rain = Entry(title: "Rain", mood: .sad, context: context)
    try context.save()

    let changes = store.results(Entry.order(\.title), sectionedBy: \.mood).makeAsyncIterator()
    show(await changes.next(isolation: MainActor.shared), "at first")
    rain.mood = .happy
    try context.save()
    show(await changes.next(isolation: MainActor.shared), "the mood of “Rain” was changed and saved")
    try await store.perform { context in
        Entry(title: "Snow", mood: .sad, context: context)
        try context.save()
    }
    show(await changes.next(isolation: MainActor.shared), "another context has saved “Snow”")
    try await store.writer.write { try $0.execute(sql: "UPDATE entry SET title = 'Storm' WHERE title = 'Rain'") }
    show(await changes.next(isolation: MainActor.shared), "SQL has renamed “Rain”")
}

private func show(_ sections: ResultsSnapshot<Entry, Mood>?, _ cause: String) {
    guard let sections else { return }
    let shown = sections.map { section in "\(section.key.rawValue): \(section.map(\.title).joined(separator: ", "))" }
    let difference = sections.difference
    print("\(cause) → \(shown.joined(separator: " | "))")
    print(
        "    inserted \(difference.inserted.count), deleted \(difference.deleted.count), moved \(difference.moved.count), "
            + "updated \(difference.updated.count), sections +\(difference.insertedSections.count) "
            + "−\(difference.deletedSections.count)")
}
