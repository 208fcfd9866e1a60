import Foundation
import Journal
import LockstepStore
import Testing

@testable import LockstepUI

@MainActor
@Suite("The rows of results")
struct ResultsRowsTests {
    @Test("are those of all sections, in order")
    func positions() throws {
        let store = try journal("A", "b", "C", "d", "e", "F")
        let sections = store.results(Entry.order(\.timestamp.desc), sectionedBy: \.title).sections
        let pairs = store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood).sections
        for sections in [
            ResultsRows(sections, error: nil).map(\.title),
            ResultsRows(Array(sections.prefix(1)), error: nil).map(\.title),
        ] {
            #expect(sections == Array(["A", "b", "C", "d", "e", "F"].prefix(sections.count)))
        }
        #expect(ResultsRows(pairs, error: nil).map(\.title) == ["A", "C", "F", "b", "d", "e"])
        #expect(ResultsRows(pairs, error: nil)[3].title == "b")
    }

    @Test("are none without sections")
    func empty() {
        #expect(ResultsRows<Entry, Mood>([], error: nil).isEmpty)
    }
}
