import Foundation
import Journal
import LockstepStore

/// A store with entries of these titles, the first one the newest; titles in capitals are happy.
@MainActor
func journal(_ titles: String...) throws -> Store {
    let store = try Store(JournalSchema.self, at: .inMemory)
    for (index, title) in titles.enumerated() {
        Entry(
            title: title, mood: title == title.uppercased() ? .happy : .sad,
            timestamp: Date(timeIntervalSince1970: Double(1000 - index)), context: store.mainContext)
    }
    try store.mainContext.save()
    return store
}
