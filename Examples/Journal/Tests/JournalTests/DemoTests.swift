import Foundation
import Testing

@testable import journal

/// The demo of `make demo`.
@Suite struct DemoTests {
    @Test func theStoryEndsWithTheSameJournalEverywhere() throws {
        let result = try Shell().journal("demo")
        #expect(result.status == 0)
        #expect(result.errors == "")
        let told = result.output.lines
        #expect(told.contains { $0.contains("fails to sync") && $0.hasSuffix("3 changes are pending") })
        #expect(told.contains { $0.contains("is restarted: 3 changes are still pending") })
        #expect(told.contains { $0.contains("conflict") && $0.hasSuffix("happy") })
        #expect(told.contains("The phone, the tablet and the server have the same 3 entries:"))
        #expect(Set(result.output.words(at: 3).suffix(3)) == ["Bread", "Rain,", "Hike"])
    }

    @Test func journalsThatDifferAreToldApart() {
        let rain = EntryRepresentation(
            identifier: UUID(), title: "Rain", mood: .sad, timestamp: .distantPast, updatedAt: .distantPast)
        let hike = EntryRepresentation(
            identifier: UUID(), title: "Hike", mood: .happy, timestamp: .distantPast, updatedAt: .distantPast)
        var sun = rain
        sun.mood = .happy
        let ours = JournalCopy(holder: "A", entries: [rain, hike])
        func differences(_ entries: EntryRepresentation...) -> [String] {
            ours.differences(from: JournalCopy(holder: "B", entries: entries))
        }
        #expect(differences(hike, rain).isEmpty)
        #expect(differences(hike) == ["A has “Rain”, B does not."])
        #expect(differences(sun, hike) == ["A and B differ in “Rain”."])
        let lake = EntryRepresentation(
            identifier: UUID(), title: "Lake", mood: .happy, timestamp: .distantPast, updatedAt: .distantPast)
        #expect(differences(rain, hike, lake) == ["B has “Lake”, A does not."])
    }
}
