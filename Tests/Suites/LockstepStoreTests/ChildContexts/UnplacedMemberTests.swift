import Foundation
import KitchenSink
import LockstepStore
import SampleTypes
import Testing

@Suite("Members linked from their own end, while their owner's were not loaded") @MainActor
struct UnplacedMemberTests {
    private let context: ManagedObjectContext
    private let things: [Everything]
    private let parts: [Part]

    init() throws {
        context = try Store(KitchenSinkSchema.self, at: .inMemory).mainContext
        let owner = Person(name: "P", country: "ch", number: 1, context: context)
        things = (1...2).map { [context] id in
            Everything(name: "E", id: id, slug: Slug(stored: "s\(id)"), days: [], owner: owner, context: context)
        }
        parts = (1...3).map { [context] in Part(localID: UUID(number: $0), context: context) }
    }

    @Test("A member that was moved away and back comes last, before and after the save")
    func cameBack() throws {
        try context.save()
        parts[0].whole = things[0]
        parts[1].whole = things[0]
        parts[0].whole = things[1]
        parts[2].whole = things[0]
        parts[0].whole = things[0]
        let expected = [parts[1], parts[2], parts[0]].map(\.localID)
        #expect(things[0].parts.map(\.localID) == expected)
        context.rollback()
        parts[0].whole = things[0]
        parts[1].whole = things[0]
        parts[0].whole = nil
        parts[2].whole = things[0]
        parts[0].whole = things[0]
        try context.save()
        let scratch = context.makeScratch()
        #expect(try Everything.find(1, in: scratch)?.parts.map(\.localID) == expected)
    }

    @Test("A saved member too")
    func savedOneCameBack() throws {
        parts[0].whole = things[0]
        try context.save()
        context.reset()
        parts[0].whole = things[1]
        parts[1].whole = things[0]
        parts[0].whole = things[0]
        let expected = [parts[1], parts[0]].map(\.localID)
        #expect(things[0].parts.map(\.localID) == expected)
        try context.save()
        let scratch = context.makeScratch()
        #expect(try Everything.find(1, in: scratch)?.parts.map(\.localID) == expected)
    }
}
